"""All that stands at one property: links, meters with their totals, open rounds, open jackpots, what is undecided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from services.kernel.ids import RoundKey
from services.progressives.alert import Alert
from services.progressives.decision import UNDECIDED, Adjustment, Decision, JackpotDecision, Transfer
from services.progressives.jackpot import Jackpot
from services.progressives.link import Link, LinkState
from services.progressives.meter import Meter
from services.progressives.mystery import Trigger
from services.progressives.offers import Submission

MeterName = tuple[str, str]
"""Link and level."""
Pins = dict[tuple[str, str], str]
"""Under wager code and paytable the link that betting closed pinned the round to; empty where none was live."""
Filed = Mapping[str, Submission]
"""The approved submissions by id."""
CLAIM_MINUTES = 30
"""How long a jackpot may stay unclaimed where the property says nothing else."""
UTC = "UTC"
"""The time zone of a property that says nothing else."""


class Standing(NamedTuple):
    """A meter and what is counted of it (605a.7; N.J.A.C. 13:69E-1.39A).

    `revision` is the position of the progressives feed that last moved it, `last_hit` of what last paid or reset it.
    Wagers and handle are of all that contributed, those of rounds corrected later too; what was paid is gross, before
    withholding and with payments voided since; cents.
    """

    meter: Meter = Meter()
    revision: int = 0
    pending: int = 0
    hits: int = 0
    wagers: int = 0
    handle_cents: int = 0
    paid_by_device_cents: int = 0
    paid_by_attendant_cents: int = 0
    last_hit: int = 0

    @property
    def paid_cents(self) -> int:
        """The cumulative progressive payout meter."""
        return self.paid_by_device_cents + self.paid_by_attendant_cents


@dataclass
class State:
    """Links in force and versions that are not yet; pins lie under the round's key without roll.

    Jackpots are those that are open, decisions those that are undecided or wait for their gaming day, alerts those
    that are not cleared. `about` has under the id of an undecided decision the link of the jackpot that it is about;
    `withdrawn` under a link the highest version that was withdrawn.
    """

    links: dict[str, Link] = field(default_factory=dict)
    pending: dict[str, Link] = field(default_factory=dict)
    meters: dict[MeterName, Standing] = field(default_factory=dict)
    pins: dict[RoundKey, Pins] = field(default_factory=dict)
    triggers: dict[MeterName, Trigger] = field(default_factory=dict)
    jackpots: dict[str, Jackpot] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    alerts: dict[str, Alert] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[str, int] = field(default_factory=dict)
    gaming_day: date = date.min
    claim_minutes: int = CLAIM_MINUTES
    time_zone: str = UTC

    def copy(self) -> "State":
        """A state to change while this one stands; what lies inside is replaced, never changed."""
        values: dict[str, Any] = {
            name: dict(value) if isinstance(value, dict) else value for name, value in vars(self).items()
        }
        return State(**values)

    def live(self) -> dict[tuple[str, str, str], Link]:
        """Every live link under table, wager code and paytable."""
        return {
            (table_id, link.code, link.paytable): link
            for link in self.links.values()
            if link.state is LinkState.LIVE
            for table_id in link.table_ids
        }

    def versions(self) -> list[Link]:
        """Every version of every link that is in force or is to be."""
        return [*self.links.values(), *self.pending.values()]

    def undecided(self, jackpot_id: str, *, but: str = "", asked: bool = False) -> str:
        """The decision by which people have still to say what becomes of a jackpot, `but` for one; empty where none.

        With `asked` only of those that the platform asks for.
        """
        for each in self.decisions.values():
            named = isinstance(each.subject, JackpotDecision) and each.subject.jackpot_id == jackpot_id
            if named and each.decision_id != but and (each.asked or not asked):
                return each.decision_id
        return ""

    def busy(self, link_id: str) -> str:
        """What keeps a link from being changed at a boundary: an open jackpot or round, or what is undecided."""
        for jackpot in self.jackpots.values():
            if jackpot.link_id == link_id:
                return f"jackpot {jackpot.jackpot_id} is {jackpot.state}"
        for key, pins in self.pins.items():
            if link_id in pins.values():
                return f"round {key} is open"
        for decision in self.decisions.values():
            if decision.state in UNDECIDED and link_id in self._links_of(decision):
                return f"decision {decision.decision_id} is {decision.state}"
        return ""

    def _links_of(self, decision: Decision) -> tuple[str, ...]:
        """The links whose meters or jackpots a decision is about."""
        subject = decision.subject
        if isinstance(subject, Adjustment):
            return (subject.link_id,)
        if isinstance(subject, Transfer):
            return subject.from_link_id, subject.to_link_id
        return (self.about.get(decision.decision_id, ""),)
