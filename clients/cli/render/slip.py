"""The progressive jackpot slip on paper, to be signed. No payee stands on it."""

from reportlab.platypus import Flowable, Spacer, Table, TableStyle

from casino.progressives.v1 import entries_pb2 as entries
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
from clients.cli.slips import SIGNATURES, STATES, percent_of_meter
from services.kernel.money import dollars

LABEL_WIDTH = 90


def slip_pdf(slip: progressives.JackpotSlip) -> bytes:
    """The bytes of one page on US letter: what was won where, the amounts, who brought it there, who signs."""
    width = PAPER[0] - 2 * MARGIN
    story: list[Flowable] = [
        paragraph(slip.title, TITLE),
        _stated(
            [("Slip number", slip.slip_no + (" VOID" if slip.voided else "")), ("Property", slip.property_id)], width
        ),
        paragraph("Jackpot", SUBTITLE),
        _stated(_jackpot(slip), width),
        paragraph("Amounts", SUBTITLE),
        _amounts(slip, width),
        paragraph("Course", SUBTITLE),
        _stated([(STATES[each.state], _by(each)) for each in slip.states if each.state in STATES], width),
        Spacer(1, 14),
        paragraph("Signed", SUBTITLE),
        signatures(SIGNATURES, width),
    ]
    about = About(f"{slip.title} {slip.slip_no}, {slip.property_id}", slip.property_id, "casino")
    return document(story, PAPER, about, f"{about.title}; jackpot {slip.jackpot.jackpot_id}")


def _jackpot(slip: progressives.JackpotSlip) -> list[tuple[str, str]]:
    jackpot, key = slip.jackpot, slip.jackpot.key
    return [
        ("Jackpot", jackpot.jackpot_id),
        ("Link", f"{jackpot.link_id} {slip.link_title}".strip()),
        ("Meter", f"{jackpot.level}, {percent_of_meter(jackpot.percent)} of it"),
        ("Gaming day", f"{key.gaming_day}, shift {jackpot.shift}"),
        ("Table", f"{key.table_id}, seat {jackpot.seat}"),
        ("Round", f"shoe {key.shoe}, round {key.round_no}, wager {jackpot.wager_no}"),
        ("Wager", f"{jackpot.code} {jackpot.paytable}, ${dollars(jackpot.stake_cents)}"),
    ]


def _amounts(slip: progressives.JackpotSlip, width: float) -> Table:
    form = " (Form W-2G)" if slip.jackpot.reportable else ""
    lines = [
        ("Amount of the jackpot", slip.amount_cents),
        (f"Withheld{form}", slip.withheld_cents),
        ("Paid", slip.paid_cents),
    ]
    rows = [(paragraph(label, FACT), paragraph(f"${dollars(cents)}", AMOUNT)) for label, cents in lines[:-1]]
    label, cents = lines[-1]
    style = TableStyle(
        [
            ("BOX", (0, 0), (-1, -1), 0.8, "#000000"),
            ("LINEABOVE", (0, -1), (-1, -1), 0.8, "#000000"),
            ("FONT", (0, -1), (-1, -1), BOLD, 12),
            ("ALIGN", (1, -1), (1, -1), "RIGHT"),
            ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
        ]
    )
    return Table([*rows, (label, f"${dollars(cents)}")], [width * 0.35, width * 0.25], style=style, hAlign="LEFT")


def _stated(lines: list[tuple[str, str]], width: float) -> Table:
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


def _by(state: entries.Jackpot) -> str:
    rank = f", {state.rank.replace('_', ' ')}" if state.rank else ""
    return f"{state.actor}{rank}, {state.at.ToJsonString()}"
