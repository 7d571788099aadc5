"""The daily win report recomputed from the feeds and the documents: plain sums, no sharing with the service."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import documents_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History, name_of
from clients.cli.audit.wager_sums import wager_rows
from clients.cli.render import as_object
from clients.sdk.payouts import wagers_of
from services.kernel.money import decimal_text

Row = dict[str, Any]
Tables = dict[str, tuple[list[Row], Row | None]]
"""Rows and totals of each table of the report."""

CAUSE = "METER_CAUSE_"
CONTRIBUTED = (progressives.METER_CAUSE_CONTRIBUTION, progressives.METER_CAUSE_RESERVE)
"""Causes of what a corrected round takes back or adds: contributions are told without it."""
EXCEPTIONS = (("rounds", "rounds"), ("settlements", "settlement"), ("progressives", "progressives"))


@dataclass
class Facts:
    """What the feeds, up to the positions a report stands on, and the documents say of one gaming day."""

    day: str
    property_id: str
    rounds: list[settlement.SettledRound]
    documents: list[documents_pb2.Document]
    places: Mapping[str, tuple[str, str]]
    contributions: list[progressives.Contribution]
    links: Mapping[tuple[str, int], list[str]]
    readings: Mapping[tuple[str, str], int]
    jackpots: list[progressives.Jackpot]
    moved: Counter[tuple[str, str, str]]
    exceptions: Counter[tuple[str, str]]


def check_report(
    findings: Findings,
    history: History,
    report: reporting.Report,
    documents: Iterable[documents_pb2.Document],
) -> None:
    """Compares every cell of the report with what the facts at its positions give."""
    facts = gather(history, report, list(documents))
    told, right = as_object(report)["tables"], recompute(facts)
    for name in told.keys() - right.keys():
        findings.differs(f"{facts.day} {name}: the report has a table that nothing here recomputes")
    for name, (rows, totals) in right.items():
        what = f"{facts.day} {name}"
        table = told.get(name)
        if table is None:
            findings.differs(f"{what}: the report has no such table")
            continue
        _compare_rows(findings, what, [*table["rows"], table["totals"]], [*rows, totals])


def _compare_rows(findings: Findings, what: str, told: list[Row | None], right: list[Row | None]) -> None:
    if len(told) != len(right):
        findings.differs(f"{what}: expected {len(right)} rows with totals, given {len(told)}")
        return
    for place, (given, expected) in enumerate(zip(told, right, strict=True), 1):
        for column in sorted({*(given or ()), *(expected or ())}):
            found, value = (given or {}).get(column), (expected or {}).get(column)
            findings.expect(_cell(found), _cell(value), f"{what} row {place} {column}")


def _cell(value: object) -> object:
    """An empty text and no value at all are the same cell."""
    return None if value == "" else value


def gather(history: History, report: reporting.Report, documents: list[documents_pb2.Document]) -> Facts:
    """The facts of the report's day, as far as the positions that it stands on."""
    day, reach = report.gaming_day, {each.feed: each.position for each in report.positions}
    corrected = {each.corrects for each in documents}
    latest: dict[str, settlement.SettledRound] = {}
    for _, _, body in history.bodies("settlements", "settled", through=reach.get("settlements", 0)):
        if body.key.gaming_day == day:
            latest[name_of(body.key)] = body
    facts = Facts(
        day=day,
        property_id=history.property_id,
        rounds=list(latest.values()),
        documents=[each for each in documents if each.document_id not in corrected],
        places=_places(history, day, reach.get("rounds", 0)),
        contributions=[],
        links={},
        readings={},
        jackpots=[],
        moved=Counter(),
        exceptions=_exceptions_of(history, day, reach),
    )
    _gather_meters(facts, history, reach.get("progressives", 0))
    return facts


def _places(history: History, day: str, through: int) -> dict[str, tuple[str, str]]:
    """Pit and game of each table on the day."""
    found: dict[str, tuple[str, str, str]] = {}
    for _, _, body in history.bodies("rounds", "table_set", through=through):
        known = found.get(body.table_id)
        if body.effective_from <= day and (known is None or known[0] <= body.effective_from):
            found[body.table_id] = body.effective_from, body.pit, body.game
    return {table: (pit, game) for table, (_, pit, game) in found.items()}


def _exceptions_of(history: History, day: str, reach: Mapping[str, int]) -> Counter[tuple[str, str]]:
    """Exceptions of the day, and those that name no round, by source and reason."""
    counts: Counter[tuple[str, str]] = Counter()
    for feed, source in EXCEPTIONS:
        for _, _, body in history.bodies(feed, "exception", through=reach.get(feed, 0)):
            if body.key.gaming_day in ("", day):
                counts[source, body.reason] += 1
    for _, _, body in history.bodies("rounds", "exception_resolved", through=reach.get("rounds", 0)):
        if body.key.gaming_day == day:
            counts["rounds", body.reason] -= 1
    return +counts + _questions_of(history, day, reach.get("progressives", 0))


def _questions_of(history: History, day: str, through: int) -> Counter[tuple[str, str]]:
    """Decisions of the day that nobody has taken, and alerts that nobody has seen."""
    latest: dict[tuple[str, str], str] = {}
    for _, kind, body in history.bodies("progressives", "decision", "alert", through=through):
        if kind == "decision":
            asked = body.state in (progressives.DECISION_STATE_OPEN, progressives.DECISION_STATE_PROPOSED)
            name, reason = body.decision_id, f"{body.WhichOneof('subject').upper()}_UNDECIDED"
        else:
            asked, name = body.state == progressives.ALERT_STATE_RAISED, body.alert_id
            reason = progressives.AlertKind.Name(body.kind).removeprefix("ALERT_KIND_")
            reason = "JACKPOT_UNCLAIMED" if reason == "UNCLAIMED" else reason
        latest[kind, name] = reason if asked and body.gaming_day == day else ""
    return Counter(("progressives", reason) for reason in latest.values() if reason)


def _gather_meters(facts: Facts, history: History, through: int) -> None:
    """Every movement of the meters; what corrects contributions is told with them."""
    links: dict[tuple[str, int], list[str]] = {}
    readings: dict[tuple[str, str], tuple[str, int]] = {}
    jackpots: dict[str, progressives.Jackpot] = {}
    opened, made = _opened(history), dict[tuple[str, int, str], progressives.Contribution]()
    for _, kind, body in history.bodies("progressives", through=through):
        if kind == "link":
            links[body.link_id, body.version] = [each.level for each in body.meters]
        elif kind == "contribution":
            levels = links[body.link_id, body.link_version]
            day = _under_way(opened, body.rounds_position, body.key.gaming_day)
            for level, reading in zip(levels, body.reading_micros, strict=True):
                _keep(readings, (body.link_id, level), day, reading, facts.day)
            if body.key.gaming_day == facts.day:
                facts.contributions.append(body)
                made[_placing(body)] = body
        elif kind == "movement":
            meter, day = (body.link_id, body.level), body.gaming_day or body.key.gaming_day
            now = _under_way(opened, body.rounds_position, day)
            _keep(readings, meter, now, body.reading_after_micros, facts.day)
            if day == facts.day and body.cause not in CONTRIBUTED:
                facts.moved[(*meter, progressives.MeterCause.Name(body.cause))] += body.amount_micros
            elif day == facts.day:
                facts.contributions.append(_corrected(made[_placing(body)], body, links))
        elif kind == "jackpot" and body.key.gaming_day == facts.day:
            jackpots[body.jackpot_id] = body
    facts.links, facts.jackpots = links, list(jackpots.values())
    facts.readings = {meter: reading for meter, (_, reading) in readings.items()}


def _opened(history: History) -> list[tuple[int, str]]:
    """Positions of the rounds feed at which gaming days were opened, in order."""
    return [(position, body.gaming_day) for position, _, body in history.bodies("rounds", "day_opened")]


def _under_way(opened: list[tuple[int, str]], position: int, own: str) -> str:
    """The gaming day under way at a position of the rounds feed; `own` where none had been opened."""
    place = bisect_right(opened, position, key=lambda each: each[0])
    return opened[place - 1][1] if place else own


def _placing(body: Any) -> tuple[str, int, str]:
    """Which wager contributed to which link, whatever roll brought it."""
    key = body.key
    return f"{key.gaming_day} {key.table_id} {key.shoe} {key.round_no}", body.wager_no, body.link_id


def _corrected(
    made: progressives.Contribution, moved: progressives.MeterMovement, links: Mapping[tuple[str, int], list[str]]
) -> progressives.Contribution:
    """What a correction took back of a contribution, or added to it, as a contribution of its own."""
    found, levels = progressives.Contribution(), links[made.link_id, made.link_version]
    found.CopyFrom(made)
    amounts = [moved.amount_micros if level == moved.level else 0 for level in levels]
    of_reserve = moved.cause == progressives.METER_CAUSE_RESERVE
    found.amount_micros[:] = [0] * len(levels) if of_reserve else amounts
    found.reserve_amount_micros[:] = amounts if of_reserve else [0] * len(levels)
    return found


def _keep(
    readings: dict[tuple[str, str], tuple[str, int]], meter: tuple[str, str], day: str, reading: int, last: str
) -> None:
    """The reading at the end of a day: the last entry of the latest day that is not after it."""
    if day <= last and day >= readings.get(meter, ("", 0))[0]:
        readings[meter] = day, reading


def recompute(facts: Facts) -> Tables:
    """The tables of the report that are recomputed, cell by cell."""
    base, side, external = wager_rows(facts.rounds, facts.contributions)
    exceptions: list[Row] = [
        {"source": source, "reason": reason, "count": count}
        for (source, reason), count in sorted(facts.exceptions.items())
    ]
    total: Row = {"source": None, "reason": None, "count": facts.exceptions.total()}
    return {
        "win": _win(facts),
        "wagers": base,
        "side_wagers": side,
        "external": external,
        "progressives": _progressives(facts),
        "meter_movements": (_movements(facts), None),
        "exceptions": (exceptions, total),
    }


def _win(facts: Facts) -> tuple[list[Row], Row]:
    tables = sorted({each.table_id for each in facts.documents} | {each.key.table_id for each in facts.rounds})
    rows = [_win_row(facts, "table", table, [table]) for table in tables]
    for scope, place in (("pit", 0), ("game", 1)):
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for table in tables:
            groups[facts.places.get(table, ("", ""))[place]].append(table)
        rows += [_win_row(facts, scope, name, groups[name]) for name in sorted(groups)]
    return rows, _win_row(facts, "property", facts.property_id, tables)


def _win_row(facts: Facts, scope: str, name: str, tables: list[str]) -> Row:
    slips = [_slips([each for each in facts.documents if each.table_id == table]) for table in tables]
    opener, drop, closer = (_whole([slip[part] for slip in slips]) for part in ("opener", "drop", "closer"))
    fills, credits_ = (sum(slip[part] or 0 for slip in slips) for part in ("fills", "credits"))
    known = opener is not None and drop is not None and closer is not None
    win = (closer or 0) + credits_ + (drop or 0) - (opener or 0) - fills if known else None
    rounds = [each for each in facts.rounds if each.key.table_id in tables]
    wagers = [wager for each in rounds for wager in wagers_of(each) if wager.outcome not in ("void", "pending")]
    handle = sum(each.stake_cents for each in wagers)
    game_win = handle - sum(each.inventory_cents for each in wagers)
    paid = sum(each.amount_cents for each in facts.jackpots if each.key.table_id in tables and _by_slip(each))
    return {
        "scope": scope,
        "name": name,
        "opener": opener,
        "fills": fills,
        "credits": credits_,
        "drop": drop,
        "closer": closer,
        "win": win,
        "hold": _percent(win, drop, 2),
        "game_win": game_win,
        "difference": None if win is None else win - game_win,
        "rounds": sum(1 for each in rounds if each.key.roll <= 1 and not each.void),
        "wagers": len(wagers),
        "handle": handle,
        "payout": sum(each.payout_cents for each in wagers),
        "progressive_paid": paid,
        "win_after_progressive": None if win is None else win - paid,
    }


def _slips(documents: list[documents_pb2.Document]) -> dict[str, int | None]:
    """The day of one table: first opener, last closer, every fill, credit and count."""
    by_kind: defaultdict[int, list[documents_pb2.Document]] = defaultdict(list)
    for each in documents:
        by_kind[each.kind].append(each)

    def total(kind: int) -> int:
        return sum(each.amount_cents for each in by_kind[kind])

    openers = sorted(by_kind[documents_pb2.DOCUMENT_KIND_OPENER], key=_moment)
    closers = sorted(by_kind[documents_pb2.DOCUMENT_KIND_CLOSER], key=_moment)
    counted = by_kind[documents_pb2.DOCUMENT_KIND_COUNT]
    return {
        "opener": openers[0].amount_cents if openers else None,
        "fills": total(documents_pb2.DOCUMENT_KIND_FILL),
        "credits": total(documents_pb2.DOCUMENT_KIND_CREDIT),
        "drop": total(documents_pb2.DOCUMENT_KIND_COUNT) if counted else None,
        "closer": closers[-1].amount_cents if closers else None,
    }


def _moment(document: documents_pb2.Document) -> int:
    at = document.occurred_at if document.HasField("occurred_at") else document.posted_at
    return at.ToNanoseconds()


def _whole(amounts: list[int | None]) -> int | None:
    known = [each for each in amounts if each is not None]
    return sum(known) if len(known) == len(amounts) else None


def _percent(part: Fraction | int | None, whole: int | None, digits: int) -> str | None:
    return decimal_text(Fraction(part) * 100 / whole, digits) if part is not None and whole else None


def _by_slip(jackpot: progressives.Jackpot) -> bool:
    return jackpot.state == progressives.JACKPOT_STATE_PAID and jackpot.paid_from == "slip"


def _progressives(facts: Facts) -> tuple[list[Row], Row]:
    order = {(link, level): place for (link, _), levels in facts.links.items() for place, level in enumerate(levels)}
    meters = sorted(facts.readings, key=lambda meter: (meter[0], order.get(meter, 0)))
    rows = [_meter_row(facts, *meter) for meter in meters]
    columns = ("contributions", "reserve", "awards", "hits", "reading")
    totals = {column: sum(row[column] for row in rows) for column in columns}
    return rows, {"link": None, "level": None, **totals}


def _movements(facts: Facts) -> list[Row]:
    """What moved each meter besides contributions, by cause."""
    moved = {(*meter, cause.removeprefix(CAUSE).lower()): amount for (*meter, cause), amount in facts.moved.items()}
    columns = ("link", "level", "cause", "amount")
    return [dict(zip(columns, (*name, moved[name]), strict=True)) for name in sorted(moved)]


def _meter_row(facts: Facts, link: str, level: str) -> Row:
    contributed = kept = 0
    for each in facts.contributions:
        if each.link_id == link:
            place = facts.links[link, each.link_version].index(level)
            contributed += each.amount_micros[place]
            kept += each.reserve_amount_micros[place] if each.reserve_amount_micros else 0
    hits = [
        each
        for each in facts.jackpots
        if (each.link_id, each.level) == (link, level) and each.state != progressives.JACKPOT_STATE_VOIDED
    ]
    return {
        "link": link,
        "level": level,
        "contributions": contributed,
        "reserve": kept,
        "awards": sum(each.amount_cents for each in hits),
        "hits": len({each.hit_id or each.jackpot_id for each in hits}),
        "reading": facts.readings[link, level],
    }
