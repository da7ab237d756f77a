from __future__ import annotations

from parsers.document import Cell
from parsers.documents.spans import spread


def test_a_span_down_is_cut_at_the_last_row() -> None:
    ((cell,), (below,)) = spread([[Cell("a", row_span=9)], []])
    assert cell.row_span == 2
    assert below.origin == (1, 1)


def test_short_rows_are_filled_up() -> None:
    rows = spread([[Cell("a"), Cell("b")], [Cell("c")]])
    assert [[cell.text for cell in row] for row in rows] == [["a", "b"], ["c", ""]]
    assert [cell.column for cell in rows[1]] == [1, 2]
