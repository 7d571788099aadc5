"""The house rules of a Blackjack table, as its Rules Submission states them on the base wager (58 Pa. Code 601a.2).

The first value of each option is Pennsylvania's: the dealer stands on all 17s and looks at his hole card, doubles may
follow a split, pairs are split up to three hands, aces once and with one card each, a player may surrender.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from services.games.wagers import Contradiction

if TYPE_CHECKING:
    from services.games.terms import Offer, Terms

BLACKJACK = "blackjack.blackjack"
SWITCH_HANDS = "blackjack.switch_hands"
PREMIUM = "blackjack.premium"
BASE_WAGERS = (BLACKJACK, SWITCH_HANDS, PREMIUM)
"""The codes of the Blackjack wager (633a.6(d)) and of its variations (633c.4)."""

DECK_COUNTS = (1, 2, 4, 6, 8)
"""The deck counts that the sections speak of (633c.11(i)); a table may have others, of at least one deck (633a.3)."""

OWN_CARDS = "own_cards"
COMMUNITY = "community"
NO_HOLE_CARD = "community_without_hole_card"
PEEK = "peek"
ORIGINAL_ONLY = "original_bets_only"
ORIGINAL_AND_SPLIT = "original_and_split_bets"
ALL_BETS = "all_bets"

OPTIONS: dict[str, tuple[str, ...]] = {
    "soft_17": ("stand", "hit"),
    "dealer_blackjack": (PEEK, ORIGINAL_ONLY, ORIGINAL_AND_SPLIT, ALL_BETS),
    "double_after_split": ("yes", "no"),
    "most_hands": ("3", "1", "2", "4"),
    "resplit_aces": ("no", "yes"),
    "draw_to_split_aces": ("no", "yes"),
    "surrender": ("late", "none"),
    "dealing": (OWN_CARDS, COMMUNITY, NO_HOLE_CARD),
}
"""The options of a base wager. `dealer_blackjack`: the dealer looks for it before anybody plays, or what it takes of
those who have played."""


WITHOUT_HOLE_CARD = (
    BLACKJACK,
    "blackjack.double",
    "blackjack.split",
    "blackjack.insurance",
    "external.royal_match",
    "external.bet_the_set",
    "external.kings_bounty",
)
"""What a hybrid table without a hole card may offer (633c.5(x), (z))."""


class HouseRules(NamedTuple):
    """How one table plays."""

    hits_soft_17: bool = False
    dealer_blackjack: str = PEEK
    double_after_split: bool = True
    most_hands: int = 3
    resplit_aces: bool = False
    draw_to_split_aces: bool = False
    surrender: bool = True
    dealing: str = OWN_CARDS
    code: str = BLACKJACK

    @property
    def peeks(self) -> bool:
        """Whether the dealer looks at the hole card under an ace or a ten before anybody plays."""
        return self.dealer_blackjack == PEEK


STANDARD = HouseRules()
"""Pennsylvania's."""


def house_rules(terms: "Terms") -> HouseRules:
    """The house rules of a table: those of its base wager; Pennsylvania's where it offers none."""
    for code in BASE_WAGERS:
        offer = terms.offers.get(code)
        if offer is not None:
            return _read(offer)
    return STANDARD


@lru_cache(maxsize=1024)
def _read(offer: "Offer") -> HouseRules:
    chosen = {name: values[0] for name, values in OPTIONS.items()} | dict(offer.options)
    return HouseRules(
        chosen["soft_17"] == "hit",
        chosen["dealer_blackjack"],
        chosen["double_after_split"] == "yes",
        int(chosen["most_hands"]),
        chosen["resplit_aces"] == "yes",
        chosen["draw_to_split_aces"] == "yes",
        chosen["surrender"] == "late",
        chosen["dealing"],
        offer.code,
    )


def hybrid_table(terms: "Terms") -> Contradiction | None:
    """Holds a table with community cards to 633c.5: hybrid, six or eight decks, all 17s stand, two hands of a split
    without a hole card.
    """
    rules = house_rules(terms)
    hybrid = rules.dealing != OWN_CARDS
    if hybrid != (terms.kind == "hybrid"):
        expected = f"{COMMUNITY} or {NO_HOLE_CARD} at a hybrid table, {OWN_CARDS} at any other"
        return Contradiction("dealing", expected, f"{rules.dealing} at a table of kind {terms.kind}")
    if not hybrid:
        return None
    if terms.decks not in (6, 8):
        return Contradiction("decks of a hybrid table", "6 or 8", str(terms.decks))
    if rules.hits_soft_17:
        return Contradiction("soft_17 of a hybrid table", "stand", "hit")
    return _dealer_blackjack(rules, terms)


def _dealer_blackjack(rules: HouseRules, terms: "Terms") -> Contradiction | None:
    if rules.dealing == COMMUNITY:
        return None if rules.peeks else Contradiction("dealer_blackjack", PEEK, rules.dealer_blackjack)
    others = [code for code in terms.offers if code not in WITHOUT_HOLE_CARD]
    if others:
        return Contradiction("wagers without a hole card", ", ".join(WITHOUT_HOLE_CARD), ", ".join(others))
    if rules.dealer_blackjack != ORIGINAL_ONLY:
        return Contradiction("dealer_blackjack without a hole card", ORIGINAL_ONLY, rules.dealer_blackjack)
    if rules.most_hands > 2:
        return Contradiction("most_hands without a hole card", "1 or 2", str(rules.most_hands))
    return None
