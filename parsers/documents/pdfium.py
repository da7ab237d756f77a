"""PDF pages by pdfium: one box a word instead of one a character, which is what makes it fast (design.md section 5)."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

from parsers.codes import Code
from parsers.documents.pdfframe import Frame
from parsers.documents.pdfpage import Page, Ruling, Word
from parsers.documents.pdfrulings import rulings
from parsers.documents.unreadable import Unreadable

_SPACE = re.compile(r"[\s\u00a0\u2007\u202f]+")
_TIGHT = 0.06  # of the font size: the gap between two drawn texts that makes two words of them
_BOLD_WEIGHT = 600


class PdfiumFailed(Exception):
    """pdfium cannot open the file; another engine may."""


def pdfium_pages(data: bytes, max_pages: int) -> Iterator[Page]:
    """The pages, one at a time.

    Raises:
        Unreadable: PASSWORD_PROTECTED; an empty user password is tried.
        PdfiumFailed: for anything else that keeps the file shut.
    """
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise Unreadable(Code.PASSWORD_PROTECTED, "the file asks for a password") from error
        raise PdfiumFailed(str(error)) from error
    try:
        for index in range(min(len(document), max_pages)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue  # a broken page between whole ones
            try:
                yield _page(page, index + 1, pdfium)
            finally:
                page.close()
    finally:
        document.close()


def _page(page: Any, number: int, pdfium: Any) -> Page:
    width, height = page.get_size()
    frame = Frame(page.get_rotation(), width, height)
    across, down = rulings(page.raw, frame, pdfium)
    text_page = page.get_textpage()
    try:
        words = tuple(_words(text_page.raw, frame, down, pdfium))
    finally:
        text_page.close()
    return Page(number, words, tuple(across), tuple(down))


def _words(text_page: Any, frame: Frame, down: list[Ruling], pdfium: Any) -> Iterator[Word]:
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return
    chars = _Chars(text_page, frame, pdfium)
    for start, end in _spans(chars.text(count)):
        first, last = chars.box(start), chars.box(end - 1)
        rects = pdfium.FPDFText_CountRects(text_page, start, end - start)
        crossed = any(
            first[0] + 1 < line.at < last[2] - 1 and line.start < first[3] and line.end > first[1] for line in down
        )
        cuts = chars.cuts(start, end, down) if rects > 1 or crossed else []
        for begin, stop in zip([start, *cuts], [*cuts, end], strict=True):
            word = chars.word(begin, stop)
            if 0 < word.height < float("inf"):  # damaged fonts have none, or any
                yield word


class _Chars:
    """The characters of a text page by index."""

    def __init__(self, text_page: Any, frame: Frame, pdfium: Any) -> None:
        self._page = text_page
        self._frame = frame
        self._pdfium = pdfium
        self._rect = pdfium.FS_RECTF()
        self._name = ctypes.create_string_buffer(128)
        self._text = ""

    def text(self, count: int) -> str:
        """One character an index: those beyond the 16-bit plane, and those without meaning, as U+FFFD."""
        units = (ctypes.c_ushort * (count + 1))()
        written = self._pdfium.FPDFText_GetText(self._page, 0, count, units)
        if written == count + 1:
            text = bytes(units)[: 2 * count].decode("utf-16-le", "surrogatepass")
            self._text = text if len(text) == count else ""
        if not self._text:
            codes = (self._pdfium.FPDFText_GetUnicode(self._page, index) for index in range(count))
            self._text = "".join(chr(code) if 0 < code < 0x110000 else "\ufffd" for code in codes)
        self._text = self._text.replace("\ufffe", "-").replace(
            "\x02", "-"
        )  # pdfium's marks of a hyphen at a line's end
        return self._text

    def box(self, index: int) -> tuple[float, float, float, float]:
        """(x0, top, x1, bottom) of the advance and the font's height."""
        rect = self._rect
        self._pdfium.FPDFText_GetLooseCharBox(self._page, index, ctypes.byref(rect))
        return self._frame.box(rect.left, rect.bottom, rect.right, rect.top)

    def word(self, start: int, end: int) -> Word:
        first, last = self.box(start), self.box(end - 1)
        return Word(
            self._text[start:end],
            x0=min(first[0], last[0]),
            x1=max(first[2], last[2]),
            top=min(first[1], last[1]),
            bottom=max(first[3], last[3]),
            bold=self._is_bold(start),
        )

    def _is_bold(self, index: int) -> bool:
        """By the weight where the font states it, else by its name."""
        weight = self._pdfium.FPDFText_GetFontWeight(self._page, index)
        if weight > 0:
            return bool(weight >= _BOLD_WEIGHT)
        flags = ctypes.c_int()
        self._pdfium.FPDFText_GetFontInfo(self._page, index, self._name, len(self._name), flags)
        return b"bold" in self._name.value.lower()

    def cuts(self, start: int, end: int, down: list[Ruling]) -> list[int]:
        """Where a word drawn in several pieces is several words: at a gap, a line between its pieces, a line's end."""
        cuts = []
        before = self.box(start)
        for index in range(start + 1, end):
            here = self.box(index)
            gap, height = here[0] - before[2], here[3] - here[1]
            ruled = any(
                before[2] - 1 <= line.at <= here[0] + 1 and line.start < here[3] and line.end > here[1] for line in down
            )
            below = here[1] >= before[3] or here[3] <= before[1]  # behind a hyphen pdfium goes on with the next line
            if gap > _TIGHT * height or ruled or below:
                cuts.append(index)
            before = here
        return cuts


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The stretches between white space."""
    start = 0
    for match in _SPACE.finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)
