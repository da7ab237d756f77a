"""What stands on a page in reading order: tables beside each other each behind its own titles (spec 5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.documents.pdf.columns import Table
from parsers.documents.pdf.rows import Spacing, TextRow, chunks

_BESIDE = 0.8  # of the font height: how far the tops of tables beside each other may lie apart
_TITLED = 3.0  # of the font height: how far above a table, or above its lower title, a title may end


def in_order(found: Sequence[Table], outside: Sequence[TextRow], measure: Spacing) -> list[Table | TextRow]:
    """Tables and the rows outside them from top to bottom.

    A row of titles over two tables beside each other is cut between them: each part stands before its table.
    """
    placed: list[Table | TextRow] = sorted([*found, *outside], key=lambda item: item.top)
    ordered: list[Table | TextRow] = []
    for item in placed:
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
