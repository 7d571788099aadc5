"""Jackpots: each is a meter award of a settlement, priced on the reading at the hit, and goes its way step by step."""

from collections import defaultdict

from casino.progressives.v1 import entries_pb2 as progressives
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.decided import Decided
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import Fold, Stand, top_of
from clients.cli.audit.history import Body, name_of
from services.games.terms import MYSTERY
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT

RANKS = ("floorperson", "pit_manager", "shift_manager", "casino_manager")
HIT, CLAIMED = progressives.JACKPOT_STATE_HIT, progressives.JACKPOT_STATE_CLAIMED
VERIFIED, PAID = progressives.JACKPOT_STATE_VERIFIED, progressives.JACKPOT_STATE_PAID
STEPS = {CLAIMED: HIT, VERIFIED: CLAIMED, PAID: VERIFIED}
"""States that people bring a jackpot to without a decision, and the one before."""
KEPT = ("hit_id", "link_id", "level", "wager_no", "seat", "code", "percent", "reading_micros", "source", "paid_from")


def check_state(findings: Findings, fold: Fold, decided: Decided, jackpot: progressives.Jackpot, most: int) -> bool:
    """A state of a jackpot follows from the one before; True where the platform has to ask people about it.

    `most` is the posted maximum in cents, 0 for none.
    """
    former, what = fold.jackpots.get(jackpot.jackpot_id), f"jackpot {jackpot.jackpot_id}"
    if former is None:
        expected = _first_state(jackpot, most)
        unpriced = expected == progressives.JACKPOT_STATE_UNPRICED
        amount = 0 if unpriced else jackpot.amount_cents
        findings.expect((jackpot.state, jackpot.amount_cents), (expected, amount), f"{what}, its first state")
        return expected != HIT
    same = [getattr(jackpot, name) == getattr(former, name) for name in KEPT]
    findings.expect(all(same) and jackpot.key == former.key, True, f"{what} stays what it was won as")
    if STEPS.get(jackpot.state) == former.state:
        findings.expect(jackpot.amount_cents, former.amount_cents, f"{what}: its frozen amount")
        _check_step(findings, former, jackpot, what)
    else:
        _check_decided(findings, decided, former, jackpot, what)
    return False


def _first_state(jackpot: progressives.Jackpot, most: int) -> progressives.JackpotState.ValueType:
    """Without a live link unpriced, above the posted maximum held, else a hit."""
    if not jackpot.link_id:
        return progressives.JACKPOT_STATE_UNPRICED
    return progressives.JACKPOT_STATE_HELD if 0 < most < jackpot.amount_cents else HIT


def _check_step(findings: Findings, former: progressives.Jackpot, jackpot: progressives.Jackpot, what: str) -> None:
    if jackpot.state == VERIFIED:
        others = bool(jackpot.actor) and jackpot.actor not in (former.actor, former.source)
        findings.expect((others, jackpot.rank in RANKS), (True, True), f"{what}, verified by {jackpot.actor}")
    elif jackpot.state == PAID:
        others = bool(jackpot.actor) and jackpot.actor != former.actor
        by_slip = bool(jackpot.slip_no) == (jackpot.paid_from == "slip")
        findings.expect((others, by_slip), (True, True), f"{what}, paid by {jackpot.actor}")


def _check_decided(
    findings: Findings, decided: Decided, former: progressives.Jackpot, jackpot: progressives.Jackpot, what: str
) -> None:
    """Any other change is what two people decided of this jackpot."""
    told = decided.approved(jackpot.decision_id)
    named = told.jackpot if told is not None and told.HasField("jackpot") else progressives.JackpotDecision()
    amount, state = former.amount_cents, former.state
    if named.action == progressives.JACKPOT_ACTION_VOID:
        state = progressives.JACKPOT_STATE_VOIDED
    elif named.action == progressives.JACKPOT_ACTION_SET_AMOUNT:
        state = state if state in (CLAIMED, VERIFIED) else HIT
        amount = named.amount_cents
    elif named.action == progressives.JACKPOT_ACTION_CONFIRM:
        state = HIT if state == progressives.JACKPOT_STATE_HELD else state
    given = named.jackpot_id, jackpot.state, jackpot.amount_cents
    findings.expect(given, (jackpot.jackpot_id, state, amount), f"{what}, decided by {jackpot.decision_id or 'nobody'}")


class Awards:
    """The meter awards of the settlements as they come: what the jackpots have to be."""

    def __init__(self, through: int) -> None:
        """Up to a position of the rounds feed."""
        self._through = through
        self._due: dict[str, tuple[object, ...]] = {}

    def take(self, entry: Body) -> None:
        """A settlement."""
        _, kind, body = entry
        if kind == "settled" and body.awards and body.rounds_position <= self._through:
            for award in body.awards:
                if award.kind == "meter":
                    self._due.setdefault(award.jackpot_id, _awarded(body, award))

    def check(self, fold: Fold) -> list[Findings]:
        """Jackpots are exactly these, priced on the reading at the hit."""
        agreed, priced = Findings("audit: jackpots compared with awards"), Findings("audit: hits priced anew")
        for name, expected in self._due.items():
            found = fold.first.get(name)
            agreed.expect(found and _told(found), expected, f"jackpot {name}")
        for name, jackpot in fold.first.items():
            # A hidden trigger awards a mystery meter, no settlement.
            unknown = name not in self._due and jackpot.level != MYSTERY
            if unknown and jackpot.rounds_position <= self._through:
                agreed.differs(f"jackpot {name} of {name_of(jackpot.key)}: no settlement names it")
        _check_hits(priced, fold)
        return [agreed, priced]


def _awarded(body: settlement.SettledRound, award: settlement.Award) -> tuple[object, ...]:
    """What the settlement says of a meter award and its wager."""
    told = name_of(body.key), award.wager_no, award.level, award.percent, award.paid_from
    if award.wager_no not in body.wager_no:
        return told
    place = list(body.wager_no).index(award.wager_no)
    return (*told, body.seat[place], body.code[place], body.paytable[place], body.stake_cents[place])


def _told(jackpot: progressives.Jackpot) -> tuple[object, ...]:
    """The same, as the jackpot says it."""
    award = name_of(jackpot.key), jackpot.wager_no, jackpot.level, jackpot.percent, jackpot.paid_from
    return (*award, jackpot.seat, jackpot.code, jackpot.paytable, jackpot.stake_cents)


def _check_hits(findings: Findings, fold: Fold) -> None:
    hits: defaultdict[str, list[progressives.Jackpot]] = defaultdict(list)
    for jackpot in fold.first.values():
        if jackpot.hit_id:
            hits[jackpot.hit_id].append(jackpot)
    for hit in fold.before_hit.keys() - hits.keys():
        findings.differs(f"hit {hit}: expected a jackpot, given none")
    for hit, winners in hits.items():
        _check_hit(findings, fold, hit, winners)


def _check_hit(findings: Findings, fold: Fold, hit: str, winners: list[progressives.Jackpot]) -> None:
    """Shares of one hit on one reading: equal parts of the whole, left-over cents in seat order; the reset."""
    begun = fold.before_hit.get(hit)
    if begun is None:
        findings.differs(f"hit {hit}: expected its movements, given none")
        return
    stand = begun.stand
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
    seed = begun.terms.seed_cents * MICROS_PER_CENT
    rest = stand.reading % MICROS_PER_CENT
    if whole:
        opened = max(seed, stand.reserve) + rest
        put_on = min(stand.overflow, top_of(begun.terms) - opened)
        after = stand._replace(reading=opened + put_on, reserve=0, overflow=stand.overflow - put_on)
    else:
        after = stand._replace(reading=max(rest, stand.reading - sum(due.values()) * MICROS_PER_CENT))
    findings.expect(fold.after_hit.get(hit, Stand()), after, f"meter after hit {hit}")
