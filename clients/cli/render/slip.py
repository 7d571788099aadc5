"""The progressive jackpot slip on paper, to be signed. No payee stands on it."""

from reportlab.platypus import Flowable, Spacer, Table, TableStyle

from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.render.paper import (
    AMOUNT,
    BOLD,
    FACT,
    GREY,
    LABEL,
    MARGIN,
    PAPER,
    RULE,
    SUBTITLE,
    TITLE,
    About,
    document,
    paragraph,
    signatures,
)
from clients.cli.slips import SIGNATURES, Lines, amounts, course, heading, won

LABEL_WIDTH = 90


def slip_pdf(slip: progressives.JackpotSlip) -> bytes:
    """The bytes of one page on US letter: what was won where, the amounts, who brought it there, who signs."""
    width = PAPER[0] - 2 * MARGIN
    story: list[Flowable] = [
        paragraph(slip.title, TITLE),
        _stated(heading(slip), width),
        paragraph("Jackpot", SUBTITLE),
        _stated(won(slip), width),
        paragraph("Amounts", SUBTITLE),
        _amounts(slip, width),
        paragraph("Course", SUBTITLE),
        _stated(course(slip), width),
        Spacer(1, 14),
        paragraph("Signed", SUBTITLE),
        signatures(SIGNATURES, width),
    ]
    about = About(f"{slip.title} {slip.slip_no}, {slip.property_id}", slip.property_id, "casino")
    return document(story, PAPER, about, f"{about.title}; jackpot {slip.jackpot.jackpot_id}")


def _amounts(slip: progressives.JackpotSlip, width: float) -> Table:
    lines = amounts(slip)
    # What is said of an amount stands beside it, so that the amounts stand below each other.
    parts = [(label, *text.partition(" ")[::2]) for label, text in lines]
    rows = [
        (paragraph(label, FACT), paragraph(amount, AMOUNT), paragraph(said, LABEL))
        for label, amount, said in parts[:-1]
    ]
    style = TableStyle(
        [
            ("BOX", (0, 0), (-1, -1), 0.8, "#000000"),
            ("LINEABOVE", (0, -1), (-1, -1), 0.8, "#000000"),
            ("FONT", (0, -1), (-1, -1), BOLD, 12),
            ("ALIGN", (1, -1), (1, -1), "RIGHT"),
            ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
        ]
    )
    return Table([*rows, parts[-1]], [width * 0.2, width * 0.25, width * 0.15], style=style, hAlign="LEFT")


def _stated(lines: Lines, width: float) -> Table:
    rows = [(paragraph(label, LABEL), paragraph(text, FACT)) for label, text in lines]
    style = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, RULE),
            ("TEXTCOLOR", (0, 0), (0, -1), GREY),
        ]
    )
    return Table(rows, [LABEL_WIDTH, width - LABEL_WIDTH], style=style, hAlign="LEFT")
