"""PDF pages by pdfium: one box a word instead of one a character, which is what makes it fast (design.md section 5)."""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import degrees, inf
from typing import Any

from msgspec.structs import replace

from parsers.codes import Code
from parsers.documents.pdf.annotations import struck_out, withdrawn
from parsers.documents.pdf.calls import address_of
from parsers.documents.pdf.doubled import drawn_once
from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.layers import layers_off, may_have_layers
from parsers.documents.pdf.objects import painted, shown
from parsers.documents.pdf.page import SMALL, Page, Ruling, Word, unless_most_hidden
from parsers.documents.pdf.rulings import rulings
from parsers.documents.pdf.text import PdfText, sampled_angles
from parsers.documents.pdf.unseen import Unseen
from parsers.documents.unreadable import Unreadable

_SPACE = re.compile(r"[\s\u00a0\u2007\u202f]+")
_TIGHT = 0.06  # of the font size: the gap between two drawn texts that makes two words of them
_SAME_EDGE = 0.01  # points
_SAMPLED_CHARS = 100  # of a page, to see which way its text runs
_DECIMAL = re.compile(r"\d{1,4}[.,]\d+")
_GLUED = re.compile(r"\d{1,4}[.,]\d+[.,]\d+")


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

    pdfium.FPDF_LoadMemDocument64(b"", 0, None)  # fails: else a failure that sets no reason has that of the file before
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD:
            raise Unreadable(Code.PASSWORD_PROTECTED, "the file asks for a password") from error
        raise PdfiumFailed(str(error)) from error
    layers = _Layers(data)
    try:
        for index in range(min(len(document), max_pages)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue  # a broken page between whole ones
            try:
                yield _page(page, index + 1, layers, pdfium)
            finally:
                page.close()
    finally:
        document.close()


class _Layers:
    """Of one file, whose catalog is read when a text is in a layer."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.may_be = may_have_layers(data)

    @cached_property
    def off(self) -> frozenset[str]:
        return layers_off(self._data)


def _page(page: Any, number: int, layers: _Layers, pdfium: Any) -> Page:
    text_page = page.get_textpage()
    try:
        frame = _frame(page, text_page.raw)
        found = painted(address_of(page.raw), layers=layers.may_be)
        found = shown(found, layers.off) if found.layers else found
        across, down, fills, covers = rulings(found, frame)
        unseen = Unseen(found, frame, covers)
        drawn = drawn_once(_words(_Chars(text_page.raw, frame, fills, unseen, pdfium), down))
        words = tuple(_on_page(unless_most_hidden(drawn), frame.box(*page.get_cropbox())))
        out = withdrawn(page.raw, frame, pdfium)
    finally:
        text_page.close()
    return Page(number, tuple(struck_out(words, out)) if out else words, tuple(across), tuple(down))


def _frame(page: Any, text_page: Any) -> Frame:
    """The page turned so that most of its text is upright, which is not always how the file would show it."""
    width, height = page.get_size()
    sample = tuple(sampled_angles(text_page, _SAMPLED_CHARS))
    angles = Counter(round(degrees(angle)) % 360 for angle in sample)
    angle, times = angles.most_common(1)[0] if angles else (0, 0)
    rotation = (360 - angle) % 360 if angle % 90 == 0 and times * 2 > len(sample) else page.get_rotation()
    if (rotation - page.get_rotation()) % 180:
        width, height = height, width
    return Frame(rotation, width, height)


def _on_page(words: Iterable[Word], paper: Box) -> Iterator[Word]:
    """The words, those beside the paper hidden."""
    x0, top, x1, bottom = paper
    for word in words:
        is_seen = word.x1 > x0 and word.x0 < x1 and word.bottom > top and word.top < bottom
        yield word if is_seen else replace(word, hidden=True)


def _words(chars: _Chars, down: list[Ruling]) -> Iterator[Word]:
    walls = sorted(down, key=lambda line: line.at)
    places = [line.at for line in walls]
    box, drawn_by, word_of = chars.box, chars.drawn_by, chars.word
    for start, end in _spans(chars.text()):
        first = box(start)
        last = first if end == start + 1 else box(end - 1)
        drawn = drawn_by(start)
        low, high = (bisect_right(places, first[0] + 1), bisect_left(places, last[2] - 1)) if places else (0, 0)
        crossed = low < high and any(line.start < first[3] and line.end > first[1] for line in walls[low:high])
        in_one = last is first or (drawn and drawn == drawn_by(end - 1)) or chars.pieces(start, end) <= 1
        cuts = () if in_one and not crossed else chars.cuts(start, end, down)
        words: Iterable[Word]
        if not cuts:
            words = (word_of(start, end, drawn, first, last),)
        else:
            pieces = zip([start, *cuts], [*cuts, end], strict=True)
            words = [word_of(begin, stop, drawn_by(begin), box(begin), box(stop - 1)) for begin, stop in pieces]
        for word in words:
            if 0 < word.bottom - word.top < inf:  # damaged fonts have none, or any
                yield word


class _Chars:
    """The characters of a text page by index."""

    def __init__(self, text_page: Any, frame: Frame, fills: list[Box], unseen: Unseen, pdfium: Any) -> None:
        self._page = text_page
        self._frame = frame
        self._fills = fills
        self._unseen = unseen
        self._pdfium = pdfium
        self._drawn = PdfText(text_page, frame)
        self.box, self.pieces = self._drawn.box, self._drawn.pieces
        self.drawn_by = self._drawn.text_object
        self._look = self._drawn.look
        self._text = ""

    def text(self) -> str:
        """One character an index: those beyond the 16-bit plane, and those without meaning, as U+FFFD."""
        count = self._pdfium.FPDFText_CountChars(self._page)
        if count <= 0:
            return ""
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

    def word(self, start: int, end: int, drawn: int | None, first: Box, last: Box) -> Word:
        """The characters from start to end, whose first and last have these boxes; `drawn` draws the first."""
        x0, top, x1, bottom = first
        is_filled = bool(self._fills) and self._is_filled((x0 + last[2]) / 2, (top + bottom) / 2)
        is_bold, is_unseen = self._look(start, drawn)
        if last is not first:
            x0, top, x1, bottom = min(x0, last[0]), min(top, last[1]), max(x1, last[2]), max(bottom, last[3])
        is_hidden = is_unseen and not is_filled
        if self._unseen.any and not is_hidden:
            is_hidden = self._unseen.hides(drawn, (x0, top, x1, bottom))
        return Word(self._text[start:end], x0, x1, top, bottom, is_bold, is_filled, is_hidden)

    def _is_filled(self, x: float, y: float) -> bool:
        for x0, top, x1, bottom in self._fills:  # noqa: SIM110 -- asked of each word: a generator takes three times as long
            if top <= y <= bottom and x0 <= x <= x1:
                return True
        return False

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
            digits = self._text[index - 1].isdigit() and self._text[index].isdigit()
            raised = digits and height < SMALL * (before[3] - before[1])  # a footnote's mark
            if gap > _TIGHT * height or ruled or below or raised:
                cuts.append(index)
            before = here
        return cuts or self._between_decimals(start, end)

    def _between_decimals(self, start: int, end: int) -> list[int]:
        """Where two full decimals touch that were drawn apart: no number has two points, and no price may be glued."""
        match = _GLUED.fullmatch(self._text, start, end)
        if match is None:
            return []
        left, top, right, bottom = corners = [ctypes.c_double() for _ in range(4)]

        def edge() -> float:
            return self._frame.box(left.value, bottom.value, right.value, top.value)[0]

        for number in range(1, self.pieces(start, end)):
            self._pdfium.FPDFText_GetRect(self._page, number, *corners)
            piece = edge()
            for at in range(start + 1, end):  # a piece begins where the ink of its first character does
                self._pdfium.FPDFText_GetCharBox(self._page, at, left, right, bottom, top)
                if abs(edge() - piece) < _SAME_EDGE:
                    both = _DECIMAL.fullmatch(self._text, start, at) and _DECIMAL.fullmatch(self._text, at, end)
                    return [at] if both else []
        return []


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The stretches between white space."""
    start = 0
    for match in _SPACE.finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)
