"""Payouts that the floor states, for wagers that no paytable prices (ruling K13)."""

from collections.abc import Container, Iterable, Mapping

from services.games.catalogue import catalogue
from services.games.settlement import STATED
from services.kernel.errors import StatedPayoutImpossible
from services.kernel.money import LARGEST_STAKE_CENTS


def stated_payouts(
    given: Iterable[tuple[int, int]], codes: Mapping[int, str], numbers: Container[int]
) -> dict[int, int]:
    """What a round's results state, cents by wager number: for its wagers that no paytable prices, once each, from 0
    up. StatedPayoutImpossible for any other.

    `given` are wager numbers with cents; `codes` those of the wagers accepted, by number; `numbers` are those of all
    wagers of the round, held ones too.
    """
    found: dict[int, int] = {}
    for number, cents in given:
        rule = catalogue().get(codes.get(number, ""))
        if number not in numbers or number in found:
            expected, got = "a wager of it once", f"{number} {'twice' if number in found else 'which it has not'}"
        elif rule is not None and rule.settles != STATED:
            expected, got = "a wager that no paytable prices", f"{number}, {rule.code}"
        elif not 0 <= cents <= LARGEST_STAKE_CENTS:
            expected, got = f"cents from 0 to {LARGEST_STAKE_CENTS}", f"{cents} on wager {number}"
        else:
            found[number] = cents
            continue
        raise StatedPayoutImpossible(f"Payouts stated for the round: expected {expected}, got {got}.")
    return found
