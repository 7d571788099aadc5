"""An auditor who trusts nobody: prices every recorded wager with naive code of his own and adds up by hand.

He reads raw facts through the API (the rounds feed, the documents) and shares no code with the services.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice, product

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2 as rounds
from clients.floor.full_house import full_house
from clients.sdk import feeds
from clients.sdk.client import Casino
from tests.floor import blackjack_prices, card_prices, dice_prices, wheel_prices

SIDES = {
    "roulette": ("b2b", "blazing_7s"),
    "craps": ("hot_roller", "lucky_shooter", "hot_shooter", *dice_prices.BONUS),
}
PROGRESSIVE = "baccarat.heavenly_9_progressive"
SEED_MICROS = 10_000 * 1_000_000
MICROS_OF_A_CENT, RATE_UNIT = 10_000, 10_000

Rates = Mapping[tuple[str, str], tuple[int, ...]]
"""By wager and paytable the rates of its meters, in hundredths of a percent."""

HEAVENLY_9: Rates = {(PROGRESSIVE, "standard"): (1_000,)}


@dataclass(frozen=True)
class Filings:
    """What the auditor was told of the filings: meter rates, and the king and nine printed at each seat."""

    rates: Rates = field(default_factory=lambda: HEAVENLY_9)
    king_9s: tuple[tuple[str, str], ...] = ()


def _printed() -> Iterator[tuple[str, str]]:
    for king, nine in islice(product("CDHS", repeat=2), 12):
        yield f"K{king}", f"9{nine}"


FULL_HOUSE = Filings(
    {
        **HEAVENLY_9,
        **{
            (link.code, link.paytable): tuple(meter.increment_rate or 0 for meter in link.meters)
            for link in full_house().links
            if link.code.startswith("blackjack.")
        },
        # A tenth for the meter of Heavenly 9, and 2 % for the mystery of configuration D at $5 beside it (631c.6).
        (PROGRESSIVE, "standard"): (1_000, 200),
        **{
            (f"{game}.royal_9", name): (800, 300, 200)
            for game in ("minibaccarat", "midibaccarat")
            for name in ("$5", "$1")
        },
    },
    tuple(_printed()),
)
"""What the house that offers everything filed."""


def is_side(code: str) -> bool:
    """Whether a wager is not one of the game itself, nor what a variation has in the place of one."""
    game, name = code.split(".")
    if game in ("blackjack", "external"):
        # What the floor states stands in a table of its own.
        return game == "blackjack" and name not in blackjack_prices.BASES
    return name in SIDES[game] if game in SIDES else name not in card_prices.MIDDLE


def payout(wager: floor.Wager, played: rounds.Round, king_9s: Sequence[tuple[str, str]] = ()) -> int | None:
    """What a recorded wager is paid from the table, in cents, its stake included where it comes back.

    None where no result has settled it yet, and where it is returned unsettled.
    """
    game = played.history[-1].WhichOneof("game")
    if game == "craps":
        return None if wager.wager_no in played.taken_down else dice_prices.payout(wager, played.history)
    if game == "roulette":
        before = played.previous.roulette.pocket if played.HasField("previous") else None
        return wheel_prices.payout(wager, played.history[-1].roulette, before)
    if game == "blackjack":
        return blackjack_prices.payout(wager, played.history[-1])
    dealt: floor.BaccaratResult = getattr(played.history[-1], str(game))
    return card_prices.payout(wager, dealt, [list(each) for each in king_9s])


@dataclass
class Audit:
    """Sums by (table, figure) and by (wager, paytable, figure) in cents.

    Contributions are in micro-dollars by (table, wager, paytable, number of the meter).
    """

    filings: Filings = field(default_factory=Filings)
    tables: Counter[tuple[str, str]] = field(default_factory=Counter)
    wagers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    meters: Counter[tuple[str, str, str, int]] = field(default_factory=Counter)
    documents: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def names(self) -> list[str]:
        """The tables that were played."""
        return sorted({name for name, _ in self.tables})

    def figures(self, name: str) -> dict[str, int]:
        """The figures of a table's line in the daily win report."""
        names = ("opener", "fills", "credits", "drop", "closer", "metered_wagers", "metered_payouts")
        found = {each: self.documents[name, each] for each in names}
        found["win"] = found["closer"] + found["credits"] + found["drop"] - found["opener"] - found["fills"]
        found["win"] += found["metered_wagers"] - found["metered_payouts"]
        played = {each: self.tables[name, each] for each in ("rounds", "wagers", "handle", "payout")}
        found["game_win"] = played["handle"] - played["payout"]
        found["difference"] = found["win"] - found["game_win"]
        return found | played


KINDS = {
    paper.DOCUMENT_KIND_OPENER: "opener",
    paper.DOCUMENT_KIND_FILL: "fills",
    paper.DOCUMENT_KIND_CREDIT: "credits",
    paper.DOCUMENT_KIND_COUNT: "drop",
    paper.DOCUMENT_KIND_CLOSER: "closer",
}


async def audit(casino: Casino, property_id: str, day: date, filings: Filings | None = None) -> Audit:
    """Read the day's raw facts and add them up."""
    found = Audit(filings or Filings())
    async for entry in feeds.read(casino, "rounds", property_id):
        if entry.kind in ("result", "whole_round") and entry.body.key.gaming_day == day.isoformat():
            add_round(found, entry.body)
    for name in found.names:
        request = reporting.ListDocumentsRequest(property_id=property_id, gaming_day=day.isoformat(), table_id=name)
        listed = await casino.call(casino.reporting.ListDocuments, request)
        for document in listed.documents:
            if document.kind in KINDS:
                found.documents[name, KINDS[document.kind]] += document.amount_cents
            found.documents[name, "metered_wagers"] += document.wagers_cents
            found.documents[name, "metered_payouts"] += document.payouts_cents
    return found


def add_round(found: Audit, played: rounds.Round) -> None:
    """Price the wagers that this result settles and add them up; a round counts at its first result."""
    name = played.key.table_id
    first = played.key.roll <= 1
    found.tables[name, "rounds"] += first
    for wager in played.wagers:
        if first:
            add_contribution(found, name, wager)
        paid = payout(wager, played, found.filings.king_9s)
        if paid is None:
            continue
        for figure, amount in (("wagers", 1), ("handle", wager.stake_cents), ("payout", paid)):
            found.tables[name, figure] += amount
            found.wagers[wager.code, wager.paytable, figure] += amount


def add_contribution(found: Audit, table_id: str, wager: floor.Wager) -> None:
    """A stake's share for each meter of its link."""
    for number, rate in enumerate(found.filings.rates.get((wager.code, wager.paytable), ())):
        share = wager.stake_cents * MICROS_OF_A_CENT * rate // RATE_UNIT
        found.meters[table_id, wager.code, wager.paytable, number] += share


def lines(report: reporting.Report, name: str) -> list[dict[str, int | str | None]]:
    """The rows of a report's table, by column."""
    (table,) = [each for each in report.tables if each.name == name]
    columns = [column.name for column in table.columns]
    return [dict(zip(columns, map(cell_value, row.cells), strict=True)) for row in table.rows]


def cell_value(cell: reporting.Cell) -> int | str | None:
    """A cell's number or text, None where it is empty."""
    kind = cell.WhichOneof("value")
    return None if kind is None else cell.number if kind == "number" else cell.text
