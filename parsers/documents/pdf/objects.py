"""The texts and paths of a PDF page in the order in which they are painted, those in forms included, in one walk.

A form has coordinates of its own, and may be cut off at its edges: both are told with what lies in it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.documents.pdf.calls import INT, POINTER, plain
from parsers.documents.pdf.frame import Box
from parsers.documents.pdf.layers import layer_of

_TEXT, _PATH, _FORM = 1, 2, 5  # FPDF_PAGEOBJ_TEXT, _PATH, _FORM
_MAX_DEPTH = 4  # of forms in forms
_MAX_OBJECTS = 500_000  # of a page
_MAX_CLIPS, _MAX_CORNERS = 8, 50  # of an object: clips with more are passed over
_RECTANGLE = (4, 5)  # corners
_ALL: Box = (float("-inf"), float("-inf"), float("inf"), float("inf"))
Matrix = tuple[float, float, float, float, float, float]


class Form(Struct, frozen=True):
    """What an object lies in: the page, or a form on it."""

    matrix: Matrix = (1, 0, 0, 1, 0, 0)  # from its coordinates to the page's
    clip: Box = _ALL  # what is seen of it at most, in the page's coordinates
    is_opaque: bool = True  # nothing shines through what is opaque in it, and it ends where its clip does

    def point(self, x: float, y: float) -> tuple[float, float]:
        """One of its points on the page."""
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    def box(self, box: Box) -> Box:
        """One of its boxes on the page."""
        if self is PAGE:
            return box
        left, bottom, right, top = box
        return _around([self.point(x, y) for x in (left, right) for y in (bottom, top)])


PAGE = Form()


class Painted(Struct):
    """What was found, by address. Numbers are places in the order of painting."""

    texts: dict[int, int] = field(default_factory=dict)
    clipped: dict[int, Form] = field(default_factory=dict)  # texts that may be cut off, and what they lie in
    paths: list[tuple[int, int, Form]] = field(default_factory=list)  # number, address, and what it lies in
    layers: dict[int, str] = field(default_factory=dict)  # of texts and paths that are marked with one
    off: frozenset[int] = frozenset()  # texts in layers that are off
    count: int = 0


def painted(page: int, *, layers: bool = False) -> Painted:
    """The objects of the page at this address, which is open as long as they are used; `layers` asks for them too."""
    found = Painted()
    ask = functions()
    _walk(found, (page, ask.items, ask.item), PAGE, 0, layer_of if layers else None)
    return found


def shown(found: Painted, off: frozenset[str]) -> Painted:
    """The same without the paths in layers of these names, and with the texts in them told."""
    unseen = frozenset(item for item, layer in found.layers.items() if layer in off)
    paths = [path for path in found.paths if path[1] not in unseen]
    return replace(found, paths=paths, off=unseen & found.texts.keys())


_Layer = Callable[[int], str | None]
_Holder = tuple[int, Callable[[int], int], Callable[[int, int], int]]  # address, how many it holds, and each of them


def _walk(found: Painted, holder: _Holder, inside: Form, depth: int, layer: _Layer | None) -> None:
    ask = functions()
    kind_of, clip_path, clip_count, texts = ask.kind, ask.clip_path, ask.clip_count, found.texts
    address, count, item_at = holder
    is_cut_off = inside.clip is not _ALL
    for index in range(count(address)):
        item = item_at(address, index)
        found.count = number = found.count + 1
        if number > _MAX_OBJECTS:
            return
        kind = kind_of(item)
        on = layer(item) if layer is not None else None
        if on is not None:
            found.layers[item] = on
        if kind == _TEXT:
            texts[item] = number
            if is_cut_off or clip_count(clip_path(item)) > 0:
                found.clipped[item] = inside
        elif kind == _PATH:
            found.paths.append((number, item, inside))
        elif kind == _FORM and depth < _MAX_DEPTH:
            within = layer if on is None else _constant(on)
            _walk(found, (item, ask.form_items, ask.form_item), _form(item, inside), depth + 1, within)


def _constant(layer: str) -> _Layer:
    """All of a form is in the layer that the form is in."""
    return lambda _: layer


def _form(item: int, around: Form) -> Form:
    ask = functions()
    numbers = (ctypes.c_float * 6)()
    ask.matrix(item, ctypes.addressof(numbers))
    a, b, c, d, e, f = numbers
    k, l, m, n, _, _ = around.matrix  # noqa: E741 -- as the letters of a matrix go on
    x, y = around.point(e, f)
    clip, is_exact = clip_of(item, around)
    is_opaque = around.is_opaque and is_exact and not ask.transparency(item)
    return Form((a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, x, y), clip, is_opaque)


def clip_of(item: int, inside: Form) -> tuple[Box, bool]:
    """What of the page an object may be painted on, and whether on all of that."""
    ask = functions()
    path = ask.clip_path(item)
    count = ask.clip_count(path)
    box, is_exact = inside.clip, count <= _MAX_CLIPS
    for number in range(min(count, _MAX_CLIPS)):
        points = _corners(path, number, inside)
        if points:
            edges = _around(points)
            box = (max(box[0], edges[0]), max(box[1], edges[1]), min(box[2], edges[2]), min(box[3], edges[3]))
            is_exact = is_exact and len(points) in _RECTANGLE and len(set(points) - set(_corners_of(edges))) == 0
        else:
            is_exact = False
    return box, is_exact


def _corners(path: int, number: int, inside: Form) -> list[tuple[float, float]]:
    """The corners of a clip on the page; none of one that is passed over."""
    ask = functions()
    count = ask.clip_corners(path, number)
    if not 2 < count <= _MAX_CORNERS:
        return []
    numbers = (ctypes.c_float * 2)()
    x_at, y_at = ctypes.addressof(numbers), ctypes.addressof(numbers) + 4
    points = []
    for corner in range(count):
        if not ask.point(ask.clip_corner(path, number, corner), x_at, y_at):
            return []
        points.append(inside.point(numbers[0], numbers[1]))
    return points


def _around(points: list[tuple[float, float]]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _corners_of(box: Box) -> list[tuple[float, float]]:
    return [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]


class _Functions:
    """Of pdfium's, with plain arguments."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self.items = plain(pdfium.FPDFPage_CountObjects, INT, POINTER)
        self.item = plain(pdfium.FPDFPage_GetObject, POINTER, POINTER, INT)
        self.form_items = plain(pdfium.FPDFFormObj_CountObjects, INT, POINTER)
        self.form_item = plain(pdfium.FPDFFormObj_GetObject, POINTER, POINTER, ctypes.c_ulong)
        self.kind = plain(pdfium.FPDFPageObj_GetType, INT, POINTER)
        self.matrix = plain(pdfium.FPDFPageObj_GetMatrix, INT, POINTER, POINTER)
        self.transparency = plain(pdfium.FPDFPageObj_HasTransparency, INT, POINTER)
        self.clip_path = plain(pdfium.FPDFPageObj_GetClipPath, POINTER, POINTER)
        self.clip_count = plain(pdfium.FPDFClipPath_CountPaths, INT, POINTER)
        self.clip_corners = plain(pdfium.FPDFClipPath_CountPathSegments, INT, POINTER, INT)
        self.clip_corner = plain(pdfium.FPDFClipPath_GetPathSegment, POINTER, POINTER, INT, INT)
        self.point = plain(pdfium.FPDFPathSegment_GetPoint, INT, POINTER, POINTER, POINTER)


@lru_cache(maxsize=1)
def functions() -> _Functions:
    """Of pdfium's, with plain arguments."""
    return _Functions()
