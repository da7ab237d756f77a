"""The lines drawn on a PDF page: strokes, thin rectangles, and the outlines of boxes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from parsers.documents.pdfframe import Frame
from parsers.documents.pdfpage import Ruling

_THIN = 2.5  # points: a rectangle thinner than this is drawn as a line
_SHORT = 4.0  # points: no line of a table is shorter
_MAX_PATHS = 20_000  # of a page: charts have more, and are no tables
_MAX_SEGMENTS = 2_000  # of a path
_MAX_DEPTH = 4  # of forms in forms
_Box = tuple[float, float, float, float]  # left, bottom, right, top


def rulings(page: Any, frame: Frame, pdfium: Any) -> tuple[list[Ruling], list[Ruling]]:
    """Lines across and lines down, as shown."""
    across: list[Ruling] = []
    down: list[Ruling] = []
    for seen, path in enumerate(_paths(page, pdfium)):
        if seen == _MAX_PATHS:
            break
        for box in _lines(path, pdfium):
            x0, top, x1, bottom = frame.box(*box)
            if bottom - top <= _THIN and x1 - x0 >= _SHORT:
                across.append(Ruling((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= _THIN and bottom - top >= _SHORT:
                down.append(Ruling((x0 + x1) / 2, top, bottom))
    return across, down


def _paths(page: Any, pdfium: Any) -> Iterator[Any]:
    """Path objects of a page, those inside forms that do not move what they hold included."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        yield from _paths_in(pdfium.FPDFPage_GetObject(page, index), pdfium, 0)


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


def _lines(path: Any, pdfium: Any) -> Iterator[_Box]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(path, left, bottom, right, top):
        return
    bounds = (left.value, bottom.value, right.value, top.value)
    if bounds[2] - bounds[0] <= _THIN or bounds[3] - bounds[1] <= _THIN:
        yield bounds
    elif _is_stroked(path, pdfium):
        yield from _segments(path, pdfium)


def _is_stroked(path: Any, pdfium: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(path, fill, stroke)) and bool(stroke.value)


def _segments(path: Any, pdfium: Any) -> Iterator[_Box]:
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


def _box(one: tuple[float, float], other: tuple[float, float]) -> _Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])
