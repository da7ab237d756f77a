"""What stands on a page in reading order: tables beside each other each behind its own titles (spec 5.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from parsers.documents.pdf.rows import Spacing, TextRow, chunks
from parsers.documents.pdf.tables.columns import Table
from parsers.documents.pdf.tables.prose import TextColumns

_BESIDE = 0.8  # of the font height: how far the tops of tables beside each other may lie apart
_TITLED = 3.0  # of the font height: how far above a table, or above its lower title, a title may end


def in_order(
    found: Sequence[Table], outside: Sequence[TextRow], texts: Sequence[TextColumns], measure: Spacing
) -> list[Table | TextRow]:
    """Tables and the rows outside them from top to bottom, columns of text one after the other.

    A row of titles over two tables beside each other is cut between them: each part stands before its table.
    """
    placed: list[Table | TextRow] = sorted([*found, *outside], key=lambda item: item.top)
    ordered: list[Table | TextRow] = []
    for item in _by_column(placed, texts, measure) if texts else placed:
        before = ordered[-1] if ordered else None
        if isinstance(item, Table) and isinstance(before, Table) and _are_beside(before, item, measure):
            left, right = sorted((before, item), key=lambda table: table.edges[0])
            ordered.pop()
            titles = _titles(ordered, (left.edges[-1] + right.edges[0]) / 2, before.top, measure)
            ordered = ordered[: len(ordered) - len(titles)]
            ordered += [*(one for one, _ in titles if one), left, *(other for _, other in titles if other), right]
        else:
            ordered.append(item)
    return ordered


def _by_column(
    placed: Sequence[Table | TextRow], texts: Sequence[TextColumns], measure: Spacing
) -> Iterator[Table | TextRow]:
    """Where text stands in columns, what is in the first comes before the second; what goes across parts the two."""
    waiting: list[tuple[int, Table | TextRow]] = []  # (column, item)
    current: TextColumns | None = None
    for item in placed:
        text = next((text for text in texts if text.has(_middle(item))), None)
        parts = _parts(item, text, measure) if text else [(0, item)]
        if text is not current or len(parts) == 0:
            yield from _columns_in_turn(waiting)
            waiting = []
        current = text
        waiting += parts or [(0, item)]
        if not parts:
            current = None
    yield from _columns_in_turn(waiting)


def _columns_in_turn(waiting: Sequence[tuple[int, Table | TextRow]]) -> Iterator[Table | TextRow]:
    return (item for _, item in sorted(waiting, key=lambda placed: placed[0]))


def _parts(item: Table | TextRow, text: TextColumns, measure: Spacing) -> list[tuple[int, Table | TextRow]]:
    """What of it stands in which column; nothing where a piece of it goes across a gutter."""
    if isinstance(item, Table):
        first, last = text.column(item.edges[0]), text.column(item.edges[-1])
        return [(first, item)] if first == last else []
    if any(text.column(part.x0) != text.column(part.x1) for part in chunks(item, measure.chunk_gap)):
        return []
    bounds = (float("-inf"), *text.gutters, float("inf"))
    sides = (item.within(*places) for places in pairwise(bounds))
    return [(column, side) for column, side in enumerate(sides) if side]


def _middle(item: Table | TextRow) -> float:
    return item.middle if isinstance(item, TextRow) else (item.rows[0].top + item.rows[-1].bottom) / 2


def _are_beside(one: Table, other: Table, measure: Spacing) -> bool:
    is_apart = one.edges[-1] <= other.edges[0] or other.edges[-1] <= one.edges[0]
    return is_apart and abs(one.top - other.top) <= _BESIDE * measure.height


def _titles(
    above: Sequence[Table | TextRow], gutter: float, top: float, measure: Spacing
) -> list[tuple[TextRow | None, TextRow | None]]:
    """The rows right above that have something over the right table and nothing across the gutter, cut there."""
    titles: list[tuple[TextRow | None, TextRow | None]] = []
    for row in reversed(above):
        if isinstance(row, Table) or top - row.bottom > _TITLED * measure.height:
            break
        if any(part.x0 < gutter < part.x1 for part in chunks(row, measure.chunk_gap)) or row.words[-1].x0 < gutter:
            break
        titles.insert(0, (row.within(float("-inf"), gutter), row.within(gutter, float("inf"))))
        top = row.top
    return titles
