"""Rounds settled offline by the pure engine: `casino settle`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from casino.floor.v1 import events_pb2
from clients.cli.output import exit_if, print_each
from clients.cli.rounds_file import RoundLine, read_rounds
from services.games.catalogue import wager
from services.games.results import GAMES, read_history
from services.games.settlement import Award, Settled, settle_round
from services.games.stated import stated_payouts
from services.games.terms import Offer, Terms, options_of
from services.games.wagers import PlacedWager
from services.kernel.errors import (
    InvalidRequest,
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
WHEEL = "double_zero"


@dataclass
class Offline:
    """Equipment that a file does not name, what the tables chose for their options, and the last spin of each wheel.

    `options`: by wager's code, name and value; those that are missing are what the exact figures assume.
    """

    decks: int = DECKS
    wheel: str = WHEEL
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    spins: dict[str, Any] = field(default_factory=dict)


def settle(
    file: Annotated[Path, typer.Argument(help="Rounds, one protobuf JSON object a line.")],
    decks: Annotated[int, typer.Option(min=1, help="Decks in the shoe.")] = DECKS,
    wheel: Annotated[str, typer.Option(help=f"Wheel of Roulette: {', '.join(GAMES['roulette'].wheels)}.")] = WHEEL,
    option: Annotated[list[str] | None, typer.Option(help="CODE:NAME=VALUE, as a table files it; repeatable.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a round.")] = False,
) -> None:
    """Settles a file of whole rounds with the pure engine; needs no service.

    A spin of Roulette follows the one before it of the same table in the file.
    """
    bad, offline = 0, Offline(decks, wheel, chosen(option or ()))

    def settled() -> Iterable[dict[str, Any]]:
        nonlocal bad
        for line in read_rounds(file):
            found = settle_line(line, offline)
            bad += "error" in found
            yield found

    print_each(settled(), shown, json_wanted=json)
    exit_if(bad > 0)


def chosen(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Options written `CODE:NAME=VALUE`, by code and name. Raises InvalidRequest, WagerUnknown."""
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        code, _, rest = text.partition(":")
        name, equals, value = rest.partition("=")
        known = options_of(wager(code))
        if not equals or name not in known:
            expected = f"--option {code}:NAME=VALUE with a name of {' or '.join(known) or 'none'}"
            raise InvalidRequest(f"expected {expected}, given {text!r}")
        found.setdefault(code, {})[name] = value
    return found


def settle_line(line: RoundLine, offline: Offline) -> dict[str, Any]:
    """A line's settled wagers, or its refusal, as `casino settle` prints it; money in cents."""
    try:
        if line.round is None:
            raise line.refusal or Unreadable()
        return {"round": line.name, "wagers": settle_whole(line.round, offline)}
    except Refusal as refusal:
        return refused(line.name, refusal.reason, refusal.message)


def refused(name: str, reason: str, message: str) -> dict[str, Any]:
    """A round that did not settle."""
    return {"round": name, "error": {"reason": reason, "message": message}}


def settle_whole(read: events_pb2.WholeRound, offline: Offline) -> list[dict[str, Any]]:
    """The wagers of a whole round, settled by the paytables they carry. Raises a named refusal.

    Whether a table offers them, their limits and their base wagers are a Rules Submission's to say.
    """
    game = read.result.WhichOneof("game")
    if game is None:
        raise ResultMissing(f"expected a result of {', '.join(GAMES)}, given none")
    results = [*read.earlier_results, read.result]
    if any(each.WhichOneof("game") != game for each in results):
        raise ResultMissing(f"expected every result to be of {game}, given another among the earlier ones")
    messages, wagers = [getattr(each, game) for each in results], [_placed(each) for each in read.wagers]
    history = read_history(game, messages, offline.decks, offline.spins.get(read.table_id))
    terms = _terms(game, frozenset(each.code for each in wagers), offline)
    GAMES[game].check(history, terms)
    if GAMES[game].wheels:
        offline.spins[read.table_id] = messages[-1]
    _check_numbers(wagers)
    settled = settle_round(history, wagers, terms, _stated(results, wagers))
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
    placed = each.wager_no, each.seat, each.code, each.paytable, each.stake_cents, each.placement
    return PlacedWager(*placed, roll=each.roll)


def _check_numbers(wagers: list[PlacedWager]) -> None:
    seen: set[int] = set()
    for each in wagers:
        if each.wager_no in seen:
            raise WagerNoRepeated(f"expected wager numbers once each, given {each.wager_no} again")
        seen.add(each.wager_no)


def _stated(results: Iterable[events_pb2.Result], wagers: Iterable[PlacedWager]) -> dict[int, int]:
    """The payouts that the floor states, cents by wager number, for wagers of the round that no paytable prices."""
    codes = {each.wager_no: each.code for each in wagers}
    given = ((each.wager_no, each.payout_cents) for result in results for each in result.stated_payouts)
    return stated_payouts(given, codes, codes)


def _terms(game: str, codes: frozenset[str], offline: Offline) -> Terms:
    """The round's wagers offered, and those whose options are chosen: the house rules of a Blackjack table are options
    of its base wager. The paytable is the one each carries. Raises InvalidRequest for an option's value.
    """
    chosen_for = {code for code in offline.options if wager(code).game == game}
    rules = [wager(code) for code in sorted(codes | chosen_for)]
    chosen = {
        rule.code: tuple(sorted({**rule.assumed, **offline.options.get(rule.code, {})}.items())) for rule in rules
    }
    return _offered(game, offline.decks, offline.wheel, tuple(chosen.items()))


@lru_cache(maxsize=1024)
def _offered(game: str, decks: int, wheel: str, chosen: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> Terms:
    offers = {code: Offer(code, next(iter(wager(code).paytables)), 1, None, options) for code, options in chosen}
    played = GAMES[game]
    if played.wheels and wheel not in played.wheels:
        raise InvalidRequest(f"expected --wheel {' or '.join(played.wheels)}, given {wheel}")
    terms = Terms("offline", game, "live", decks, SEATS, MappingProxyType(offers), wheel if played.wheels else "")
    for code, options in chosen:
        for name, text in options:
            _check_option(terms, code, name, text)
    return terms


def _check_option(terms: Terms, code: str, name: str, text: str) -> None:
    allowed = options_of(wager(code))[name]
    if isinstance(allowed, tuple):
        if text not in allowed:
            raise InvalidRequest(f"expected --option {code}:{name} of {' or '.join(allowed)}, given {text!r}")
        return
    try:
        terms.parsed(code, name)
    except ValueError as problem:
        raise InvalidRequest(f"{problem} in --option {code}:{name}") from problem
