from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid
from parsers.documents.csv import MAX_ROWS, read_csv, sniff_delimiter
from parsers.documents.unreadable import Unreadable

Grids = Callable[[Document], list[Grid]]
Texts = Callable[[Grid], list[list[str]]]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        pytest.param(
            b'CUSIP,Px,Amt\n03066KAC4,100.84,"10,000"\n', ["03066KAC4", "100.84", "10,000"], id="comma, quotes"
        ),
        pytest.param(
            b"ISIN;Geld;Brief\nDE0001102580;98,25;98,35\n", ["DE0001102580", "98,25", "98,35"], id="semicolon"
        ),
        pytest.param(b"ISIN\tBid\tAsk\nXS1\t98,25\t98,35\n", ["XS1", "98,25", "98,35"], id="TAB"),
        pytest.param(b"ISIN|Bid|Ask\nXS1|98,25|98,35\n", ["XS1", "98,25", "98,35"], id="bar"),
    ],
)
def test_the_delimiter_is_the_one_that_divides_evenly(data: bytes, row: list[str], grids: Grids, texts: Texts) -> None:
    (grid,) = grids(read_csv(data))
    assert texts(grid)[1] == row


def test_row_numbers_count_every_record_and_rows_are_equally_long(grids: Grids, texts: Texts) -> None:
    (grid,) = grids(read_csv(b"Loans 18 Nov\n\nLXID,Bid\nLX131555,99\n"))
    assert texts(grid) == [["Loans 18 Nov", ""], ["", ""], ["LXID", "Bid"], ["LX131555", "99"]]
    assert [row.number for row in grid.rows] == [1, 2, 3, 4]
    assert grid.table_idx == 1


def test_a_text_without_columns_has_no_delimiter() -> None:
    assert sniff_delimiter("hello\nworld\n")[1] == 0


def test_rows_beyond_the_limit_are_left_and_the_document_says_so(grids: Grids) -> None:
    document = read_csv(b"a,b\n" * (MAX_ROWS + 5))
    assert document.truncated
    assert len(grids(document)[0].rows) == MAX_ROWS


@pytest.mark.parametrize("data", [b'a,"' + b"x" * 2_000_000, b"," * 100_000])
def test_a_field_or_row_without_end_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read_csv(data)
    assert refused.value.code is Code.PART_TOO_LARGE
