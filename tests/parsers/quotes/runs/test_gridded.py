from __future__ import annotations

from parsers.document import Line
from parsers.quotes.runs.lines.aligned import header_line
from parsers.quotes.runs.lines.gridded import as_grid, holds_pairs


def line(text: str, number: int = 1) -> Line:
    return Line(number, text, 0)


def test_rows_hold_pairs_where_half_of_them_do() -> None:
    assert holds_pairs([line("XYZ 5 03/34   98.25/98.75"), line("ABC 4 01/30   97/98")])
    assert not holds_pairs([line("XYZ 5 03/34   98.25   98.75"), line("ABC 4 01/30   97   98")])


def test_the_fraction_in_a_bonds_coupon_is_no_pair() -> None:
    assert not holds_pairs([line("ONT 4.15 06/34   62   60   CAN 2 7/8 06/45")])
    assert holds_pairs([line("XYZ 5 03/34   98 1/4 / 98 3/4")])


def test_a_cell_stands_under_the_heading_it_overlaps() -> None:
    head = line("Name           Bid      Ask      Size", 4)
    header = header_line(head.text)
    assert header is not None
    grid = as_grid(header, head, [line("XYZ 5 03/34             98.75    5", 5)])
    assert [cell.text for cell in grid.rows[1].cells] == ["XYZ 5 03/34", "", "98.75", "5"]
    assert [row.number for row in grid.rows] == [4, 5]
