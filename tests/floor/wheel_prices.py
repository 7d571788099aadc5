"""What the auditor thinks the wagers of Roulette are paid, from the pockets alone; naive code of his own."""

from casino.floor.v1 import events_pb2 as floor

BLAZING_7S = {
    "1": (1000, 100, 17, 7, 7),
    "2": (299, 100, 17, 7, 7),
    "3": (1000, 100, 17, 11, 6),
    "4": (299, 100, 17, 11, 6),
}
SEVENS = {"7", "17", "27"}


def is_red(number: int) -> bool:
    """Red are the odd numbers of 1 to 10 and 19 to 28, and the even ones of the others."""
    return bool(number % 2) == (number <= 10 or 19 <= number <= 28)


def color(pocket: str) -> str:
    """The pocket's color."""
    return "green" if pocket in ("0", "00") else "red" if is_red(int(pocket)) else "black"


def outside(area: str, number: int) -> bool:
    """Whether an outside area has the number; 0 stands for both zeros, which none has."""
    if not number:
        return False
    if area[0] in "123":
        which = int(area[0])
        return (number - 1) % 3 + 1 == which if area.endswith("column") else (number - 1) // 12 + 1 == which
    return {
        "red": is_red(number),
        "black": not is_red(number),
        "odd": number % 2 == 1,
        "even": number % 2 == 0,
        "low": number <= 18,
        "high": number > 18,
    }[area]


def layout(code: str, area: str, pocket: str) -> int:
    """What an inside or outside wager returns for one staked."""
    if code in ("roulette.column", "roulette.dozen"):
        return 3 if outside(area, int(pocket)) else 0
    if code in ("roulette.red_black", "roulette.odd_even", "roulette.low_high"):
        return 2 if outside(area, int(pocket)) else 0
    covered = area.split("-")
    return 36 // len(covered) if pocket in covered else 0


def bonus(paytable: str, spin: floor.RouletteResult) -> int:
    """What Blazing 7's returns for one staked."""
    if spin.pocket not in SEVENS:
        return 0
    three, two, one, one_color, other = BLAZING_7S[paytable]
    sevens = len(SEVENS.intersection(spin.bonus_pockets))
    plain = one_color if len(set(map(color, spin.bonus_pockets))) == 1 else other
    return 1 + {3: three, 2: two, 1: one, 0: plain}[sevens]


def lightning(area: str, spin: floor.RouletteResult) -> int:
    """What a straight wager at a Lightning table returns for one staked."""
    lit = {lucky.pocket: lucky.pays_to_one for lucky in spin.lucky_numbers}
    return 1 + lit.get(area, 29) if spin.pocket == area else 0


def payout(wager: floor.Wager, spin: floor.RouletteResult, before: str | None) -> int | None:
    """What a recorded wager is paid, in cents; None where it is void."""
    if wager.code == "roulette.b2b":
        if before is None:
            return None
        return wager.stake_cents * (1 + spin.drawn_payout) if before == spin.pocket else 0
    if wager.code == "roulette.blazing_7s":
        return wager.stake_cents * bonus(wager.paytable, spin)
    if wager.code == "roulette.lightning_straight":
        return wager.stake_cents * lightning(wager.placement, spin)
    return wager.stake_cents * layout(wager.code, wager.placement, spin.pocket)
