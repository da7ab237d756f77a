"""The long tail of sizes: sheets with pictures, reports of many pages and books of many sheets, up to 20 MB."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ingest.generate import documents

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.tables import Table

LARGEST_MB = 20
# decoded size of the pictures in the pool's large documents: half of them under 2 MB, one of 14 MB (20 MB as base64)
SIZES_MB = (0.3, 0.5, 0.8, 1.2, 1.8, 3.0, 6.0, 14.0)
PICTURE_BYTES = 600_000  # about: a photograph or screen as dealers paste them
_SIDES = (960, 720)
_PAGE_WORDS = (
    "issuance",
    "spreads",
    "supply",
    "curve",
    "demand",
    "carry",
    "duration",
    "credit",
    "flows",
    "funds",
    "index",
)


def picture(random: Random) -> bytes:
    """A JPEG that does not compress further, as photographs do not."""
    from PIL import Image

    out = io.BytesIO()
    Image.frombytes("L", _SIDES, random.randbytes(_SIDES[0] * _SIDES[1])).save(out, "jpeg", quality=85)
    return out.getvalue()


def workbook(random: Random, table: Table, style: int, megabytes: float) -> bytes:
    """The sheet of quotes, and a sheet of charts and screens beside it."""
    from openpyxl import Workbook
    from openpyxl.drawing.image import Image

    book = Workbook()
    documents.fill_sheet(book.worksheets[0], table, style)
    charts = book.create_sheet("Charts")
    for at in range(max(1, int(megabytes * 1e6 / PICTURE_BYTES))):
        charts.add_image(Image(io.BytesIO(picture(random))), f"B{2 + 30 * at}")
    return documents.office_bytes(book)


def report(random: Random, table: Table, style: int, megabytes: float) -> bytes:
    """A PDF: the page of quotes, then pages of comment, each with a picture."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Image, PageBreak, Paragraph, SimpleDocTemplate

    styles = getSampleStyleSheet()
    story: list[Any] = documents.flowables(table, style)
    for _ in range(max(1, int(megabytes * 1e6 / PICTURE_BYTES))):
        text = " ".join(random.choices(_PAGE_WORDS, k=180))
        story += [PageBreak(), Paragraph(f"{text.capitalize()}.", styles["Normal"])]
        story.append(Image(io.BytesIO(picture(random)), width=320, height=320))
    out = io.BytesIO()
    documents.page(SimpleDocTemplate, out).build(story)
    return out.getvalue()
