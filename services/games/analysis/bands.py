"""Warnings: a house edge outside the band that a property finds acceptable (0 to 45 % unless it says otherwise)."""

from fractions import Fraction

from services.games.analysis.draws import return_at
from services.games.analysis.figures import RNG_WEIGHTS
from services.games.analysis.stored import analyse
from services.games.catalogue import wager
from services.games.terms import Terms
from services.games.wagers import Setting
from services.kernel.money import percent_text

Band = tuple[Fraction, Fraction]
BAND: Band = (Fraction(0), Fraction(45, 100))


def warnings(code: str, paytable: str, setting: Setting, band: Band = BAND) -> list[str]:
    """A sentence where the exact house edge, a progressive's at the seed, lies outside the band; else none.

    None either where no house edge follows from the rules. Raises WagerUnknown, PaytableUnknown, InvalidRequest.
    """
    if wager(code).lock == "in_play":
        # Added by a player where it is to his advantage: what it returns belongs to the wager it is added to.
        return []
    found = analyse(code, paytable, setting)
    return [] if found["house_edge"] is None else _outside(found["section"], code, Fraction(found["house_edge"]), band)


def table_warnings(terms: Terms, band: Band = BAND) -> list[str]:
    """The warnings of every wager a table offers; where a random number generator draws, by the weights it filed."""
    said: list[str] = []
    for code, offer in sorted(terms.offers.items()):
        rule, options = wager(code), dict(offer.options)
        if analyse(code, offer.paytable, terms.setting)["depends_on"] != RNG_WEIGHTS:
            said += warnings(code, offer.paytable, terms.setting, band)
        elif rule.draw_law and rule.draw_law(options, terms.setting) is not None:
            edge = 1 - return_at(code, offer.paytable, terms.setting, options)
            said += _outside(rule.section, code, edge, band)
    return said


def _outside(section: str, code: str, edge: Fraction, band: Band) -> list[str]:
    low, high = band
    if low <= edge <= high:
        return []
    expected = f"a house edge of {percent_text(low, 2)} to {percent_text(high, 2)}"
    return [f"{section}: {code}: expected {expected}, given {percent_text(edge, 4)}"]
