"""Text of a PDF that is drawn and not seen: clipped away, or painted over afterwards.

Told is what the page itself draws: text in a form has places and an order of its own, and passes for seen.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any

from parsers.documents.pdfframe import Box, Frame
from parsers.documents.pdftext import address_of, plain

_SHARE = 0.8  # of a word's width that is painted over
_MAX_HEIGHT = 2_000  # points
_MAX_CLIPS, _MAX_CORNERS = 8, 50  # of a text: clips with more are passed over
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


class Unseen:
    """Of one page, which is open as long as this is used."""

    def __init__(self, page: Any, frame: Frame, covers: Iterable[tuple[int, Box]], pdfium: Any) -> None:
        """`covers` are the opaque rectangles of the page, each with its place in the order of painting."""
        self._page = page
        self._frame = frame
        self._is_text = pdfium.FPDF_PAGEOBJ_TEXT
        self._ask = _functions()
        self._point = (ctypes.c_float * 2)()
        self._point_at = [ctypes.addressof(self._point) + 4 * part for part in (0, 1)]
        self._clips: dict[int, Box | None] = {}  # by text object
        self._covers: dict[int, list[tuple[int, Box]]] = defaultdict(list)  # by height
        for at, box in covers:
            for height in range(int(box[1]), int(box[3]) + 1) if 0 <= box[3] - box[1] <= _MAX_HEIGHT else ():
                self._covers[height].append((at, box))

    @cached_property
    def _order(self) -> dict[int, int]:
        """When the page's own text objects are painted."""
        page = address_of(self._page)
        items = (self._ask.item(page, at) for at in range(self._ask.items(page)))
        return {item: at for at, item in enumerate(items) if self._ask.kind(item) == self._is_text}

    def hides(self, drawn: int | None, box: Box) -> bool:
        """Whether nothing is seen of a word of this text object in this box."""
        if not drawn:
            return False
        covers = self._covers.get(int((box[1] + box[3]) / 2), ()) if self._covers else ()
        if not covers and self._ask.clip_count(self._ask.clip_path(drawn)) <= 0:  # most
            return False
        if drawn in self._clips:
            clip = self._clips[drawn]
        else:
            clip = self._clips[drawn] = self._clip(drawn)
        if clip is not None and _lies_apart(box, clip):
            return drawn in self._order
        after = max((at for at, cover in covers if _covers(cover, box)), default=-1)
        return after >= 0 and self._order.get(drawn, after) < after

    def _clip(self, drawn: int) -> Box | None:
        """What of the page the text may be painted on, if not all."""
        path = self._ask.clip_path(drawn)
        boxes = [self._clip_box(path, number) for number in range(min(self._ask.clip_count(path), _MAX_CLIPS))]
        told = [box for box in boxes if box is not None]
        if not told:
            return None
        lefts, tops, rights, bottoms = zip(*told, strict=True)
        return max(lefts), max(tops), min(rights), min(bottoms)

    def _clip_box(self, path: int, number: int) -> Box | None:
        corners = self._ask.clip_corners(path, number)
        if not 2 < corners <= _MAX_CORNERS:
            return None
        xs, ys = [], []
        for corner in range(corners):
            if not self._ask.point(self._ask.clip_corner(path, number, corner), *self._point_at):
                return None
            xs.append(self._point[0])
            ys.append(self._point[1])
        return self._frame.box(min(xs), min(ys), max(xs), max(ys))


def _lies_apart(box: Box, clip: Box) -> bool:
    return box[2] <= clip[0] or box[0] >= clip[2] or box[3] <= clip[1] or box[1] >= clip[3]


def _covers(cover: Box, box: Box) -> bool:
    shared = min(cover[2], box[2]) - max(cover[0], box[0])
    return cover[1] <= (box[1] + box[3]) / 2 <= cover[3] and shared >= _SHARE * (box[2] - box[0])


class _Functions:
    """Of pdfium's, with plain arguments."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self.items = plain(pdfium.FPDFPage_CountObjects, _INT, _POINTER)
        self.item = plain(pdfium.FPDFPage_GetObject, _POINTER, _POINTER, _INT)
        self.kind = plain(pdfium.FPDFPageObj_GetType, _INT, _POINTER)
        self.clip_path = plain(pdfium.FPDFPageObj_GetClipPath, _POINTER, _POINTER)
        self.clip_count = plain(pdfium.FPDFClipPath_CountPaths, _INT, _POINTER)
        self.clip_corners = plain(pdfium.FPDFClipPath_CountPathSegments, _INT, _POINTER, _INT)
        self.clip_corner = plain(pdfium.FPDFClipPath_GetPathSegment, _POINTER, _POINTER, _INT, _INT)
        self.point = plain(pdfium.FPDFPathSegment_GetPoint, _INT, _POINTER, _POINTER, _POINTER)


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()
