"""A report as a PDF: its heading, each table with its plot and notes, lines for who signs it."""

from reportlab.lib.pagesizes import landscape
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.grid import natural_width, set_table
from clients.cli.render.heading import data_version, facts, period
from clients.cli.render.paper import (
    FACT,
    LABEL,
    MARGIN,
    PAPER,
    SUBTITLE,
    TITLE,
    About,
    document,
    paragraph,
    signatures,
)
from clients.cli.render.plots import drawings

FACTS_ABREAST = 3


def as_pdf(report: reporting.Report) -> bytes:
    """The bytes of a PDF on US letter, upright unless a table is too wide for it. Raises InvalidRequest."""
    upright = PAPER[0] - 2 * MARGIN
    wide = any(natural_width(table) > upright for table in report.tables)
    size = landscape(PAPER) if wide else PAPER
    width = size[0] - 2 * MARGIN
    story: list[Flowable] = [paragraph(report.title, TITLE), _facts(report, width)]
    for table in report.tables:
        story += set_table(table, width, drawings(table, width))
    if report.signatures:
        lines = signatures(report.signatures, width)
        story.append(KeepTogether([Spacer(1, 10), paragraph("Signed", SUBTITLE), lines]))
    about = About(
        title=f"{report.title}, {report.property_id}, {period(report)}",
        author=report.requester,
        creator=f"casino {report.software_version}",
    )
    generated = report.generated_at.ToJsonString()
    return document(story, size, about, f"{about.title}; {data_version(report)}; generated {generated}")


def _facts(report: reporting.Report, width: float) -> Table:
    """Labels over facts, some abreast."""
    cells = [[paragraph(label, LABEL), paragraph(fact, FACT)] for label, fact in facts(report)]
    cells += [[] for _ in range(-len(cells) % FACTS_ABREAST)]
    rows = [cells[start : start + FACTS_ABREAST] for start in range(0, len(cells), FACTS_ABREAST)]
    style = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
            ("LINEABOVE", (0, 0), (-1, 0), 0.8, "#000000"),
            ("LINEBELOW", (0, -1), (-1, -1), 0.8, "#000000"),
        ]
    )
    return Table(rows, [width / FACTS_ABREAST] * FACTS_ABREAST, style=style)
