"""Where a recorded settlement is not what the engine of today says: round, wager, both sides, and who settled."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.history import name_of
from clients.cli.audit.settlements import NOT_COMPARED
from clients.cli.outcomes import described
from clients.sdk.payouts import SettledWager, wagers_of
from services.kernel.money import dollars

Given = settlement.SettledRound | settlement.SettlementException
Side = dict[str, Any]
"""One side of a difference as JSON values; money in cents."""


class Difference(NamedTuple):
    """One difference. `wager_no` is None where the whole round is meant; a side is None where it has nothing.

    `rounds_position` is that of the entry that was settled; `software_version` that of the commit that holds the
    settlement, empty where there is none.
    """

    gaming_day: str
    round: str
    rounds_position: int
    wager_no: int | None
    settled: Side | None
    today: Side | None
    software_version: str

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return self._asdict()

    def line(self) -> str:
        """For a reader."""
        what = f"round {self.round} at {self.rounds_position}" + (f" wager {self.wager_no}" if self.wager_no else "")
        by = f" (settled by version {self.software_version})" if self.software_version else ""
        return f"{what}: settled {_words(self.settled)}, today's engine says {_words(self.today)}{by}"


def compare(given: Given | None, today: Given | None, version: str) -> Iterator[Difference]:
    """The differences between a settlement as recorded and as run again.

    The former is None where none is recorded, the latter where nothing that is recorded calls for one.
    """
    if isinstance(given, settlement.SettledRound) and isinstance(today, settlement.SettledRound):
        yield from _of_round(given, today, version)
        return
    sides, known = (_side(given), _side(today)), given if given is not None else today
    if known is not None and sides[0] != sides[1]:
        yield _difference(known, None, *sides, version)


def _side(given: Given | None) -> Side | None:
    if given is None:
        return None
    if isinstance(given, settlement.SettledRound):
        return {"wagers": [_wager(each) for each in wagers_of(given)]}
    return {"exception": given.reason}


def _of_round(given: settlement.SettledRound, today: settlement.SettledRound, version: str) -> Iterator[Difference]:
    fields: Any = today.DESCRIPTOR.fields
    names = [each.name for each in fields if not each.is_repeated and each.name not in NOT_COMPARED]
    named = [name for name in names if getattr(given, name) != getattr(today, name)]
    if named:
        one, other = ({name: _plain(getattr(side, name)) for name in named} for side in (given, today))
        yield _difference(today, None, one, other, version)
    yield from _of_wagers(given, today, version)


def _of_wagers(given: settlement.SettledRound, today: settlement.SettledRound, version: str) -> Iterator[Difference]:
    try:
        settled = wagers_of(given)
    except ValueError:
        lengths: Any = {name: len(getattr(given, name)) for name in ("wager_no", "outcome", "payout_cents")}
        yield _difference(today, None, {"lists": lengths}, _side(today), version)
        return
    again = wagers_of(today)
    if settled == again:
        return
    sides = {each.wager_no: each for each in settled}, {each.wager_no: each for each in again}
    alike = True
    for number in sorted(sides[0].keys() | sides[1].keys()):
        one, other = (side.get(number) for side in sides)
        if one != other:
            alike = False
            yield _difference(today, number, one and _wager(one), other and _wager(other), version)
    if alike:
        first, then = ({"wager_no": [each.wager_no for each in some]} for some in (settled, again))
        yield _difference(today, None, first, then, version)


def _difference(of: Given, wager_no: int | None, settled: Side | None, today: Side | None, version: str) -> Difference:
    return Difference(of.key.gaming_day, name_of(of.key), of.rounds_position, wager_no, settled, today, version)


def _wager(each: SettledWager) -> Side:
    more = {"inventory_cents": each.inventory_cents, "breakage_micros": each.breakage_micros}
    return {"wager_no": each.wager_no, **described(each), **more}


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | str) else name_of(value)


def _words(side: Side | None) -> str:
    if side is None:
        return "nothing"
    if "payout_cents" not in side:
        return ", ".join(f"{name} {_count(value)}" for name, value in side.items())
    placed = f"seat {side['seat']} {side['wager']} {side['paytable']} stake {dollars(side['stake_cents'])}"
    shares = "".join(f" and {each['percent'] // 100}% of {each['level']}" for each in side["awards"] if each["level"])
    return f"{placed} {side['outcome']} {side['line'] or '-'} payout {dollars(side['payout_cents'])}{shares}"


def _count(value: Any) -> str:
    return " ".join(str(each["wager_no"]) for each in value) if value and isinstance(value, list) else str(value)
