from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.document import Cell
from parsers.documents.spans import spread
from parsers.documents.unreadable import Unreadable


def test_a_span_down_is_cut_at_the_last_row() -> None:
    ((cell,), (below,)) = spread([[Cell("a", row_span=9)], []])
    assert cell.row_span == 2
    assert below.origin == (1, 1)


def test_short_rows_are_filled_up() -> None:
    rows = spread([[Cell("a"), Cell("b")], [Cell("c")]])
    assert [[cell.text for cell in row] for row in rows] == [["a", "b"], ["c", ""]]
    assert [cell.column for cell in rows[1]] == [1, 2]


def test_one_wide_row_does_not_widen_countless_others() -> None:
    with pytest.raises(Unreadable) as refused:
        spread([[Cell("a", col_span=1000)], *([Cell("b")] for _ in range(2001))])
    assert refused.value.code is Code.PART_TOO_LARGE
