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
        self._page = _address(text_page)
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

    def look(self, index: int) -> tuple[bool, bool]:
        """Whether a character is bold, and whether nothing of it is seen on white paper."""
        drawn = self._ask.text_object(self._page, index)
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

        self.loose_box = _plain(pdfium.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
        self.count_rects = _plain(pdfium.FPDFText_CountRects, _INT, _POINTER, _INT, _INT)
        self.text_object = _plain(pdfium.FPDFText_GetTextObject, _POINTER, _POINTER, _INT)
        self.render_mode = _plain(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _POINTER)
        self.fill_colour = _plain(pdfium.FPDFText_GetFillColor, _INT, _POINTER, _INT, *[_POINTER] * 4)
        self.font = _plain(pdfium.FPDFTextObj_GetFont, _POINTER, _POINTER)
        self.font_weight = _plain(pdfium.FPDFText_GetFontWeight, _INT, _POINTER, _INT)
        self.font_info = _plain(
            pdfium.FPDFText_GetFontInfo, ctypes.c_ulong, _POINTER, _INT, _POINTER, ctypes.c_ulong, _POINTER
        )


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()


def _plain(function: Any, result: type[Any], *arguments: type[Any]) -> Callable[..., Any]:
    return ctypes.CFUNCTYPE(result, *arguments)(_address(function))


def _address(pointer: Any) -> int:
    return int(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
