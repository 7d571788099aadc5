"""Rounds settled offline by the pure engine: `casino settle`."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from casino.floor.v1 import events_pb2
from clients.cli.output import exit_if, print_each
from clients.cli.rounds_file import RoundLine, read_rounds
from services.games.catalogue import catalogue, wager
from services.games.results import GAMES, read_history
from services.games.settlement import Award, Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import PlacedWager
from services.kernel.errors import (
    PlacementUnknown,
    Refusal,
    ResultMissing,
    StakeImpossible,
    Unreadable,
    WagerNoRepeated,
)
from services.kernel.money import dollars

DECKS = 8
SEATS = 99


def settle(
    file: Annotated[Path, typer.Argument(help="Rounds, one protobuf JSON object a line.")],
    decks: Annotated[int, typer.Option(min=1, help="Decks in the shoe.")] = DECKS,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a round.")] = False,
) -> None:
    """Settles a file of whole rounds with the pure engine; needs no service."""
    bad = 0

    def settled() -> Iterable[dict[str, Any]]:
        nonlocal bad
        for line in read_rounds(file):
            found = settle_line(line, decks)
            bad += "error" in found
            yield found

    print_each(settled(), shown, json_wanted=json)
    exit_if(bad > 0)


def settle_line(line: RoundLine, decks: int) -> dict[str, Any]:
    """A line's settled wagers, or its refusal, as `casino settle` prints it; money in cents."""
    try:
        if line.round is None:
            raise line.refusal or Unreadable()
        return {"round": line.name, "wagers": settle_whole(line.round, decks)}
    except Refusal as refusal:
        return refused(line.name, refusal.reason, refusal.message)


def refused(name: str, reason: str, message: str) -> dict[str, Any]:
    """A round that did not settle."""
    return {"round": name, "error": {"reason": reason, "message": message}}


def settle_whole(read: events_pb2.WholeRound, decks: int) -> list[dict[str, Any]]:
    """The wagers of a whole round, settled by the paytables they carry. Raises a named refusal.

    Whether a table offers them, their limits and their base wagers are a Rules Submission's to say.
    """
    game = read.result.WhichOneof("game")
    if game is None:
        raise ResultMissing(f"expected a result of {', '.join(GAMES)}, given none")
    history = read_history(game, [getattr(read.result, game)], decks)
    wagers = [_placed(each) for each in read.wagers]
    _check_numbers(wagers)
    settled = settle_round(history, wagers, _terms(game, decks))
    return [described(each, outcome) for each, outcome in zip(wagers, settled, strict=True)]


def described(placed: PlacedWager, settled: Settled) -> dict[str, Any]:
    """A settled wager as the commands print it; `net_cents` is what the patron is up, payout less stake."""
    return {
        "wager": placed.code,
        "paytable": placed.paytable,
        "seat": placed.seat,
        "stake_cents": placed.stake_cents,
        "outcome": settled.outcome,
        "line": settled.line or None,
        "payout_cents": settled.payout_cents,
        "net_cents": settled.payout_cents - placed.stake_cents,
        "awards": [award_described(each) for each in settled.awards if each.kind != "odds"],
    }


def award_described(award: Award) -> dict[str, Any]:
    """An award beyond plain odds; a meter's has no cents until its jackpot is priced."""
    return dict(award._asdict())


def shown(found: dict[str, Any]) -> str:
    """A settled or refused round for a reader."""
    if "error" in found:
        return f"{found['round']}: {found['error']['reason']}: {found['error']['message']}"
    lines = [
        f"{found['round']}: seat {each['seat']} {each['wager']} {each['paytable']}"
        f" stake {dollars(each['stake_cents'])} {each['outcome']} {each['line'] or '-'}"
        f" payout {dollars(each['payout_cents'])}{_awards(each)}"
        for each in found["wagers"]
    ]
    return "\n".join(lines) or f"{found['round']}: no wagers"


def _awards(each: dict[str, Any]) -> str:
    meters = [f" and {award['percent'] // 100}% of {award['level']}" for award in each["awards"] if award["level"]]
    return "".join(meters)


def _placed(each: events_pb2.Wager) -> PlacedWager:
    if each.stake_cents <= 0:
        raise StakeImpossible(f"expected cents above zero on wager {each.wager_no}, given {each.stake_cents}")
    places = wager(each.code).placements
    if each.placement not in places:
        expected = " or ".join(place or "its own area" for place in places)
        raise PlacementUnknown(f"expected {each.code} on {expected}, given {each.placement!r}")
    return PlacedWager(each.wager_no, each.seat, each.code, each.paytable, each.stake_cents, each.placement)


def _check_numbers(wagers: list[PlacedWager]) -> None:
    seen: set[int] = set()
    for each in wagers:
        if each.wager_no in seen:
            raise WagerNoRepeated(f"expected wager numbers once each, given {each.wager_no} again")
        seen.add(each.wager_no)


@cache
def _terms(game: str, decks: int) -> Terms:
    """Every wager of the game offered; the paytable is the one each wager carries."""
    offers = {
        rule.code: Offer(rule.code, next(iter(rule.paytables)), 1) for rule in catalogue().values() if rule.game == game
    }
    return Terms("offline", game, "live", decks, SEATS, MappingProxyType(offers))
