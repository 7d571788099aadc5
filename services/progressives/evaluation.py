"""Whether the recorded round still wins a jackpot: the engine evaluates it again, card for card."""

from typing import NamedTuple

from services.games.settlement import Settled
from services.kernel import errors
from services.progressives import plays
from services.progressives.book import Book
from services.progressives.jackpot import Jackpot
from services.progressives.link import MYSTERY
from services.progressives.play import Play


class Evidence(NamedTuple):
    """The recorded round that a jackpot is held against: what it says, where it stands, and its digest.

    `play` is None where the round is void.
    """

    position: int
    sha256: bytes
    play: Play | None


def check_won(book: Book, jackpot: Jackpot, evidence: Evidence | None, confirmed: bool) -> Evidence:
    """The evidence, if the round wins the jackpot, or if two people have `confirmed` it whatever the round wins now.

    Raises JackpotNotWon, or what evaluating the round refuses.
    """
    if confirmed:
        return evidence or Evidence(0, b"", None)
    if evidence is None or evidence.play is None:
        stands = "there is no result of it" if evidence is None else "it is void"
        raise errors.JackpotNotWon(f"expected a recorded result of round {jackpot.key}, {stands}")
    play = evidence.play
    placed = next((wager for wager in play.wagers if wager.wager_no == jackpot.wager_no), None)
    if placed is None or (placed.seat, placed.code) != (jackpot.seat, jackpot.code):
        raise errors.JackpotNotWon(
            f"expected wager {jackpot.wager_no} of round {jackpot.key} to be {jackpot.code} at seat {jackpot.seat}"
        )
    if jackpot.level != MYSTERY and not _wins(jackpot, play, book.settled(play)):
        raise errors.JackpotNotWon(
            f"expected the recorded round {jackpot.key} to win jackpot {jackpot.jackpot_id}, it does not"
        )
    return evidence


def _wins(jackpot: Jackpot, play: Play, settled: list[Settled]) -> bool:
    won = plays.winners_of(play, {}, settled)
    return any(
        plays.name_of(play, level, winner) == jackpot.jackpot_id and winner.percent == jackpot.percent
        for (_, level), winners in won.items()
        for winner in winners
    )
