"""What the tests of PDF tables draw on."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from parsers.document import Document
from parsers.documents.pdf.reader import read_pdf


class Sheet:
    """One page; places in points from its left and its top."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._canvas = Canvas(self._out, pagesize=A4)
        self._canvas.setFont("Helvetica", 9)

    def text(self, x: float, y: float, text: str) -> None:
        """Text that begins at x, its baseline at y."""
        self._canvas.drawString(x, A4[1] - y, text)

    def row(self, y: float, texts: Sequence[str], places: Sequence[float]) -> None:
        """Texts that begin at places, side by side."""
        for x, text in zip(places, texts, strict=False):
            self.text(x, y, text)

    def lines(self, x: float, y: float, lines: Sequence[str], pitch: float = 11) -> None:
        """Texts below each other."""
        for number, line in enumerate(lines):
            self.text(x, y + pitch * number, line)

    def across(self, y: float, start: float, end: float) -> None:
        """A line drawn."""
        self._canvas.line(start, A4[1] - y, end, A4[1] - y)

    def down(self, x: float, start: float, end: float) -> None:
        """A line drawn."""
        self._canvas.line(x, A4[1] - start, x, A4[1] - end)

    def read(self) -> Document:
        """What the reader makes of it."""
        self._canvas.save()
        return read_pdf(self._out.getvalue())
