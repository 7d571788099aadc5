"""What stands over a report: title, property, period, day boundary, who made it when, and what it stands on."""

from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as reporting


def header(report: reporting.Report) -> dict[str, Any]:
    """For a program: each fact by its name."""
    return {
        "report": report.name,
        "title": report.title,
        "property": report.property_id,
        "from_day": report.from_day or report.gaming_day,
        "gaming_day": report.gaming_day,
        "day_starts": report.day_starts,
        "generated_at": report.generated_at.ToJsonString(),
        "software_version": report.software_version,
        "requester": report.requester,
        "version": report.version,
        "positions": {each.feed: each.position for each in report.positions},
        "complete_to_rounds_position": report.complete_to_rounds_position,
    }


def facts(report: reporting.Report) -> list[tuple[str, str]]:
    """For a form: each fact under its label."""
    return [
        ("Property", report.property_id),
        ("Period", period(report)),
        ("Gaming day from", report.day_starts),
        ("Generated", report.generated_at.ToJsonString()),
        ("Requester", report.requester),
        ("Software version", report.software_version),
        ("Data version", data_version(report)),
        ("Feed positions", positions(report) or "no feed"),
        ("Complete to", f"rounds position {report.complete_to_rounds_position}"),
    ]


def heading(report: reporting.Report) -> list[str]:
    """For a reader: the same facts in three sentences."""
    filed = f"{data_version(report)[0].upper()}{data_version(report)[1:]}. " if report.version else ""
    stands_on = f"Stands on {positions(report) or 'no feed'}"
    return [
        f"{report.title}, {report.property_id}, {period(report)} from {report.day_starts}",
        f"Generated {report.generated_at.ToJsonString()} for {report.requester} by version {report.software_version}.",
        f"{filed}{stands_on}; complete to rounds position {report.complete_to_rounds_position}.",
    ]


def period(report: reporting.Report) -> str:
    """The gaming day, or the first and the last one."""
    if report.from_day and report.from_day != report.gaming_day:
        return f"gaming days {report.from_day} to {report.gaming_day}"
    return f"gaming day {report.gaming_day}"


def data_version(report: reporting.Report) -> str:
    """Whether the figures are those of now, or of which filing."""
    return f"as filed, version {report.version}" if report.version else "figures of now, not filed"


def positions(report: reporting.Report) -> str:
    """The position in each feed that the report stands on."""
    return ", ".join(f"{each.feed} {each.position}" for each in report.positions)
