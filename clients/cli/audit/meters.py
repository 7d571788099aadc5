"""Every meter folded anew from its journal, every contribution from the wager, every jackpot from the reading."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from casino.floor.v1 import events_pb2
from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import BETTING, Body, History, name_of
from clients.sdk.client import Casino
from services.games.catalogue import catalogue
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT

Meter = tuple[str, str]
"""Link and level."""


class Stand(NamedTuple):
    """Reading and reserve in micro-dollars."""

    reading: int
    reserve: int


@dataclass
class Fold:
    """What the journal says stands on each meter, after each entry that moved it."""

    links: dict[str, progressives.Link] = field(default_factory=dict)
    now: dict[Meter, Stand] = field(default_factory=dict)
    at: dict[tuple[Meter, int], Stand] = field(default_factory=dict)
    before_hit: dict[str, Stand] = field(default_factory=dict)
    after_hit: dict[str, Stand] = field(default_factory=dict)
    paid: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def set(self, meter: Meter, position: int, stand: Stand) -> None:
        """What stands on the meter from a position of the progressives feed on."""
        self.now[meter] = self.at[meter, position] = stand


def check_meters(history: History, through: int) -> tuple[list[Findings], Fold]:
    """Journal, contributions and jackpots up to a rounds position; and the fold itself."""
    journal, fold = Findings("audit: meter movements folded anew"), Fold()
    contributions = Findings("audit: contributions computed from wagers")
    due = dict(_due(history, through))
    for body in history.bodies("progressives"):
        if body.kind == "link":
            fold.links[body.body.link_id] = body.body
        elif body.kind == "movement":
            _move(journal, fold, body)
        elif body.kind == "contribution":
            _contribute(contributions, fold, body, due, through)
    for (position, wager_no), owed in due.items():
        contributions.differs(f"wager {wager_no} of {owed.wager.code} at rounds position {position} has none")
    return [journal, contributions, *_check_jackpots(history, fold, through)], fold


async def check_signs(casino: Casino, history: History, fold: Fold) -> Findings:
    """What the service shows of each meter is what the journal gives at the position it names."""
    findings = Findings("audit: meters shown compared with the journal")
    request = progressives_service_pb2.ListLinksRequest(property_id=history.property_id)
    for link in (await casino.call(casino.progressives.ListLinks, request)).links:
        for meter in link.meters:
            known = fold.at.get(((meter.link_id, meter.level), meter.revision))
            if known is None and meter.revision > history.chains["progressives"].position:
                continue  # it moved after the feed was read
            what = f"meter {meter.link_id} {meter.level} at {meter.revision}"
            shown = Stand(meter.reading_micros, meter.reserve_micros), meter.display_cents
            stand = known or Stand(0, 0)
            findings.expect(shown, (stand, stand.reading // MICROS_PER_CENT), what)
    return findings


class Due(NamedTuple):
    """A wager that owes a contribution: the round it is of, and the link that is live there."""

    round: rounds_pb2.Round
    wager: events_pb2.Wager
    link_id: str

    def told(self) -> tuple[object, ...]:
        """What the contribution has to say of it."""
        read, wager = self.round, self.wager
        placed = wager.seat, wager.code, wager.paytable, wager.stake_cents
        return (name_of(read.key), read.shift, read.submission_id, *placed, self.link_id)


def _due(history: History, through: int) -> Iterator[tuple[tuple[int, int], Due]]:
    """Every wager that owes a contribution: on a live link's code and paytable at its table, betting closed."""
    states = [body.body for body in history.bodies("progressives", "link")]
    live: dict[tuple[str, str, str], str] = {}
    for position, _, key, read in history.recorded(*BETTING):
        while states and states[0].rounds_position < position:
            _follow(live, states.pop(0))
        if position <= through and read is not None:
            for wager in read.wagers:
                rule, link_id = catalogue().get(wager.code), live.get((key.table_id, wager.code, wager.paytable))
                if rule and rule.meters and link_id:
                    yield (position, wager.wager_no), Due(read, wager, link_id)


def _follow(live: dict[tuple[str, str, str], str], link: progressives.Link) -> None:
    for table_id in link.table_ids:
        name = (table_id, link.code, link.paytable)
        if link.state == progressives.LINK_STATE_LIVE:
            live[name] = link.link_id
        elif live.get(name) == link.link_id:
            del live[name]


def _contribute(
    findings: Findings,
    fold: Fold,
    entry: Body,
    due: dict[tuple[int, int], Due],
    through: int,
) -> None:
    made: progressives.Contribution = entry.body
    what = f"contribution {entry.position} of wager {made.wager_no} in {name_of(made.key)}"
    owed = due.pop((made.rounds_position, made.wager_no), None)
    if owed is not None:
        placed = made.seat, made.code, made.paytable, made.stake_cents
        given = (name_of(made.key), made.shift, made.submission_id, *placed, made.link_id)
        findings.expect(given, owed.told(), what)
    elif made.rounds_position <= through:
        findings.differs(f"{what}: expected none")
    link = fold.links.get(made.link_id)
    if link is None:
        return findings.differs(f"{what}: expected a link, given {made.link_id}")
    reserves = list(made.reserve_amount_micros) or [0] * len(link.meters)
    after = list(made.reserve_micros) or [0] * len(link.meters)
    given_amounts = [*zip(made.amount_micros, reserves, made.reading_micros, after, strict=True)]
    if len(given_amounts) != len(link.meters):
        return findings.differs(f"{what}: expected {len(link.meters)} levels, given {len(given_amounts)}")
    for terms, amounts in zip(link.meters, given_amounts, strict=True):
        meter = made.link_id, terms.level
        before = fold.now.get(meter, Stand(0, 0))
        # Cents times hundredths of a percent are whole micro-dollars.
        amount, kept = made.stake_cents * terms.increment_rate, made.stake_cents * terms.reserve_rate
        expected = (amount, kept, before.reading + amount, before.reserve + kept)
        if amounts != expected:
            findings.differs(f"{what}, {terms.level}: expected {expected}, given {amounts}")
        fold.set(meter, entry.position, Stand(amounts[2], amounts[3]))
    return None


def _move(findings: Findings, fold: Fold, entry: Body) -> None:
    moved: progressives.MeterMovement = entry.body
    meter, what = (moved.link_id, moved.level), f"movement {entry.position} of {moved.link_id} {moved.level}"
    before = fold.now.get(meter)
    if before is None:
        _check_seed(findings, fold, moved, what)
    elif not moved.hit_id:
        findings.differs(f"{what}: expected a movement after the seed to belong to a hit, given none")
    stand = before or Stand(0, 0)
    taken = moved.amount_micros if moved.cause == progressives.METER_CAUSE_SEED_RESERVE else 0
    after = Stand(stand.reading + moved.amount_micros, stand.reserve - taken)
    given = (
        Stand(moved.reading_before_micros, moved.reserve_before_micros),
        Stand(moved.reading_after_micros, moved.reserve_after_micros),
    )
    findings.expect(given, (stand, after), what)
    if moved.hit_id:
        fold.before_hit.setdefault(moved.hit_id, stand)
        fold.after_hit[moved.hit_id] = given[1]
    if moved.cause == progressives.METER_CAUSE_AWARD:
        fold.paid[moved.jackpot_id] -= moved.amount_micros
    fold.set(meter, entry.position, given[1])


def _check_seed(findings: Findings, fold: Fold, moved: progressives.MeterMovement, what: str) -> None:
    """A new meter begins with the house's seed."""
    link = fold.links.get(moved.link_id)
    seeds = {each.level: each.seed_cents * MICROS_PER_CENT for each in link.meters} if link else {}
    given = (moved.cause, moved.amount_micros)
    findings.expect(given, (progressives.METER_CAUSE_SEED_HOUSE, seeds.get(moved.level)), f"{what}, its first")


def _check_jackpots(history: History, fold: Fold, through: int) -> list[Findings]:
    """Jackpots are exactly the meter awards of the settlements, priced on the reading at the hit."""
    agreed, priced = Findings("audit: jackpots compared with awards"), Findings("audit: hits priced anew")
    first: dict[str, progressives.Jackpot] = {}
    for _, _, jackpot in history.bodies("progressives", "jackpot"):
        first.setdefault(jackpot.jackpot_id, jackpot)
    due = {
        award.jackpot_id: (name_of(body.key), award.wager_no, award.level, award.percent, award.paid_from)
        for _, _, body in history.bodies("settlements", "settled")
        if body.rounds_position <= through
        for award in body.awards
        if award.kind == "meter"
    }
    for name, award in due.items():
        found = first.get(name)
        given = found and (*_named(found), found.percent, found.paid_from)
        agreed.expect(given, award, f"jackpot {name}")
    for name, jackpot in first.items():
        if name not in due and jackpot.rounds_position <= through:
            agreed.differs(f"jackpot {name} of {name_of(jackpot.key)}: no settlement names it")
    hits: defaultdict[str, list[progressives.Jackpot]] = defaultdict(list)
    for jackpot in first.values():
        if jackpot.hit_id:
            hits[jackpot.hit_id].append(jackpot)
    for hit, winners in hits.items():
        _check_hit(priced, fold, hit, winners)
    return [agreed, priced]


def _named(jackpot: progressives.Jackpot) -> tuple[str, int, str]:
    return name_of(jackpot.key), jackpot.wager_no, jackpot.level


def _check_hit(findings: Findings, fold: Fold, hit: str, winners: list[progressives.Jackpot]) -> None:
    """Shares of one hit on one reading: equal parts of the whole, left-over cents in seat order; the reset."""
    stand = fold.before_hit.get(hit, Stand(0, 0))
    winners.sort(key=lambda each: (each.seat, each.wager_no))
    whole = [each for each in winners if each.percent >= RATE_UNIT]
    share, left = divmod(stand.reading // MICROS_PER_CENT, len(whole) or 1)
    due: dict[str, int] = {
        each.jackpot_id: stand.reading * each.percent // (RATE_UNIT * MICROS_PER_CENT) for each in winners
    }
    due |= {each.jackpot_id: share + (place < left) for place, each in enumerate(whole)}
    for each in winners:
        given = each.reading_micros, each.amount_cents, fold.paid.get(each.jackpot_id)
        expected = stand.reading, due[each.jackpot_id], due[each.jackpot_id] * MICROS_PER_CENT
        findings.expect(given, expected, f"jackpot {each.jackpot_id} of hit {hit}")
    link = fold.links.get(winners[0].link_id)
    seeds: dict[str, int] = {each.level: each.seed_cents for each in link.meters} if link else {}
    if whole:
        seed = seeds.get(winners[0].level, 0) * MICROS_PER_CENT
        after = Stand(max(seed, stand.reserve) + stand.reading % MICROS_PER_CENT, 0)
    else:
        after = Stand(stand.reading - sum(due.values()) * MICROS_PER_CENT, stand.reserve)
    findings.expect(fold.after_hit.get(hit), after, f"meter after hit {hit}")
