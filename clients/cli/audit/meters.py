"""Every meter folded anew from its journal: each contribution from the wager, each other movement from its cause.

A movement after the seed belongs to a hit, to what two people decided, or to a corrected round. What each of them calls
for is worked out here from the recorded rounds, the settlements and the decisions.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2
from clients.cli.audit.awards import Awards, check_state
from clients.cli.audit.decided import Decided
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import IN_FORCE, Fold, Meter, Stand, top_of
from clients.cli.audit.history import Body, History
from clients.cli.audit.owed import CORRECTED, Duties
from clients.cli.audit.passage import Quiet, pass_through
from clients.cli.audit.triggers import Triggers
from clients.sdk.client import Casino
from services.games.terms import Terms
from services.kernel.money import MICROS_PER_CENT

OF_A_HIT = (
    progressives.METER_CAUSE_AWARD,
    progressives.METER_CAUSE_HOUSE_EXCESS,
    progressives.METER_CAUSE_SEED_HOUSE,
    progressives.METER_CAUSE_SEED_RESERVE,
    progressives.METER_CAUSE_OVERFLOW,
)
"""Causes by which a hit moves its meter."""


def check_meters(history: History, through: int) -> tuple[list[Findings], Fold]:
    """The journal of a history that is kept, up to a rounds position; and the fold itself."""
    meters = Meters(history.property_id, history.terms(), history.corrected(), through)
    pass_through(history, meters)
    return meters.finish(), meters.fold


async def check_signs(casino: Casino, property_id: str, fold: Fold, read_to: int) -> Findings:
    """What the service shows of each meter is what the journal gives at the position it names.

    `read_to`: how far the progressives feed was read.
    """
    findings = Findings("audit: meters shown compared with the journal")
    request = progressives_service_pb2.ListLinksRequest(property_id=property_id)
    for link in (await casino.call(casino.progressives.ListLinks, request)).links:
        for meter in link.meters:
            name = meter.link_id, meter.level
            known = fold.now.get(name) if fold.at.get(name) == meter.revision else None
            if known is None and meter.revision > read_to:
                continue  # it moved after the feed was read
            what = f"meter {meter.link_id} {meter.level} at {meter.revision}"
            stands = meter.reading_micros, meter.reserve_micros, meter.overflow_micros
            shown = Stand(*stands, meter.wagers, meter.handle_cents), meter.display_cents
            stand = known or Stand()
            findings.expect(shown, (stand, stand.reading // MICROS_PER_CENT), what)
    return findings


@dataclass
class Meters(Quiet):
    """The journal's entries taken one after another beside rounds and settlements, and what was found of each kind.

    Journal, contributions, links, decisions, triggers and jackpots, those of rounds up to the position `through`.
    """

    property_id: str
    terms: Mapping[tuple[str, str], Terms]
    corrected: Container[str]
    through: int
    fold: Fold = field(default_factory=Fold)
    approved: dict[tuple[str, int], progressives.Link] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.duties, self.awards = Duties(self.fold, self.corrected), Awards(self.through)
        self.decided = Decided(self.fold)
        self.triggers = Triggers(self.property_id, self.fold, self.terms)
        self.movements = Findings("audit: meter movements folded anew")
        self.contributions = Findings("audit: contributions computed from wagers")
        self.links = Findings("audit: links and decisions of two people")
        self.hidden = Findings("audit: triggers against commitments and contributions")
        self.states = Findings("audit: jackpots from state to state")

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        if entry.position <= self.through:
            self.duties.take(entry, settled)
        for each in settled:
            self.awards.take(each)

    def stray(self, entry: Body) -> None:
        """A settlement of no round."""
        self.awards.take(entry)

    def journal(self, entry: Body) -> None:
        """One entry of the progressives feed, after everything recorded up to its position of the rounds feed."""
        told = entry.body
        if entry.kind == "jackpot":
            self._jackpot(told)
        elif entry.kind == "link":
            self._link(told)
        elif entry.kind == "movement":
            self._move(entry)
        elif entry.kind == "contribution":
            self._contribute(entry)
        elif entry.kind == "decision":
            self.duties.decision(self.links, entry, self.through)
            self.decided.take(self.links, told)
        elif entry.kind == "trigger":
            self.triggers.take(self.hidden, entry)

    def finish(self) -> list[Findings]:
        """Whatever is still due is a difference."""
        self.duties.finish(self.contributions)
        self.decided.finish(self.links)
        self.triggers.finish(self.hidden)
        found = [self.movements, self.contributions, self.links, self.hidden, self.states]
        return [*found, *self.awards.check(self.fold)]

    def _link(self, link: progressives.Link) -> None:
        """A version holds as it was approved, by another person than the one who proposed it."""
        what = f"link {link.link_id} version {link.version}"
        if link.state == progressives.LINK_STATE_APPROVED:
            self.approved[link.link_id, link.version] = link
        if link.state == progressives.LINK_STATE_WITHDRAWN:
            self._withdraw(link, what)
        if link.state not in IN_FORCE:
            return
        people = bool(link.proposed_by and link.approved_by) and link.proposed_by != link.approved_by
        self.links.expect(people, True, f"{what}: two people")
        known = self.approved.get((link.link_id, link.version))
        self.links.expect(_terms(link), known and _terms(known), f"{what}: as it was approved")
        former = self.fold.links.get(link.link_id)
        if former is not None and former.version == link.version:
            self._check_change(former, link, what)
        self.fold.put_link(link)

    def _withdraw(self, link: progressives.Link, what: str) -> None:
        """A version is taken back by a named person for a reason before it is in force, and never comes into it."""
        running = self.fold.links.get(link.link_id)
        later = running is None or running.version < link.version
        self.links.expect((later, bool(link.changed_by and link.reason)), (True, True), f"{what}: as withdrawn")
        self.approved.pop((link.link_id, link.version), None)

    def _check_change(self, former: progressives.Link, link: progressives.Link, what: str) -> None:
        resumed = (former.state, link.state) == (progressives.LINK_STATE_SUSPENDED, progressives.LINK_STATE_LIVE)
        if resumed and link.changed_by in ("", former.changed_by):
            self.links.differs(f"{what}: expected another person than {former.changed_by} to resume it")
        if link.state == progressives.LINK_STATE_RETIRED:
            ends = [
                each
                for each in self.decided.latest.values()
                if each.retirement.link_id == link.link_id and self.decided.approved(each.decision_id)
            ]
            self.links.expect(bool(ends), True, f"{what}: an approved retirement")

    def _jackpot(self, jackpot: progressives.Jackpot) -> None:
        most = self._posted_maximum(jackpot)
        if check_state(self.states, self.fold, self.decided, jackpot, most):
            position = jackpot.rounds_position
            if position <= self.through:
                self.duties.asked[position, jackpot.jackpot_id] = "a decision"
        self.fold.put_jackpot(jackpot)

    def _posted_maximum(self, jackpot: progressives.Jackpot) -> int:
        """Cents above which people decide: posted by the Rules Submission or the link's limit; 0 where neither is."""
        stamp = self.duties.submission_of(jackpot)
        terms = self.terms.get((stamp, jackpot.key.table_id))
        offer = terms.offers.get(jackpot.code) if terms else None
        posted = offer.maximum_payout_cents if offer else None
        limit = self.fold.terms((jackpot.link_id, jackpot.level)).limit_cents
        return min((each for each in (posted, limit) if each), default=0)

    def _contribute(self, entry: Body) -> None:
        made: progressives.Contribution = entry.body
        findings, fold = self.contributions, self.fold
        self.duties.contribution(findings, entry, self.through)
        what = f"contribution {entry.position} of wager {made.wager_no}"
        link = fold.links.get(made.link_id)
        if link is None:
            return findings.differs(f"{what}: expected a link, given {made.link_id}")
        count = len(link.meters)
        lists = [
            list(each) or [0] * count
            for each in (
                *(made.amount_micros, made.reserve_amount_micros, made.overflow_micros),
                *(made.reading_micros, made.reserve_micros),
            )
        ]
        if {len(each) for each in lists} != {count}:
            return findings.differs(f"{what}: expected {count} levels, given {[len(each) for each in lists]}")
        self.duties.keep(entry, lists[0], lists[1])
        for terms, *given in zip(link.meters, *lists, strict=True):
            self._add(entry, (made.link_id, terms.level), terms, tuple(given), what)
        return None

    def _add(
        self, entry: Body, meter: Meter, terms: progressives.MeterTerms, given: tuple[int, ...], what: str
    ) -> None:
        """One level: amount, reserve, what the limit keeps off, and what stands after."""
        made, before = entry.body, self.fold.stand(meter)
        # Cents times hundredths of a percent are whole micro-dollars.
        amount, kept = made.stake_cents * terms.increment_rate, made.stake_cents * terms.reserve_rate
        over = min(amount, max(0, before.reading + amount - top_of(terms)))
        expected = amount, kept, over, before.reading + amount - over, before.reserve + kept
        if given != expected:
            self.contributions.differs(f"{what}, {terms.level}: expected {expected}, given {given}")
        counted = before.wagers + 1, before.handle_cents + made.stake_cents
        self.fold.set(meter, entry.position, Stand(given[3], given[4], before.overflow + given[2], *counted))
        if terms.mystery:
            self.triggers.contribution(made, meter, given[3])

    def _move(self, entry: Body) -> None:
        moved: progressives.MeterMovement = entry.body
        meter, what = (moved.link_id, moved.level), f"movement {entry.position} of {moved.link_id} {moved.level}"
        before = self.fold.now.get(meter)
        if before is None:
            self._check_seed(moved, what)
            self.fold.last_hit[meter] = entry.position
        else:
            self._check_cause(moved, what)
        stand = before or Stand()
        after = stand.after(moved.cause, moved.amount_micros)
        given = (moved.reading_before_micros, moved.reserve_before_micros)
        told = (moved.reading_after_micros, moved.reserve_after_micros)
        self.movements.expect((given, told), (stand[:2], after[:2]), what)
        if after.overflow < 0:
            self.movements.differs(f"{what}: expected the overflow to hold it, given {after.overflow} after it")
        if moved.hit_id:
            self.fold.moved_by_hit(meter, moved, entry.position, after)
        self.fold.set(meter, entry.position, after._replace(reading=told[0], reserve=told[1]))

    def _check_cause(self, moved: progressives.MeterMovement, what: str) -> None:
        """A decision, a hit or a corrected round calls for it; nothing else moves a meter."""
        if moved.decision_id:
            self.decided.move(self.links, moved, what)
        elif moved.hit_id:
            if moved.cause not in OF_A_HIT:
                self.movements.differs(f"{what}: expected a cause by which a hit moves a meter, given {moved.cause}")
        elif moved.cause in CORRECTED and moved.key.table_id:
            if moved.rounds_position <= self.through:
                self.duties.change(self.contributions, moved, what)
        else:
            expected = "a movement after the seed to belong to a hit, a decision or a corrected round"
            self.movements.differs(f"{what}: expected {expected}, given none")

    def _check_seed(self, moved: progressives.MeterMovement, what: str) -> None:
        """A new meter begins with the house's seed."""
        seed = self.fold.terms((moved.link_id, moved.level)).seed_cents * MICROS_PER_CENT
        given = (moved.cause, moved.amount_micros)
        self.movements.expect(given, (progressives.METER_CAUSE_SEED_HOUSE, seed), f"{what}, its first")


def _terms(link: progressives.Link) -> tuple[object, ...]:
    return link.code, link.paytable, list(link.meters), list(link.table_ids), link.proposed_by, link.approved_by
