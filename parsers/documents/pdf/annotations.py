"""What annotations of a PDF withdraw: text that a reader's tool struck out, or marked to be blacked out."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.page import Word

_SHARE = 0.8  # of a word's width that is struck out
_MAX_ANNOTATIONS = 2_000  # of a page, most of them links
_MAX_QUADS = 500  # of a page: pieces of lines that are struck out
_MAX_HEIGHT = 2_000  # points


def withdrawn(page: Any, frame: Frame, pdfium: Any) -> list[Box]:
    """Where StrikeOut and Redact annotations lie that are shown (ISO 32000-1, 12.5.6.10; 32000-2, 12.5.6.23)."""
    boxes: list[Box] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            unseen = pdfium.FPDFAnnot_GetFlags(annotation) & (
                pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
            )
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind in (pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_REDACT) and not unseen:
                boxes += (frame.box(*box) for box in _places(annotation, pdfium))
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
        if len(boxes) >= _MAX_QUADS:
            break
    return boxes[:_MAX_QUADS]


def _places(annotation: Any, pdfium: Any) -> Iterator[Box]:
    """Its quadrilaterals, else its rectangle; left, bottom, right, top."""
    count = min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_QUADS)
    quad = pdfium.FS_QUADPOINTSF()
    for index in range(count):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, ctypes.byref(quad)):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield min(xs), min(ys), max(xs), max(ys)
    rect = pdfium.FS_RECTF()
    if not count and pdfium.FPDFAnnot_GetRect(annotation, ctypes.byref(rect)):
        yield rect.left, min(rect.bottom, rect.top), rect.right, max(rect.bottom, rect.top)


def struck_out(words: Iterable[Word], boxes: Iterable[Box]) -> Iterator[Word]:
    """The words, those in one of the boxes struck."""
    by_height: dict[int, list[Box]] = defaultdict(list)
    for box in boxes:
        if 0 <= box[3] - box[1] <= _MAX_HEIGHT:
            for height in range(int(box[1]), int(box[3]) + 1):
                by_height[height].append(box)
    for word in words:
        near = by_height.get(int(word.middle), ())
        yield replace(word, struck=True) if any(_lies_in(word, box) for box in near) else word


def _lies_in(word: Word, box: Box) -> bool:
    shared = min(word.x1, box[2]) - max(word.x0, box[0])
    return box[1] <= word.middle <= box[3] and shared >= _SHARE * (word.x1 - word.x0)
