"""Drawn lines that hang together: the frame of one table, with the places of its columns and rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from parsers.documents.pdf.page import Page, Ruling

NEAR = 3.0  # points: rulings this close are one, or touch
_STACK = 60.0  # points: lines across of one width this close frame one table
_TITLED = 1.6  # rows: what is higher, between two tables of one width, holds a title
_OUTER = 10.0  # points: lines across that reach this far past the lines down close a column there
_PARTED = 2  # lines in a column, at least: below its header, too
_CELL = 6.0  # points: a piece as long as this is the side of a cell


class Bar(Struct):
    """A line, which may be drawn in pieces that touch."""

    at: float
    start: float
    end: float
    pieces: list[Ruling]


class Lattice(Struct):
    """Lines of one table."""

    across: list[Bar]
    down: list[Bar]

    def columns(self) -> list[float]:
        """Where column borders stand: at lines down, and where the pieces of lines across meet."""
        levels = len(merged([bar.at for bar in self.across]))
        places = _shared([piece for bar in self.across for piece in bar.pieces], max(levels, 3))
        if self.down:
            own = [bar.at for bar in self.down]
            places += own + self._outer(min(own), max(own))
        return merged(places)

    def _outer(self, first: float, last: float) -> list[float]:
        """Where the lines across end, if that is well outside the lines down: tables without lines at their sides."""
        left, right = min(bar.start for bar in self.across), max(bar.end for bar in self.across)
        return [left] * (first - left > _OUTER) + [right] * (right - last > _OUTER)

    def rows(self) -> list[float]:
        """Where row borders stand: at lines across; where these part few rows, also where pieces of lines down meet."""
        across = merged([bar.at for bar in self.across])
        sides = len(merged([bar.at for bar in self.down]))
        ends = _shared([piece for bar in self.down for piece in bar.pieces], max(sides, 2))
        places = merged([*across, *(end for end in ends if across[0] < end < across[-1])])
        return places if len(places) > 2 * len(across) else across

    def spanned(self, columns: Sequence[float], rows: Sequence[float]) -> Iterator[tuple[int, int, int]]:
        """(column, first band, last band): bands that lines across part elsewhere, and not in this column.

        A column without a line between its rows is none of that: it has no lines at all.
        """
        levels = [[bar for bar in self.across if abs(bar.at - at) <= NEAR] for at in rows]
        for column, (left, right) in enumerate(pairwise(columns)):
            middle = (left + right) / 2
            closed = [not bars or any(bar.start <= middle <= bar.end for bar in bars) for bars in levels]
            lines = sum(bool(bars) and is_closed for bars, is_closed in zip(levels[1:-1], closed[1:-1], strict=True))
            if lines < _PARTED:
                continue
            ends = [at for at, is_closed in enumerate(closed) if is_closed or at in (0, len(rows) - 1)]
            yield from ((column, start, end - 1) for start, end in pairwise(ends) if end - start > 1)


def lattices(page: Page) -> list[Lattice]:
    """Rulings in groups: those that cross or touch, and stacks of lines across with the same ends."""
    found: list[Lattice] = []
    walls = _bars(page.down)
    for bar in _bars(page.across):
        home = next((lattice for lattice in found if _joins(lattice, bar, walls)), None)
        if home is None:
            home = Lattice([], [])
            found.append(home)
        home.across.append(bar)
    for wall in walls:
        home = next((lattice for lattice in found if any(_cross(bar, wall) for bar in lattice.across)), None)
        if home is not None:
            home.down.append(wall)
    return found


def _bars(lines: Sequence[Ruling]) -> list[Bar]:
    """Lines of one direction by place, pieces that touch taken together."""
    places = merged([line.at for line in lines])
    by_place: dict[float, list[Bar]] = {place: [] for place in places}
    for line in sorted(lines, key=lambda line: line.start):
        bars = by_place[places[bisect_right(places, line.at) - 1]]
        if bars and line.start <= bars[-1].end + NEAR:
            bars[-1].end = max(bars[-1].end, line.end)
            bars[-1].pieces.append(line)
        else:
            bars.append(Bar(line.at, line.start, line.end, [line]))
    return [bar for bars in by_place.values() for bar in bars]


def _joins(lattice: Lattice, bar: Bar, walls: Sequence[Bar]) -> bool:
    """The bar has the ends of the lattice's last one and is near, or a line down connects them."""
    last = max(other.at for other in lattice.across)
    level = [other for other in lattice.across if abs(other.at - last) <= NEAR]
    left, right = min(other.start for other in level), max(other.end for other in level)
    if right < bar.start - NEAR or bar.end < left - NEAR:
        return False
    same_ends = abs(left - bar.start) <= NEAR and abs(right - bar.end) <= NEAR
    own = [wall for wall in walls if bar.start - NEAR <= wall.at <= bar.end + NEAR]
    if any(wall.start <= last + NEAR and wall.end >= bar.at - NEAR for wall in own):
        return True
    return same_ends and bar.at - last <= _STACK and not _is_between_tables(lattice, last, bar.at, own)


def _is_between_tables(lattice: Lattice, last: float, top: float, walls: Sequence[Bar]) -> bool:
    """Whether lines down end above a gap and begin again below it, which is higher than two rows: a title's."""
    above = max((bar.at for bar in lattice.across if bar.at < last - NEAR), default=last)
    is_high = last > above and top - last > _TITLED * (last - above)
    ends = any(abs(wall.end - last) <= NEAR for wall in walls)
    return is_high and ends and any(last + NEAR < wall.start <= top + NEAR for wall in walls)


def _cross(bar: Bar, wall: Bar) -> bool:
    return bar.start - NEAR <= wall.at <= bar.end + NEAR and wall.start - NEAR <= bar.at <= wall.end + NEAR


def _shared(pieces: Sequence[Ruling], least: int) -> list[float]:
    """Where at least so many pieces end or begin."""
    ends = sorted(end for piece in pieces if piece.end - piece.start >= _CELL for end in (piece.start, piece.end))
    return [end for end in ends if bisect_right(ends, end + NEAR) - bisect_left(ends, end - NEAR) >= least]


def merged(places: Sequence[float]) -> list[float]:
    """Sorted, those within NEAR of each other as one."""
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > NEAR:
            kept.append(place)
    return kept
