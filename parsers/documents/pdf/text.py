"""What pdfium says of the characters of a page: where they stand, and how they are drawn.

A word costs four questions. What holds for a whole text object, or a whole font, is asked once.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from parsers.documents.pdf.calls import INT, POINTER, address_of, plain
from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.rulings import WHITE

_BOLD_WEIGHT = 600
INVISIBLE = 3  # text rendering mode (ISO 32000-1, 9.3.6)


class PdfText:
    """The characters of a text page by index. The page is open as long as this is used."""

    def __init__(self, text_page: Any, frame: Frame) -> None:
        self._page = address_of(text_page)
        self._ask = _functions()
        self.box = _boxes(self._page, frame)
        self.text_object: Callable[[int], int | None] = partial(self._ask.text_object, self._page)
        """The address of what draws a character, by its index."""
        self._colour = (ctypes.c_uint * 4)()  # red, green, blue, alpha
        self._colour_at = [ctypes.addressof(self._colour) + 4 * part for part in range(4)]
        self._name = ctypes.create_string_buffer(128)
        self._looks: dict[int | None, tuple[bool, bool]] = {}  # by text object
        self._bold: dict[int | None, bool] = {}  # by font

    def pieces(self, start: int, end: int) -> int:
        """How many boxes pdfium draws around these characters, one for each text object."""
        return int(self._ask.count_rects(self._page, start, end - start))

    def look(self, index: int, drawn: int | None) -> tuple[bool, bool]:
        """Whether a character of this text object is bold, and whether nothing of it is seen on white paper."""
        look = self._looks.get(drawn)
        if look is None:
            look = self._is_bold(index, drawn), self._is_unseen(index, drawn)
            if drawn:
                self._looks[drawn] = look
        return look

    def _is_unseen(self, index: int, drawn: int | None) -> bool:
        """Drawn in white or nothing, or not drawn."""
        if drawn and self._ask.render_mode(drawn) == INVISIBLE:
            return True
        if not self._ask.fill_colour(self._page, index, *self._colour_at):
            return False
        red, green, blue, alpha = self._colour
        return not alpha or min(red, green, blue) >= WHITE

    def _is_bold(self, index: int, drawn: int | None) -> bool:
        font = self._ask.font(drawn) if drawn else None
        is_bold = self._bold.get(font)
        if is_bold is None:
            is_bold = self._has_bold_font(index)
            if font:
                self._bold[font] = is_bold
        return is_bold

    def _has_bold_font(self, index: int) -> bool:
        """By the weight where the font states it, else by its name."""
        weight = int(self._ask.font_weight(self._page, index))
        if weight > 0:
            return weight >= _BOLD_WEIGHT
        self._ask.font_info(self._page, index, ctypes.addressof(self._name), len(self._name), None)
        return b"bold" in self._name.value.lower()


def _boxes(page: int, frame: Frame) -> Callable[[int], Box]:
    """What tells the (x0, top, x1, bottom) of a character by its index: its advance and the font's height."""
    ask, edges = _functions().loose_box, (ctypes.c_float * 4)()
    edges_at, turned, read = ctypes.addressof(edges), frame.box, struct.Struct("4f").unpack_from
    height = frame.upright_height

    def box(index: int) -> Box:
        ask(page, index, edges_at)
        left, top, right, bottom = read(edges)
        if height is None:
            return turned(left, bottom, right, top)
        return left, height - top, right, height - bottom  # most: as `turned` does, in half the time

    return box


def sampled_angles(text_page: Any, most: int) -> Iterator[float]:
    """How characters from all over a text page are turned, in radians."""
    page, ask = address_of(text_page), _functions()
    count = max(ask.count_chars(page), 0)
    return (ask.angle(page, at) for at in range(0, count, count // most + 1))


class _Functions:
    """Of pdfium's, with plain arguments."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self.count_chars = plain(pdfium.FPDFText_CountChars, INT, POINTER)
        self.angle = plain(pdfium.FPDFText_GetCharAngle, ctypes.c_float, POINTER, INT)
        self.loose_box = plain(pdfium.FPDFText_GetLooseCharBox, INT, POINTER, INT, POINTER)
        self.count_rects = plain(pdfium.FPDFText_CountRects, INT, POINTER, INT, INT)
        self.text_object = plain(pdfium.FPDFText_GetTextObject, POINTER, POINTER, INT)
        self.render_mode = plain(pdfium.FPDFTextObj_GetTextRenderMode, INT, POINTER)
        self.fill_colour = plain(pdfium.FPDFText_GetFillColor, INT, POINTER, INT, *[POINTER] * 4)
        self.font = plain(pdfium.FPDFTextObj_GetFont, POINTER, POINTER)
        self.font_weight = plain(pdfium.FPDFText_GetFontWeight, INT, POINTER, INT)
        self.font_info = plain(
            pdfium.FPDFText_GetFontInfo, ctypes.c_ulong, POINTER, INT, POINTER, ctypes.c_ulong, POINTER
        )


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()
