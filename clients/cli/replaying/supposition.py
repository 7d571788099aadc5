"""Days by the terms of another submission, told as they pass by: every wager of the latest settlement of each round."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clients.cli.audit.auditor import Reader
from clients.cli.audit.history import CORRECTIONS, Body, Recorded, name_of, recorded_as, round_of, terms_of
from clients.cli.audit.outline import Outline
from clients.cli.audit.passage import Quiet
from clients.cli.audit.settlements import SETTLING
from clients.cli.replaying.days import Moved, opened
from clients.cli.replaying.filing import Filing
from clients.cli.replaying.rerun import Replayer
from clients.cli.replaying.sums import WhatIf
from clients.cli.replaying.what_if import reprice
from clients.sdk.client import Casino
from services.games.terms import Terms

FEEDS_OF_ROUNDS = ("submissions", "rounds", "settlements")
"""What wagers are settled from, and what they were settled as."""


class Supposition(Quiet):
    """What days would have been by a filing; a round that was made void has no wagers.

    `corrected`: the last correction of each corrected round, by name without roll, up to the rounds position `through`.
    Such rounds wait for it. What the floor sent beyond is left out: nobody knows which of it will be corrected.
    """

    def __init__(
        self,
        days: Iterable[str],
        filing: Filing,
        terms: Mapping[tuple[str, str], Terms],
        corrected: Mapping[str, int],
        through: int,
    ) -> None:
        self.days = {day: WhatIf(day, filing.name) for day in days}
        self._filing, self._terms, self._corrected, self._through = filing, terms, corrected, through
        self._held: defaultdict[str, dict[str, tuple[Body, Recorded]]] = defaultdict(dict)

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        if entry.kind not in SETTLING or entry.position > self._through:
            return
        recorded = recorded_as(entry)
        for each in settled:
            key: Any = each.body.key
            if each.kind != "settled" or key.gaming_day not in self.days or key.table_id not in self._filing.tables:
                continue
            if (name := round_of(key)) in self._corrected:
                self._held[name][name_of(key)] = each, recorded
            else:
                self._price(each, recorded)
        name = round_of(recorded.key)
        if entry.kind in CORRECTIONS and self._corrected[name] == entry.position:
            for each, of in self._held.pop(name, {}).values():
                self._price(each, of)

    def finish(self) -> list[WhatIf]:
        """Every day, once everything has passed."""
        for held in self._held.values():
            for each, of in held.values():
                self._price(each, of)
        return list(self.days.values())

    def _price(self, told: Body, recorded: Recorded) -> None:
        body: Any = told.body
        if not body.void and recorded.round is not None:
            filed, terms = self._terms.get((body.submission_id, body.key.table_id)), self._filing.tables
            for each in reprice(body, recorded.round, terms[body.key.table_id], filed):
                self.days[body.key.gaming_day].add(told.position, each)


async def suppose(
    casino: Casino, property_id: str, asked: tuple[str, str], filing: Filing, moved: Moved
) -> list[WhatIf]:
    """The days asked for, those of them that were opened, by a filing. Raises RefusedByServer, ChainBroken, Unknown."""
    outline = Outline(property_id)
    await outline.read_on(casino)
    reader: Reader = Replayer(casino, property_id, moved)
    submissions = [body async for page in reader.pages("submissions") for body in page if body.kind == "approved"]
    days, terms = opened(sorted(outline.days), *asked), terms_of(submissions)
    found = Supposition(days, filing, terms, outline.corrected, outline.chain.position)
    await reader.pass_by(found, feeds=("settlements",))
    for problem in (*outline.stopped, *reader.stopped):
        raise problem
    return found.finish()
