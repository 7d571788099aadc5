"""An auditor who trusts nobody: prices every recorded wager with naive code of his own and adds up by hand.

He reads raw facts through the API (the rounds feed, the documents) and shares no code with the services.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2 as rounds
from clients.sdk import feeds
from clients.sdk.client import Casino

PERFECT_PAIRS = {"A": (25, 12, 6), "B": (30, 10, 5), "C": (25, 15, 5)}
BLAZING = {"A": {2: 0, 3: 401}, "B": {2: 51, 3: 201}}
MICROS_OF_A_TENTH_OF_A_CENT = 1_000
BASES = ("baccarat.player", "baccarat.banker", "baccarat.tie")
PROGRESSIVE = "baccarat.heavenly_9_progressive"
SEED_MICROS = 10_000 * 1_000_000


def value(card: str) -> int:
    """What a card counts."""
    rank = card[:-1]
    return 1 if rank == "A" else int(rank) if rank.isdecimal() and rank != "10" else 0


def total(cards: list[str]) -> int:
    """What a hand counts."""
    return sum(map(value, cards)) % 10


def is_three_card(cards: list[str], number: int) -> bool:
    """Whether the hand is this number on three cards."""
    return len(cards) == 3 and total(cards) == number


def red(card: str) -> bool:
    """Whether the card is red."""
    return card[-1] in "DH"


def treasure(name: str, paytable: str, player: list[str], banker: list[str]) -> int:
    """What one of the 5 Treasures returns for one staked, 0 when it loses."""
    won, lost = total(banker), total(player)
    nines = is_three_card(player, 9) + is_three_card(banker, 9)
    if name == "fortune_7":
        return 41 if is_three_card(banker, 7) and won > lost else 0
    if name == "golden_8":
        return 26 if is_three_card(player, 8) and lost > won else 0
    if name == "heavenly_9":
        return (0, 11, 76)[nines]
    if name == "blazing_7s":
        sevens = won == lost == 7 and len(player) == len(banker)
        return BLAZING[paytable][len(player)] if sevens else 0
    others = ("fortune_7", "golden_8", "heavenly_9", "blazing_7s")
    return 7 if any(treasure(other, paytable, player, banker) for other in others) else 0


def progressive(player: list[str], banker: list[str]) -> int:
    """What the Heavenly 9 progressive returns for one staked; the meter itself is a slip, not inventory."""
    if is_three_card(player, 9) and is_three_card(banker, 9):
        cards = player + banker
        if len({card[-1] for card in cards}) == 1:
            return 0
        return 299 if len({red(card) for card in cards}) == 1 else 60
    return 9 if is_three_card(banker, 9) else 8 if is_three_card(player, 9) else 0


def pair(paytable: str, hand: list[str]) -> int:
    """What Perfect Pairs returns for one staked on this hand."""
    first, second = hand[:2]
    if first[:-1] != second[:-1]:
        return 0
    perfect, colored, mixed = PERFECT_PAIRS[paytable]
    return 1 + (perfect if first == second else colored if red(first) == red(second) else mixed)


def base(code: str, paytable: str, stake: int, player: list[str], banker: list[str]) -> int:
    """What a wager on Player, Banker or Tie is paid, in cents."""
    lead = total(player) - total(banker)
    if code == "baccarat.tie":
        return stake * (1 + int(paytable)) if lead == 0 else 0
    if lead == 0:
        return stake
    if code == "baccarat.player":
        return 2 * stake if lead > 0 else 0
    percent = int(paytable.rstrip("%"))
    return 2 * stake - (stake * percent + 50) // 100 if lead < 0 else 0


def payout(wager: floor.Wager, player: list[str], banker: list[str]) -> int:
    """What a recorded wager is paid from the table's inventory, its stake included where it comes back."""
    code, paytable, stake = wager.code, wager.paytable, wager.stake_cents
    if code in BASES:
        return base(code, paytable, stake, player, banker)
    if code == PROGRESSIVE:
        return stake * progressive(player, banker)
    if code == "baccarat.perfect_pairs":
        return stake * pair(paytable, player if wager.placement == "player" else banker)
    return stake * treasure(code.removeprefix("baccarat."), paytable, player, banker)


@dataclass
class Audit:
    """Sums by (table, figure) and by (wager, paytable, figure) in cents, contributions in micro-dollars."""

    tables: Counter[tuple[str, str]] = field(default_factory=Counter)
    wagers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    contributed: int = 0
    documents: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def names(self) -> list[str]:
        """The tables that were played."""
        return sorted({name for name, _ in self.tables})

    def figures(self, name: str) -> dict[str, int]:
        """The figures of a table's line in the daily win report."""
        found = {each: self.documents[name, each] for each in ("opener", "fills", "credits", "drop", "closer")}
        found["win"] = found["closer"] + found["credits"] + found["drop"] - found["opener"] - found["fills"]
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


async def audit(casino: Casino, property_id: str, day: date) -> Audit:
    """Read the day's raw facts and add them up."""
    found = Audit()
    async for entry in feeds.read(casino, "rounds", property_id):
        if entry.kind in ("result", "whole_round") and entry.body.key.gaming_day == day.isoformat():
            add_round(found, entry.body)
    for name in found.names:
        request = reporting.ListDocumentsRequest(property_id=property_id, gaming_day=day.isoformat(), table_id=name)
        listed = await casino.call(casino.reporting.ListDocuments, request)
        for document in listed.documents:
            if document.kind in KINDS:
                found.documents[name, KINDS[document.kind]] += document.amount_cents
    return found


def add_round(found: Audit, played: rounds.Round) -> None:
    """Price one round's wagers and add them up."""
    name, dealt = played.key.table_id, played.history[-1].baccarat
    found.tables[name, "rounds"] += 1
    for wager in played.wagers:
        paid = payout(wager, list(dealt.player), list(dealt.banker))
        for figure, amount in (("wagers", 1), ("handle", wager.stake_cents), ("payout", paid)):
            found.tables[name, figure] += amount
            found.wagers[wager.code, wager.paytable, figure] += amount
        if wager.code == PROGRESSIVE:
            found.contributed += wager.stake_cents * MICROS_OF_A_TENTH_OF_A_CENT


def lines(report: reporting.Report, name: str) -> list[dict[str, int | str | None]]:
    """The rows of a report's table, by column."""
    (table,) = [each for each in report.tables if each.name == name]
    columns = [column.name for column in table.columns]
    return [dict(zip(columns, map(cell_value, row.cells), strict=True)) for row in table.rows]


def cell_value(cell: reporting.Cell) -> int | str | None:
    """A cell's number or text, None where it is empty."""
    kind = cell.WhichOneof("value")
    return None if kind is None else cell.number if kind == "number" else cell.text
