"""What the auditor thinks the wagers of Craps are paid, from the dice alone; naive code of his own.

A wager is walked through the rolls after it was placed; None says that nothing has settled it yet.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor

BOXES = (4, 5, 6, 8, 9, 10)
TRUE = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
PLACE = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
HARD = {4: 7, 6: 9, 8: 9, 10: 7}
NEXT_ROLL: dict[str, dict[int, tuple[int, int]]] = {
    "any_seven": {7: (4, 1)},
    "any_craps": dict.fromkeys((2, 3, 12), (7, 1)),
    "two": {2: (30, 1)},
    "three": {3: (15, 1)},
    "eleven": {11: (15, 1)},
    "twelve": {12: (30, 1)},
    "horn": {2: (27, 4), 12: (27, 4), 3: (3, 1), 11: (3, 1)},
}
BONUS = {"all_small": (34, 30), "all_tall": (34, 30), "make_em_all": (175, 150)}
LUCKY = {"A": (1000, 150, 15, 5, 0), "B": (500, 100, 10, 4, 2), "C": (1000, 150, 20, 5, 0), "D": (500, 100, 10, 5, 2)}
HOT_SHOOTER = ((50, 99), (45, 29), (40, 11), (32, 6), (24, 4), (16, 2), (8, 0))


class Thrown(NamedTuple):
    """One roll: the dice, their sum, the point that was on before it (0 none)."""

    dice: tuple[int, int]
    total: int
    point: int


def rolls_of(history: Sequence[floor.Result]) -> list[Thrown]:
    """The rolls of a hand with the point before each."""
    found, point = [], 0
    for result in history:
        dice = result.craps.first_die, result.craps.second_die
        total = sum(dice)
        found.append(Thrown(dice, total, point))
        if point and total in (point, 7):
            point = 0
        elif not point and total in BOXES:
            point = total
    return found


def winnings(stake: int, odds: tuple[int, int]) -> int:
    """So much to so much, cents below one dropped."""
    return stake * odds[0] // odds[1]


def line(stake: int, rolls: Sequence[Thrown]) -> int | None:
    """Pass and Come."""
    if not rolls:
        return None
    number = rolls[0].total
    if number in (7, 11):
        return 2 * stake
    if number in (2, 3, 12):
        return 0
    return decided(rolls[1:], number, 2 * stake, 0)


def dont(stake: int, rolls: Sequence[Thrown]) -> int | None:
    """Don't Pass and Don't Come, bar 12."""
    if not rolls:
        return None
    number = rolls[0].total
    if number in (2, 3):
        return 2 * stake
    if number in (7, 11):
        return 0
    return stake if number == 12 else decided(rolls[1:], number, 0, 2 * stake)


def decided(rolls: Sequence[Thrown], number: int, on_number: int, on_seven: int) -> int | None:
    """What the first of the number and the 7 brings."""
    for roll in rolls:
        if roll.total == number:
            return on_number
        if roll.total == 7:
            return on_seven
    return None


def on_numbers(name: str, wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """Place, buy, lay and hardways."""
    kind, _, box = name.partition("_")
    number, stake = int(box), wager.stake_cents
    if kind == "lay":
        won = winnings(stake, (TRUE[number][1], TRUE[number][0]))
        return decided(rolls, number, 0, stake + won - (won * 5 + 50) // 100)
    active = [roll for roll in rolls if roll.point or wager.placement == "working"]
    if kind == "hard":
        hit = next((roll for roll in active if roll.total in (number, 7)), None)
        hard = hit is not None and hit.dice[0] == hit.dice[1]
        return None if hit is None else stake * (1 + HARD[number]) if hard else 0
    won = winnings(stake, PLACE[number]) if kind == "place" else winnings(stake, TRUE[number])
    commission = (stake * 5 + 50) // 100 if kind == "buy" else 0
    return decided(active, number, stake + won - commission, 0)


def odds(name: str, wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """Odds behind Pass, Don't Pass, Come and Don't Come."""
    stake, against = wager.stake_cents, name.startswith("dont")
    for roll in rolls:
        number = roll.point if "pass" in name else int(wager.placement.split()[0])
        if not number or roll.total not in (number, 7):
            continue
        if name == "come_odds" and not roll.point and not wager.placement.endswith("working"):
            return stake
        if (roll.total == 7) != against:
            return 0
        more, less = TRUE[number]
        return stake + winnings(stake, (less, more) if against else (more, less))
    return None


def field(wager: floor.Wager, total: int) -> int:
    """The field, in cents."""
    twelve = 3 if wager.paytable == "triple 12" else 2
    pays = {2: 2, 12: twelve, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1}.get(total)
    return 0 if pays is None else wager.stake_cents * (1 + pays)


def bonus(name: str, wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """All Small, All Tall, Make 'Em All."""
    missing = set(range(2, 13)) - {7}
    missing -= set(range(8, 13)) if name == "all_small" else set(range(2, 7)) if name == "all_tall" else set()
    for roll in rolls:
        if roll.total == 7:
            return 0
        missing.discard(roll.total)
        if not missing:
            return wager.stake_cents * (1 + BONUS[name][int(wager.paytable) - 1])
    return None


def hot_roller(wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """How many numbers came in every combination before a 7."""
    seen: set[tuple[int, ...]] = set()
    for roll in rolls:
        if roll.total == 7:
            ways = {box: {(low, box - low) for low in range(1, 7) if low <= box - low <= 6} for box in BOXES}
            done = sum(each <= seen for each in ways.values())
            pays = {6: 300 if wager.paytable == "B" else 200, 5: 50, 4: 20, 3: 10, 2: 5}
            return wager.stake_cents * (1 + pays[done]) if done in pays else 0
        seen.add(tuple(sorted(roll.dice)))
    return None


def lucky_shooter(wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """How many other points follow the first one without a break; what is paid is paid for one."""
    points: list[int] = []
    pays = LUCKY[wager.paytable]
    for roll in rolls:
        if not points and roll.total in (2, 3, 12):
            return 0
        if roll.total in BOXES and roll.total not in points:
            points.append(roll.total)
        elif points:
            if len(points) == 6 and roll.total == points[0]:
                return wager.stake_cents * pays[0]
            return wager.stake_cents * {6: pays[1], 5: pays[2], 4: pays[3], 3: pays[4]}.get(len(points), 0)
    return None


def hot_shooter(wager: floor.Wager, rolls: Sequence[Thrown]) -> int | None:
    """How many rolls the hand has, the seven-out included."""
    last = rolls[-1]
    if last.total != 7 or not last.point:
        return None
    return next((wager.stake_cents * (1 + pays) for fewest, pays in HOT_SHOOTER if len(rolls) >= fewest), 0)


LINES: dict[str, Callable[[int, Sequence[Thrown]], int | None]] = {
    "pass": line,
    "come": line,
    "dont_pass": dont,
    "dont_come": dont,
}
HANDS: dict[str, Callable[[floor.Wager, Sequence[Thrown]], int | None]] = {
    "hot_roller": hot_roller,
    "lucky_shooter": lucky_shooter,
    "hot_shooter": hot_shooter,
}


def payout(wager: floor.Wager, history: Sequence[floor.Result]) -> int | None:
    """What a recorded wager is paid, in cents, its stake included; None as long as it stands."""
    name, rolls = wager.code.removeprefix("craps."), rolls_of(history)[wager.roll :]
    if name in LINES:
        return LINES[name](wager.stake_cents, rolls)
    if not rolls:
        return None
    if name in HANDS:
        return HANDS[name](wager, rolls)
    if name in BONUS:
        return bonus(name, wager, rolls)
    if name.endswith("odds"):
        return odds(name, wager, rolls)
    if name == "field":
        return field(wager, rolls[0].total)
    if name in NEXT_ROLL:
        pays = NEXT_ROLL[name].get(rolls[0].total)
        return 0 if pays is None else wager.stake_cents + winnings(wager.stake_cents, pays)
    return on_numbers(name, wager, rolls)
