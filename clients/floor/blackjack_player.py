"""Players of Blackjack: what a seat does with its hands, by the written basic strategy or with a whim now and then."""

from dataclasses import dataclass, field
from random import Random

from services.games.blackjack.cards import TWENTY_ONE, VALUES, is_blackjack, total_of
from services.games.blackjack.house import COMMUNITY, HouseRules
from services.games.blackjack.round import Action
from services.games.blackjack.strategy import Allowed, played
from services.kernel.cards import Card

ENDING = (Action.STAND, Action.DOUBLE, Action.SURRENDER)


@dataclass
class HandInPlay:
    """One hand while it is played; `split_from` is the hand whose second card it took."""

    number: int
    cards: list[Card]
    split_from: int | None = None
    actions: list[Action] = field(default_factory=list)

    @property
    def split(self) -> bool:
        """Whether the hand comes of a split or was split itself."""
        return self.split_from is not None or Action.SPLIT in self.actions

    @property
    def total(self) -> int:
        """What the hand counts."""
        return total_of(self.cards)[0]

    @property
    def waits(self) -> bool:
        """Whether the hand waits for the dealer's: not bust, not surrendered, no Blackjack."""
        natural = is_blackjack(self.cards) and not self.split
        return self.total <= TWENTY_ONE and Action.SURRENDER not in self.actions and not natural


class Strategist:
    """Follows the written basic strategy, splits included, and takes neither insurance nor even money."""

    def before(self, hand: HandInPlay, upcard: Card) -> list[Action]:
        """What the player does against an ace before anybody plays."""
        return []

    def decides(self, hand: HandInPlay, upcard: Card, allowed: Allowed) -> Action:
        """What the player does with a hand of less than 21."""
        return played(hand.cards, upcard, allowed)

    def switches(self, upcards: list[Card]) -> bool:
        """Whether the player gives up these two cards for the switch hand."""
        return total_of(upcards)[0] in range(12, 17)


class Whimsical(Strategist):
    """Follows the strategy mostly; once in a while insures, takes even money, or does anything that is allowed."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def before(self, hand: HandInPlay, upcard: Card) -> list[Action]:
        """Insurance or even money, half of the time."""
        if self._random.randrange(2):
            return []
        return [Action.EVEN_MONEY if is_blackjack(hand.cards) else Action.INSURANCE]

    def decides(self, hand: HandInPlay, upcard: Card, allowed: Allowed) -> Action:
        """The strategy's advice nine times of ten."""
        if self._random.randrange(10):
            return super().decides(hand, upcard, allowed)
        choices = [Action.HIT, Action.STAND]
        choices += [Action.DOUBLE] if allowed.double else []
        choices += [Action.SURRENDER] if allowed.surrender else []
        choices += [Action.SPLIT] if allowed.split else []
        return self._random.choice(choices)


def allowed_for(hand: HandInPlay, hands: int, rules: HouseRules) -> Allowed:
    """What the house rules let a player do with a hand of less than 21 besides hitting and standing."""
    if len(hand.cards) > 2:
        return Allowed(double=False, surrender=False, split=False)
    aces = hand.cards[0].rank == "A"
    pair = VALUES[hand.cards[0].rank] == VALUES[hand.cards[1].rank]
    again = rules.resplit_aces or not (hand.split and aces)
    return Allowed(
        double=rules.double_after_split or not hand.split,
        surrender=rules.surrender and not hand.split and rules.dealing != COMMUNITY,
        split=pair and hands < rules.most_hands and again,
    )


def one_card(hand: HandInPlay, rules: HouseRules) -> bool:
    """Whether the hand is a split ace, which takes one card."""
    return hand.split and hand.cards[0].rank == "A" and not rules.draw_to_split_aces
