"""Text of a PDF that is drawn and not seen: clipped away, painted over afterwards, or in a layer that is off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from parsers.documents.pdf.frame import Box, Frame
from parsers.documents.pdf.objects import Painted, clip_of

_SHARE = 0.8  # of a word's width that is painted over
_MAX_HEIGHT = 2_000  # points


class Unseen:
    """Of one page, which is open as long as this is used."""

    def __init__(self, found: Painted, frame: Frame, covers: Iterable[tuple[int, Box]]) -> None:
        """`covers` are the opaque rectangles of the page, each with its place in the order of painting."""
        self._found = found
        self._frame = frame
        self._clips: dict[int, Box] = {}  # by text
        self._covers: dict[int, list[tuple[int, Box]]] = defaultdict(list)  # by height; those below all text are none
        first = next(iter(found.texts.values()), 0)
        for at, box in covers if first else ():
            for height in range(int(box[1]), int(box[3]) + 1) if at > first and box[3] - box[1] <= _MAX_HEIGHT else ():
                self._covers[height].append((at, box))
        self.any = bool(found.clipped or found.off or self._covers)

    def hides(self, drawn: int | None, box: Box) -> bool:
        """Whether nothing is seen of a word of this text object in this box."""
        if not drawn:
            return False
        if drawn in self._found.off:
            return True
        if drawn in self._found.clipped and _lies_apart(box, self._clip(drawn)):
            return True
        covers = self._covers.get(int((box[1] + box[3]) / 2), ()) if self._covers else ()
        after = max((at for at, cover in covers if _covers(cover, box)), default=-1)
        return after >= 0 and self._found.texts.get(drawn, after) < after

    def _clip(self, drawn: int) -> Box:
        """What of the page the text may be painted on, as shown."""
        clip = self._clips.get(drawn)
        if clip is None:
            clip = self._clips[drawn] = self._frame.box(*clip_of(drawn, self._found.clipped[drawn])[0])
        return clip


def _lies_apart(box: Box, clip: Box) -> bool:
    return box[2] <= clip[0] or box[0] >= clip[2] or box[3] <= clip[1] or box[1] >= clip[3]


def _covers(cover: Box, box: Box) -> bool:
    shared = min(cover[2], box[2]) - max(cover[0], box[0])
    return cover[1] <= (box[1] + box[3]) / 2 <= cover[3] and shared >= _SHARE * (box[2] - box[0])
