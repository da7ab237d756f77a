"""From a PDF's coordinates to a reader's."""

from __future__ import annotations

Box = tuple[float, float, float, float]  # left, bottom, right, top in pdfium's order; as shown: x0, top, x1, bottom


class Frame:
    """Turns pdfium's coordinates (unrotated, y upwards) into a reader's (rotated as shown, y downwards)."""

    def __init__(self, rotation: int, width: float, height: float) -> None:
        self._rotation = rotation
        self._width = width  # as shown
        self._height = height

    @property
    def area(self) -> float:
        """Of the page."""
        return self._width * self._height

    @property
    def upright_height(self) -> float | None:
        """Of a page that is shown as it is; None for one that is turned."""
        return self._height if self._rotation == 0 else None

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """(x0, top, x1, bottom) as shown."""
        if self._rotation == 0:  # most
            return left, self._height - top, right, self._height - bottom
        if self._rotation == 90:
            return bottom, left, top, right
        if self._rotation == 180:
            return self._width - right, bottom, self._width - left, top
        return self._width - top, self._height - right, self._width - bottom, self._height - left
