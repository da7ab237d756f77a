"""What is drawn on a PDF page: strokes, thin rectangles and outlines as lines, filled rectangles as shading."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from typing import Any

from parsers.documents.pdfframe import Box, Frame
from parsers.documents.pdfpage import Ruling

_THIN = 2.5  # points: a rectangle thinner than this is drawn as a line
_SHORT = 4.0  # points: no line of a table is shorter
_MAX_PATHS = 20_000  # of a page: charts have more, and are no tables
_MAX_SEGMENTS = 2_000  # of a path
_MAX_DEPTH = 4  # of forms in forms
_MAX_CORNERS = 6  # segments of a path that may be a rectangle
WHITE = 0xF8  # of each colour: a fill as bright as this is none
_WHOLE = 0.7  # of the page's area: a fill larger than this is the paper
_MAX_FILLS = 2_000  # of a page: each is looked at for each word


Drawn = tuple[list[Ruling], list[Ruling], list[Box], list[tuple[int, Box]]]


def rulings(page: Any, frame: Frame, pdfium: Any) -> Drawn:
    """Lines across, lines down, shaded rectangles, and opaque ones by the order of painting; as shown."""
    across: list[Ruling] = []
    down: list[Ruling] = []
    fills: list[Box] = []
    covers: list[tuple[int, Box]] = []
    for seen, (at, path) in enumerate(_paths(page, pdfium)):
        if seen == _MAX_PATHS:
            break
        bounds = _bounds(path, pdfium)
        if bounds is None:
            continue
        if bounds[2] - bounds[0] <= _THIN or bounds[3] - bounds[1] <= _THIN:
            lines: Iterable[Box] = (bounds,)
        else:
            is_filled, is_stroked = _modes(path, pdfium)
            if is_filled and max(len(fills), len(covers)) < _MAX_FILLS:
                is_shade, is_opaque = _fill(path, pdfium)
                box = frame.box(*bounds)
                is_paper = (box[2] - box[0]) * (box[3] - box[1]) >= _WHOLE * frame.area
                fills += [box] * (is_shade and not is_paper)
                covers += [(at, box)] * is_opaque
            lines = _segments(path, pdfium) if is_stroked else ()
        for box in lines:
            x0, top, x1, bottom = frame.box(*box)
            if bottom - top <= _THIN and x1 - x0 >= _SHORT:
                across.append(Ruling((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= _THIN and bottom - top >= _SHORT:
                down.append(Ruling((x0 + x1) / 2, top, bottom))
    return across, down, fills, covers


def _paths(page: Any, pdfium: Any) -> Iterator[tuple[int, Any]]:
    """Path objects of a page in their order, those inside forms that do not move what they hold included."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        for path in _paths_in(pdfium.FPDFPage_GetObject(page, index), pdfium, 0):
            yield index, path


def _paths_in(item: Any, pdfium: Any, depth: int) -> Iterator[Any]:
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        yield item
    elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH and _is_identity(item, pdfium):
        for index in range(pdfium.FPDFFormObj_CountObjects(item)):
            yield from _paths_in(pdfium.FPDFFormObj_GetObject(item, index), pdfium, depth + 1)


def _is_identity(item: Any, pdfium: Any) -> bool:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix)):
        return False
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f) == (1, 0, 0, 1, 0, 0)


def _bounds(path: Any, pdfium: Any) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(path, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _modes(path: Any, pdfium: Any) -> tuple[bool, bool]:
    """Whether it is filled, and whether stroked."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke):
        return False, False
    return bool(fill.value), bool(stroke.value)


def _fill(path: Any, pdfium: Any) -> tuple[bool, bool]:
    """Of a rectangle that is filled: whether with another colour than white, and whether nothing shines through."""
    if pdfium.FPDFPath_CountSegments(path) > _MAX_CORNERS:
        return False, False
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, alpha):
        return False, False
    is_shade = alpha.value > 0 and min(red.value, green.value, blue.value) < WHITE
    return is_shade, alpha.value == 0xFF and not pdfium.FPDFPageObj_HasTransparency(path) and _is_whole(path, pdfium)


def _is_whole(path: Any, pdfium: Any) -> bool:
    """Nothing of it is clipped away."""
    clip = pdfium.FPDFPageObj_GetClipPath(path)
    return not clip or pdfium.FPDFClipPath_CountPaths(clip) <= 0


def _segments(path: Any, pdfium: Any) -> Iterator[Box]:
    """The straight pieces of a path, as boxes without thickness."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, ctypes.byref(matrix))
    x, y = ctypes.c_float(), ctypes.c_float()
    start = here = (0.0, 0.0)
    for index in range(min(pdfium.FPDFPath_CountSegments(path), _MAX_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        there = (matrix.a * x.value + matrix.c * y.value + matrix.e, matrix.b * x.value + matrix.d * y.value + matrix.f)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = there
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _box(here, there)
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield _box(there, start)
        here = there


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])
