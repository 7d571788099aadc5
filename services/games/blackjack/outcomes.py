"""The lines of wagers on played hands, under the written basic strategy."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from services.games.blackjack.cards import TWENTY_ONE
from services.games.blackjack.played import BLACKJACK, BUST, Outcome, law_of_play
from services.games.blackjack.round import Action
from services.games.wagers import Line


def main_law(decks: int) -> Mapping[Line | None, Fraction]:
    """The lines of the Blackjack wager."""
    return _lines((line_of(found), chance) for found, chance in law_of_play(decks).items())


def double_law(decks: int) -> Mapping[Line | None, Fraction]:
    """The lines of a double, given that the strategy doubles."""
    doubled = {found: chance for found, chance in law_of_play(decks).items() if found.last is Action.DOUBLE}
    often = sum(doubled.values(), Fraction(0))
    return _lines((line_of(found), chance / often) for found, chance in doubled.items())


def buzzer_law(decks: int) -> Mapping[Line | None, Fraction]:
    """The lines of Buzzer Beater; nobody surrenders at a hybrid table with a hole card (633c.5(p)(2))."""
    law = law_of_play(decks, surrender=False)
    return _lines((buzzer_line(found.player, found.dealer), chance) for found, chance in law.items())


def line_of(found: Outcome) -> Line | None:
    """The line of an outcome, or None for a loss."""
    if found.player == BLACKJACK:
        return "push" if found.dealer == BLACKJACK else "blackjack"
    if found.dealer == BLACKJACK or found.player == BUST:
        return None
    if found.last is Action.SURRENDER:
        return "surrender"
    if found.dealer == BUST or found.player > found.dealer:
        return "win"
    return "push" if found.player == found.dealer else None


def buzzer_line(player: int, dealer: int) -> Line | None:
    """The line of 633c.5(v)(3) for final totals, BLACKJACK and BUST among them; None for a loss.

    A player's Blackjack beats any 21 of more cards, so the wager on it loses then.
    """
    if player == BLACKJACK:
        return "blackjack_on_both" if dealer == BLACKJACK else None
    if player == BUST or dealer == BUST:
        return None
    return _BUZZER_LINES.get((player, min(dealer, TWENTY_ONE)))


_BUZZER_LINES = {
    (21, 21): "21_against_21",
    (20, 20): "20_against_20",
    (20, 21): "20_against_21",
    (19, 19): "19_against_19",
    (19, 20): "19_against_20",
    (19, 21): "19_against_21",
}


def _lines(found: Iterable[tuple[Line | None, Fraction]]) -> Mapping[Line | None, Fraction]:
    law: dict[Line | None, Fraction] = {}
    for line, chance in found:
        law[line] = law.get(line, Fraction(0)) + chance
    return law
