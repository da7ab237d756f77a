"""What is drawn on a PDF page: strokes, thin rectangles and outlines as lines, filled rectangles as shading."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from functools import lru_cache

from parsers.documents.pdf.calls import INT, POINTER, plain
from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.objects import Form, Painted, clip_of, functions
from parsers.documents.pdf.page import Ruling

_THIN = 2.5  # points: a rectangle thinner than this is drawn as a line
_SHORT = 4.0  # points: no line of a table is shorter
_MAX_PATHS = 20_000  # of a page: charts have more, and are no tables
_MAX_SEGMENTS = 2_000  # of a path
_MAX_CORNERS = 6  # segments of a path that may be a rectangle
_LINE_TO, _MOVE_TO = 0, 2  # FPDF_SEGMENT_LINETO, _MOVETO
WHITE = 0xF8  # of each colour: a fill as bright as this is none
_OPAQUE = 0xFF
_WHOLE = 0.7  # of the page's area: a fill larger than this is the paper
_MAX_FILLS = 2_000  # of a page: each is looked at for each word


Drawn = tuple[list[Ruling], list[Ruling], list[Box], list[tuple[int, Box]]]


def rulings(found: Painted, frame: Frame) -> Drawn:
    """Lines across, lines down, shaded rectangles, and opaque ones by the order of painting; as shown."""
    ask = _functions()
    across: list[Ruling] = []
    down: list[Ruling] = []
    fills: list[Box] = []
    covers: list[tuple[int, Box]] = []
    for at, path, inside in found.paths[:_MAX_PATHS]:
        if not ask.bounds(path, *ask.four_at):
            continue
        left, bottom, right, top = bounds = inside.box(_four(ask))
        if right - left <= _THIN or top - bottom <= _THIN:
            lines: Iterable[Box] = (bounds,)
        else:
            is_filled, is_stroked = _modes(path)
            if is_filled and max(len(fills), len(covers)) < _MAX_FILLS:
                is_shade, cover = _fill(path, bounds, inside)
                box = frame.box(*bounds)
                is_paper = (box[2] - box[0]) * (box[3] - box[1]) >= _WHOLE * frame.area
                fills += [box] * (is_shade and not is_paper)
                covers += [(at, frame.box(*cover))] if cover is not None else []
            lines = _segments(path, inside) if is_stroked else ()
        for box in lines:
            x0, top, x1, bottom = frame.box(*box)
            if bottom - top <= _THIN and x1 - x0 >= _SHORT:
                across.append(Ruling((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= _THIN and bottom - top >= _SHORT:
                down.append(Ruling((x0 + x1) / 2, top, bottom))
    return across, down, fills, covers


def _four(ask: _Functions) -> Box:
    left, bottom, right, top = ask.four
    return left, bottom, right, top


def _modes(path: int) -> tuple[bool, bool]:
    """Whether it is filled, and whether stroked."""
    ask = _functions()
    if not ask.draw_mode(path, *ask.two_at):
        return False, False
    fill, stroke = ask.two
    return bool(fill), bool(stroke)


def _fill(path: int, bounds: Box, inside: Form) -> tuple[bool, Box | None]:
    """Of a rectangle that is filled: whether with another colour than white, and where nothing shines through."""
    ask = _functions()
    if ask.segments(path) > _MAX_CORNERS or not ask.fill_colour(path, *ask.colour_at):
        return False, None
    red, green, blue, alpha = ask.colour
    is_shade = alpha > 0 and min(red, green, blue) < WHITE
    if alpha != _OPAQUE or not inside.is_opaque or functions().transparency(path):
        return is_shade, None
    clip, is_exact = clip_of(path, inside)
    cover = max(bounds[0], clip[0]), max(bounds[1], clip[1]), min(bounds[2], clip[2]), min(bounds[3], clip[3])
    is_seen = is_exact and cover[0] < cover[2] and cover[1] < cover[3]
    return is_shade, cover if is_seen else None


def _segments(path: int, inside: Form) -> Iterator[Box]:
    """The straight pieces of a path on the page, as boxes without thickness."""
    ask = _functions()
    functions().matrix(path, ask.six_at)
    a, b, c, d, e, f = ask.six
    start = here = (0.0, 0.0)
    for index in range(min(ask.segments(path), _MAX_SEGMENTS)):
        segment = ask.segment(path, index)
        functions().point(segment, *ask.four_at[:2])
        x, y, _, _ = ask.four
        there = inside.point(a * x + c * y + e, b * x + d * y + f)
        kind = ask.segment_kind(segment)
        if kind == _MOVE_TO:
            start = there
        elif kind == _LINE_TO:
            yield _box(here, there)
        if ask.closes(segment):
            yield _box(there, start)
        here = there


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


class _Functions:
    """Of pdfium's, with plain arguments, and where they put what they tell."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self.four, self.six = (ctypes.c_float * 4)(), (ctypes.c_float * 6)()
        self.two, self.colour = (ctypes.c_int * 2)(), (ctypes.c_uint * 4)()
        self.four_at, self.two_at, self.colour_at = (
            [ctypes.addressof(told) + 4 * part for part in range(len(told))]
            for told in (self.four, self.two, self.colour)
        )
        self.six_at = ctypes.addressof(self.six)
        self.bounds = plain(pdfium.FPDFPageObj_GetBounds, INT, POINTER, *[POINTER] * 4)
        self.draw_mode = plain(pdfium.FPDFPath_GetDrawMode, INT, POINTER, POINTER, POINTER)
        self.fill_colour = plain(pdfium.FPDFPageObj_GetFillColor, INT, POINTER, *[POINTER] * 4)
        self.segments = plain(pdfium.FPDFPath_CountSegments, INT, POINTER)
        self.segment = plain(pdfium.FPDFPath_GetPathSegment, POINTER, POINTER, INT)
        self.segment_kind = plain(pdfium.FPDFPathSegment_GetType, INT, POINTER)
        self.closes = plain(pdfium.FPDFPathSegment_GetClose, INT, POINTER)


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()
