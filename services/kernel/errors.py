"""Every refusal the platform gives, on one page.

A refusal has a machine-readable `reason` (the class name in upper snake case), a sentence for a person that says
what was expected and what was given, and a family that decides what happens to the fact:

    Refusal
     +- Rejected        not a fact of any table; the raw bytes are kept, never retried
     +- Quarantined     the round is known, its result or order is not acceptable; kept outside the feed
     +- Held            one wager; kept outside the feed while the round's other wagers settle
     +- InvalidRequest  a unary request that cannot mean anything      (gRPC INVALID_ARGUMENT)
     +- Unknown         the thing asked for does not exist             (gRPC NOT_FOUND)
     +- Taken           same identity, other content                   (gRPC ALREADY_EXISTS)
     +- Precondition    the state does not allow it                    (gRPC FAILED_PRECONDITION)
     +- Forbidden       this principal may not do it                   (gRPC PERMISSION_DENIED)
     +- Unidentified    no principal was given                         (gRPC UNAUTHENTICATED)
     +- Exhausted       more at once than was granted; retry less      (gRPC RESOURCE_EXHAUSTED)
     +- Busy            nothing is wrong with the request; retry       (gRPC UNAVAILABLE)

The docstring of a class is the sentence used when no other is given.
"""

import re


class Refusal(Exception):
    """The request was refused."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def reason(self) -> str:
        """Machine-readable name, for example `ILLEGAL_COUP`."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(self).__name__).upper()

    @property
    def message(self) -> str:
        """What was expected and what was given, in one sentence."""
        return str(self.args[0])


class Rejected(Refusal):
    """This is not a fact of any table."""


class Unreadable(Rejected):
    """The bytes are not an event."""


class EmptyEvent(Rejected):
    """The event carries nothing that this version knows."""


class TableUnknown(Rejected):
    """The property has no such table on that day."""


class CardUnknown(Rejected):
    """There is no such card."""


class PocketUnknown(Rejected):
    """There is no such pocket on any wheel."""


class DiceUnknown(Rejected):
    """A die shows 1 to 6."""


class StakeImpossible(Rejected):
    """A stake is a whole number of cents above zero."""


class KeyImpossible(Rejected):
    """A part of the round's key cannot be."""


class Quarantined(Refusal):
    """The round is known, what was said of it cannot be accepted."""


class IllegalCoup(Quarantined):
    """These cards cannot have been dealt in one coup."""


class IllegalSpin(Quarantined):
    """This wheel cannot have given this spin."""


class IllegalRoll(Quarantined):
    """This roll cannot have been thrown in this shooter's hand."""


class IllegalPlay(Quarantined):
    """This round of Blackjack cannot have been dealt or played under the table's rules."""


class DrawNotFiled(Quarantined):
    """The random number generator drew what the Rules Submission does not list."""


class StatedPayoutImpossible(Quarantined):
    """A payout is stated for wagers that no paytable prices, and for them alone."""


class ResultMissing(Quarantined):
    """The round has no result of the game its table deals."""


class Conflict(Quarantined):
    """Something else is already recorded under this key."""


class OutOfState(Quarantined):
    """The round is not in a state for this event."""


class DigestUnknown(Quarantined):
    """The floor and the platform do not hold the same offer for this table and day."""


class NoSubmission(Quarantined):
    """No approved Rules Submission covers this table on that gaming day."""


class RoundUnknown(Quarantined):
    """No such round is recorded."""


class RoundVoided(Quarantined):
    """The round is void."""


class ReasonMissing(Quarantined):
    """A correction says why it is made."""


class ActorMissing(Quarantined):
    """A correction says who makes it."""


class NotTakenIn(Quarantined):
    """The event could not be taken in; why was logged."""


class TimeAhead(Quarantined):
    """The event's gaming day lies ahead of the service's clock."""


class Held(Refusal):
    """This wager is held."""


class WagerUnknown(Held):
    """The catalogue has no such wager."""


class WagerNotOffered(Held):
    """The Rules Submission does not offer this wager at this table on that day."""


class PaytableUnknown(Held):
    """The Rules Submission does not offer this paytable."""


class StakeUnderMinimum(Held):
    """The stake is under the minimum."""


class StakeOverMaximum(Held):
    """The stake is over the maximum."""


class StakeOffDenomination(Held):
    """The stake is none of the amounts this wager may have."""


class WagerLate(Held):
    """The wager was placed after its lock."""


class BaseWagerMissing(Held):
    """The wager needs another one at the same seat, which is not there."""


class BaseWagerHeld(Held):
    """The wager needs another one at the same seat, which is held."""


class SeatUnknown(Held):
    """The table has no such seat."""


class PlacementUnknown(Held):
    """The wager cannot be placed there."""


class WagerNoRepeated(Rejected):
    """Two wagers of one round have the same number."""


class InvalidRequest(Refusal):
    """The request cannot mean anything."""


class AmountUnreadable(InvalidRequest):
    """An amount is dollars with at most two digits after the point."""


class TermsContradictRules(InvalidRequest):
    """The terms contradict the regulation."""


class LinkContradictsRules(InvalidRequest):
    """The link contradicts the filed paytable."""


class ClaimTimeImpossible(InvalidRequest):
    """A jackpot cannot wait that long for its claim."""


class DocumentImpossible(InvalidRequest):
    """A table document cannot say this."""


class ChangeImpossible(InvalidRequest):
    """A decision cannot say this."""


class PayeeMissing(InvalidRequest):
    """A Form W-2G is due: it takes the payee."""


class Unknown(Refusal):
    """There is no such thing."""


class PropertyUnknown(Unknown):
    """There is no such property on that gaming day."""


class ReportUnknown(Unknown):
    """There is no such report."""


class FiledReportUnknown(Unknown):
    """No report was filed under that version."""


class DocumentUnknown(Unknown):
    """The property has no such document."""


class LinkUnknown(Unknown):
    """The property has no such link."""


class LevelUnknown(Unknown):
    """The link has no such level."""


class JackpotUnknown(Unknown):
    """There is no such jackpot."""


class DecisionUnknown(Unknown):
    """There is no such decision."""


class AlertUnknown(Unknown):
    """There is no such alert."""


class HoldUnknown(Unknown):
    """No such fact is kept outside the feed."""


class Taken(Refusal):
    """Something else has this identity."""


class RequestIdTaken(Taken):
    """Another request was made under this request_id."""


class DocumentTaken(Taken):
    """The serial number stands on another document."""


class LinkTaken(Taken):
    """A link of this name has been approved."""


class Precondition(Refusal):
    """The state does not allow this."""


class EpochStale(Precondition):
    """A later epoch of this source has been seen."""


class HandshakeMissing(Precondition):
    """The first message of a stream is its hello."""


class ProtocolUnknown(Precondition):
    """The protocol version is not served."""


class SourceUnknown(Precondition):
    """The source is not registered at this property."""


class CursorAhead(Precondition):
    """The cursor lies beyond the head of the feed."""


class AlreadyDecided(Precondition):
    """It has been decided before."""


class DecisionNotProposed(Precondition):
    """Nothing is proposed that could be approved."""


class ReleaseImpossible(Precondition):
    """This can still not be a fact of the round."""


class DayOutOfState(Precondition):
    """The gaming day is not in a state for this."""


class DayBlocked(Precondition):
    """Something stands in the way of the gaming day's next state."""


class NothingToRestate(Precondition):
    """The figures are those that were filed."""


class FeedDiffers(Precondition):
    """The feed does not give again what was followed from it."""


class NoLiveLink(Precondition):
    """No live link covers this wager at this table."""


class LinkOutOfState(Precondition):
    """The link is not in a state for this."""


class MeterNotBegun(Precondition):
    """The meter had not been seeded then."""


class MeterBelowZero(Precondition):
    """No meter goes below zero."""


class MeterAboveLimit(Precondition):
    """No meter is raised above its limit by people."""


class JackpotOutOfState(Precondition):
    """The jackpot is not in a state for this."""


class JackpotNotWon(Precondition):
    """The recorded round, evaluated again, does not win this jackpot."""


class Forbidden(Refusal):
    """This principal may not do this."""


class SamePrincipal(Forbidden):
    """An approval takes a second person."""


class RankTooLow(Forbidden):
    """This takes a floorperson or above."""


class Unidentified(Refusal):
    """The call carries no principal."""


class Exhausted(Refusal):
    """More was sent at once than was granted."""


class WindowExceeded(Exhausted):
    """A source has more events under way than its window."""


class Busy(Refusal):
    """The service cannot do it now; the same request may be sent again."""
