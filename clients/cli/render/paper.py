"""What every document on paper shares: type, sizes, lines for signatures, numbered pages, the same bytes each time."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table, TableStyle

PAPER = letter
MARGIN = 0.6 * inch
FOOT = 0.35 * inch
FRAME = 6
"""What the layout leaves free inside its margins on every side, in points."""

INK, GREY, RULE, SHADE = HexColor("#000000"), HexColor("#555555"), HexColor("#B0B7BF"), HexColor("#E8ECF0")
PLAIN, BOLD = "Helvetica", "Helvetica-Bold"

TITLE = ParagraphStyle("title", fontName=BOLD, fontSize=16, leading=20, spaceAfter=4)
SUBTITLE = ParagraphStyle("subtitle", fontName=BOLD, fontSize=11, leading=14, spaceBefore=12, spaceAfter=4)
NOTE = ParagraphStyle("note", fontName=PLAIN, fontSize=7.5, leading=9.5, textColor=GREY)
LABEL = ParagraphStyle("label", fontName=PLAIN, fontSize=8, leading=10, textColor=GREY)
FACT = ParagraphStyle("fact", fontName=PLAIN, fontSize=9, leading=11)
AMOUNT = ParagraphStyle("amount", parent=FACT, alignment=TA_RIGHT)
SIGNATURE_HEIGHT = 30
FOOT_SIZE = 7
PAGES, PAGES_WIDTH = "pages", 14
"""Name of the drawing of the number of pages, and the points kept free for it."""

Command: TypeAlias = tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]
"""Of a table's style: its name, the first and the last cell, and what the name needs."""


def printable(text: str) -> str:
    """Text in the letters that the standard type has; any other letter by its number, so that none is lost."""
    line = " ".join(text.split())
    known = line.isascii() and line.isprintable()
    return line if known else "".join(each if _has(each) else f"<U+{ord(each):04X}>" for each in line)


def paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    """A paragraph of plain text: nothing in it is markup."""
    return Paragraph(escape(printable(text)), style)


def signatures(titles: Sequence[str], width: float) -> Table:
    """A line for each person who signs, by what they are: signature, licence number, date and time."""
    columns = ("", "Name and signature", "", "Licence number", "", "Date and time")
    rows = [columns, *((printable(title), *[""] * 5) for title in titles)]
    shares = (0.28, 0.34, 0.02, 0.15, 0.02, 0.19)
    heights = [12, *[SIGNATURE_HEIGHT] * len(titles)]
    style: list[Command] = [
        ("FONT", (0, 0), (-1, 0), PLAIN, 7.5),
        ("TEXTCOLOR", (0, 0), (-1, 0), GREY),
        ("FONT", (0, 1), (0, -1), PLAIN, 9),
        ("VALIGN", (0, 1), (-1, -1), "BOTTOM"),
        ("BOTTOMPADDING", (0, 1), (-1, -1), 3),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        *((("LINEBELOW", (place, 1), (place, -1), 0.6, INK)) for place in (1, 3, 5)),
    ]
    return Table(rows, [share * width for share in shares], heights, style=TableStyle(style), hAlign="LEFT")


class About(NamedTuple):
    """What a document says of itself to whoever keeps it."""

    title: str
    author: str
    creator: str


def document(story: list[Flowable], size: tuple[float, float], about: About, foot: str) -> bytes:
    """The bytes of a PDF; `foot` stands at the foot of every page."""
    made = BytesIO()
    pages = SimpleDocTemplate(
        made,
        pagesize=size,
        leftMargin=MARGIN - FRAME,
        rightMargin=MARGIN - FRAME,
        topMargin=MARGIN - FRAME,
        bottomMargin=MARGIN,
        invariant=1,
        title=about.title,
        author=about.author,
        creator=about.creator,
    )
    draw = _foot(printable(foot), size[0])
    pages.build(story, onFirstPage=draw, onLaterPages=draw, canvasmaker=_Counted)
    return made.getvalue()


def _has(letter: str) -> bool:
    """Whether the standard type has the letter."""
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return letter.isprintable()


class _Counted(Canvas):
    """A canvas on which every page refers to the number of pages, which is written when the last one is there."""

    def save(self) -> None:
        """Writes the number of pages, and the document."""
        self.beginForm(PAGES)
        self.setFont(PLAIN, FOOT_SIZE)
        self.setFillColor(GREY)
        # The page counted is the one that would come next.
        self.drawString(0, 0, str(self.getPageNumber() - 1))
        self.endForm()
        super().save()


def _foot(text: str, width: float) -> Callable[[Canvas, object], None]:
    def draw(canvas: Canvas, _: object) -> None:
        canvas.saveState()
        canvas.setFont(PLAIN, FOOT_SIZE)
        canvas.setFillColor(GREY)
        canvas.drawString(MARGIN, FOOT, text)
        canvas.drawRightString(width - MARGIN - PAGES_WIDTH, FOOT, f"Page {canvas.getPageNumber()} of")
        canvas.translate(width - MARGIN - PAGES_WIDTH + 2, FOOT)
        canvas.doForm(PAGES)
        canvas.restoreState()

    return draw
