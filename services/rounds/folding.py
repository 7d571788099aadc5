"""A round known in pieces and the same round whole: what the one says folded into the form of the other.

In a game of one result, later stakes come between betting closed and the result, or among a whole round's wagers.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.admission import TIMED
from services.games.catalogue import catalogue
from services.rounds import wire

Slot = tuple[int, int, int]
"""The place of an event within its round: kind, roll, item number."""

CLOSED: Slot = (wire.BETTING_CLOSED, 0, 0)
RESULT: Slot = (wire.RESULT, 0, 0)


class Sent(NamedTuple):
    """The wagers that a piece brought, by number and as the floor sent them, held ones too; of added stakes also these
    themselves, those taken down among them.
    """

    wagers: Mapping[int, floor.Wager]
    stakes: tuple[floor.AddedStake, ...] = ()


NOTHING = Sent({})


def is_later(code: str) -> bool:
    """Whether a wager is a later stake: its section names no moment of the clock as its lock."""
    rule = catalogue().get(code)
    return rule is not None and rule.lock not in TIMED


def sent_by(body: wire.TableBody | wire.RoundBody) -> Sent:
    """What an event of a round brings of wagers."""
    if isinstance(body, (floor.BettingClosed, floor.WholeRound)):
        return Sent({wager.wager_no: wager for wager in body.wagers})
    if isinstance(body, floor.StakesAdded):
        wagers = [stake.wager for stake in body.stakes if stake.kind != floor.STAKE_KIND_TAKEN_DOWN]
        return Sent({wager.wager_no: wager for wager in wagers}, tuple(body.stakes))
    return NOTHING


def sent_in(kind: int, entry: bytes, held: Iterable[bytes]) -> Sent:
    """The same of an event that is in the feed, from its entry and what is held beside it."""
    if kind == wire.STAKES_ADDED:
        return sent_by(wire.stakes_of(entries.Entry.FromString(entry).stakes_added, held))
    if kind in (wire.BETTING_CLOSED, wire.WHOLE_ROUND, wire.AMEND):
        return sent_by(wire.whole_of(wire.read_round(entry), held))
    return NOTHING


def fold(whole: floor.WholeRound, sent: Mapping[Slot, Sent], *, over: bool) -> dict[Slot, wire.Piece]:
    """A whole round as the pieces it stands for, in their order, its wagers spread as the known pieces brought them.

    Later stakes that no known piece brought are one more piece, unless the result is known (`over`); any other wager
    that is not known stays with those placed before betting closed, where it shows as a difference.
    """
    found = wire.pieces(whole)
    closing = found[CLOSED]
    if not isinstance(closing, floor.BettingClosed) or CLOSED not in sent:
        return found
    added = {slot: brought for slot, brought in sent.items() if slot[0] == wire.STAKES_ADDED}
    later = {number for brought in added.values() for number in brought.wagers}
    known = later.union(sent[CLOSED].wagers)
    new = [each for each in whole.wagers if each.wager_no not in known and not over and is_later(each.code)]
    later.update(each.wager_no for each in new)
    del closing.wagers[:]
    closing.wagers.extend(each for each in whole.wagers if each.wager_no not in later)
    result = found.pop(RESULT)
    found.update({slot: _as_told(whole, slot, brought) for slot, brought in added.items()})
    if new:
        slot = (wire.STAKES_ADDED, 0, 1 + max((slot[2] for slot in added), default=0))
        found[slot] = _stakes(whole, slot, [_added(each, whole) for each in new])
    found[RESULT] = result
    return found


def piece_of(whole: floor.WholeRound, slot: Slot, body: wire.TableBody | wire.RoundBody) -> wire.Piece | None:
    """The piece of a whole round that stands where an event does; None where it has none."""
    sent = sent_by(body)
    if slot[0] == wire.STAKES_ADDED:
        return _as_told(whole, slot, sent) if all(is_later(each.code) for each in sent.wagers.values()) else None
    return fold(whole, {slot: sent}, over=False).get(slot)


def _as_told(whole: floor.WholeRound, slot: Slot, brought: Sent) -> floor.StakesAdded:
    """Stakes as a piece brought them, but with what the whole round says of their wagers."""
    told = {each.wager_no: each for each in whole.wagers}
    stakes = [
        floor.AddedStake(kind=each.kind, belongs_to=each.belongs_to, wager=told.get(each.wager.wager_no))
        for each in brought.stakes
    ]
    return _stakes(whole, slot, stakes)


def _stakes(whole: floor.WholeRound, slot: Slot, stakes: Iterable[floor.AddedStake]) -> floor.StakesAdded:
    return floor.StakesAdded(
        table_id=whole.table_id,
        shoe=whole.shoe,
        round_no=whole.round_no,
        opened_at=whole.opened_at,
        item_no=slot[2],
        stakes=stakes,
    )


def _added(wager: floor.Wager, whole: floor.WholeRound) -> floor.AddedStake:
    """A later stake of a whole round, which does not tell at what decision it was made."""
    needs = catalogue()[wager.code].needs
    bases = [each.wager_no for each in whole.wagers if each.seat == wager.seat and each.code in needs]
    return floor.AddedStake(kind=floor.STAKE_KIND_MID_ROUND, belongs_to=bases[0] if bases else 0, wager=wager)
