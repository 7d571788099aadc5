"""A floor whose recorded rounds, settlements and journal are told as feeds, for the auditor to read."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.history import History
from clients.cli.audit.settlements import OUTCOMES
from clients.sdk.feeds import FEEDS, Entry
from services.kernel.ids import jackpot_id
from services.progressives.entries import entry, key_message
from services.progressives.journal import Written
from services.progressives.link import Link, LinkState
from services.progressives.play import Change, Correction, DayOpened, Event, Part, Play
from tests.progressives.folded import DAY, PROPERTY, Floor, linked

KINDS = {Part.BETTING_CLOSED: "betting_closed", Part.RESULT: "result", Part.WHOLE: "whole_round"}


class Told(Floor):
    """A floor that keeps what its rounds and settlements feeds would say."""

    def __init__(self, *links: Link, **given: Any) -> None:
        self.rounds: list[tuple[int, str, Any]] = []
        self.settlements: list[Any] = []
        approved = tuple(replace(each, rounds_position=0) for each in links or (linked(),))
        super().__init__(*approved, **given, opened=False)
        self.written += approved
        self.day(DAY)

    def take(self, *events: Event) -> list[Written]:
        """Folds events, and tells them."""
        for event in events:
            self._tell(event)
        return super().take(*events)

    def _tell(self, event: Event) -> None:
        if isinstance(event, DayOpened):
            opened = rounds.DayOpened(gaming_day=event.gaming_day.isoformat())
            self.rounds.append((event.position, "day_opened", opened))
        elif isinstance(event, Play):
            self.rounds.append((event.position, KINDS[event.part], _round(event)))
            self._settle(event)
        elif isinstance(event, Correction):
            self._correct(event)

    def _correct(self, event: Correction) -> None:
        key, play = key_message(event.key), event.play
        if event.change is Change.RELEASE and play is not None:
            self.rounds.append((event.position, "release", rounds.Release(round=_round(play))))
        else:
            told = rounds.RoundCorrection(key=key, round=_round(play) if play else None)
            self.rounds.append((event.position, event.change.value, told))
        if play is not None:
            self._settle(play)

    def _settle(self, play: Play) -> None:
        if not play.results:
            return
        told = settlement.SettledRound(key=key_message(play.key), rounds_position=play.position)
        for placed, each in zip(play.working, self.book().settled(play), strict=True):
            told.wager_no.append(placed.wager_no)
            told.seat.append(placed.seat)
            told.code.append(placed.code)
            told.paytable.append(placed.paytable)
            told.stake_cents.append(placed.stake_cents)
            told.outcome.append(OUTCOMES[each.outcome])
            for award in each.awards:
                name = jackpot_id(play.key, placed.wager_no, award.level) if award.kind == "meter" else ""
                told.awards.append(settlement.Award(wager_no=placed.wager_no, jackpot_id=name, **award._asdict()))
        self.settlements.append(told)

    def suspend(self, link_id: str = "H9", state: LinkState = LinkState.SUSPENDED) -> None:
        """A link changes its state where the rounds feed stands; another person resumes than suspended it."""
        by = "eve" if state is LinkState.SUSPENDED else "dan"
        book = self.book()
        changed = replace(book.state.links[link_id], state=state, rounds_position=self.at, changed_by=by, reason="why")
        book.state.links[link_id] = changed
        book.written.append(changed)
        self.keep(book)

    def amend_link(self, link_id: str, day: date, **changes: Any) -> None:
        """The next version of a link, approved and then in force from the opening of a day."""
        former = self.state.links[link_id]
        made = replace(former, version=former.version + 1, state=LinkState.APPROVED, effective_from=day)
        made = replace(made, rounds_position=self.at, **changes)
        book = self.book()
        book.state.pending[link_id] = made
        book.written.append(made)
        self.keep(book)
        self.day(day)

    def journal(self) -> list[progressives.Entry]:
        """The entries of the progressives feed."""
        return [progressives.Entry.FromString(entry(each, PROPERTY).data) for each in self.written]

    def history(self, journal: Sequence[progressives.Entry]) -> History:
        """What a reader of the feeds has read; the journal as given."""
        made = History(PROPERTY)
        for position, kind, body in self.rounds:
            data = FEEDS["rounds"].entry(**{kind: body}).SerializeToString()
            made.entries["rounds"].append(Entry(position, kind, data, "rounds"))
        for position, settled in enumerate(self.settlements, 1):
            data = FEEDS["settlements"].entry(settled=settled).SerializeToString()
            made.entries["settlements"].append(Entry(position, "settled", data, "settlements"))
        for position, each in enumerate(journal, 1):
            kind = each.WhichOneof("body") or ""
            made.entries["progressives"].append(Entry(position, kind, each.SerializeToString(), "progressives"))
        return made


def _round(play: Play) -> rounds.Round:
    made = rounds.Round(key=key_message(play.key), shift=play.shift, submission_id=play.submission_id)
    for each in play.wagers:
        placed = {"wager_no": each.wager_no, "seat": each.seat, "code": each.code, "paytable": each.paytable}
        made.wagers.add(**placed, stake_cents=each.stake_cents)
    for _ in play.results:
        made.history.add()
    return made
