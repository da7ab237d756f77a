"""What pdfium says of the characters of a page: where they stand, and how they are drawn.

A word costs five questions. pypdfium2's own functions check and wrap each argument, which takes as long as the answer:
so these are called by address. What holds for a whole text object, or a whole font, is asked once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from parsers.documents.pdfframe import Box, Frame
from parsers.documents.pdfrulings import WHITE

_BOLD_WEIGHT = 600
INVISIBLE = 3  # text rendering mode (ISO 32000-1, 9.3.6)
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


class PdfText:
    """The characters of a text page by index. The page is open as long as this is used."""

    def __init__(self, text_page: Any, frame: Frame) -> None:
        self._page = address_of(text_page)
        self._frame = frame
        self._ask = _functions()
        self._edges = (ctypes.c_float * 4)()  # left, top, right, bottom
        self._edges_at = ctypes.addressof(self._edges)
        self._colour = (ctypes.c_uint * 4)()  # red, green, blue, alpha
        self._colour_at = [ctypes.addressof(self._colour) + 4 * part for part in range(4)]
        self._name = ctypes.create_string_buffer(128)
        self._looks: dict[int | None, tuple[bool, bool]] = {}  # by text object
        self._bold: dict[int | None, bool] = {}  # by font

    def box(self, index: int) -> Box:
        """(x0, top, x1, bottom) of the advance and the font's height."""
        self._ask.loose_box(self._page, index, self._edges_at)
        left, top, right, bottom = self._edges[:]
        return self._frame.box(left, bottom, right, top)

    def pieces(self, start: int, end: int) -> int:
        """How many boxes pdfium draws around these characters."""
        return int(self._ask.count_rects(self._page, start, end - start))

    def text_object(self, index: int) -> int | None:
        """The address of what draws a character."""
        drawn: int | None = self._ask.text_object(self._page, index)
        return drawn

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
        red, green, blue, alpha = self._colour[:]
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


class _Functions:
    """Of pdfium's, with plain arguments."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self.loose_box = plain(pdfium.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
        self.count_rects = plain(pdfium.FPDFText_CountRects, _INT, _POINTER, _INT, _INT)
        self.text_object = plain(pdfium.FPDFText_GetTextObject, _POINTER, _POINTER, _INT)
        self.render_mode = plain(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _POINTER)
        self.fill_colour = plain(pdfium.FPDFText_GetFillColor, _INT, _POINTER, _INT, *[_POINTER] * 4)
        self.font = plain(pdfium.FPDFTextObj_GetFont, _POINTER, _POINTER)
        self.font_weight = plain(pdfium.FPDFText_GetFontWeight, _INT, _POINTER, _INT)
        self.font_info = plain(
            pdfium.FPDFText_GetFontInfo, ctypes.c_ulong, _POINTER, _INT, _POINTER, ctypes.c_ulong, _POINTER
        )


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()


def plain(function: Any, result: type[Any], *arguments: type[Any]) -> Callable[..., Any]:
    """A function of pypdfium2's that takes addresses and numbers as they are."""
    return ctypes.CFUNCTYPE(result, *arguments)(address_of(function))


def address_of(pointer: Any) -> int:
    """Of what a pointer of pypdfium2's points at; 0 for nothing."""
    return int(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
