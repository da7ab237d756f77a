from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.document import Document, Grid
from parsers.documents.csv import read_csv, sniff_delimiter
from parsers.documents.limits import MAX_ROWS
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


def test_characters_without_width_are_no_text(grids: Grids, texts: Texts) -> None:
    (grid,) = grids(read_csv("CUSIP,Px\n03066KAC4,1\u200b00.84\n".encode()))
    assert texts(grid)[1] == ["03066KAC4", "100.84"]


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


@pytest.mark.parametrize("data", [b'a,"' + b"x" * 2_000_000, b"," * 100_000, b"," * 9_000 + b"\na" * 9_000])
def test_a_field_a_row_or_a_table_without_end_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read_csv(data)
    assert refused.value.code is Code.PART_TOO_LARGE


HEAD = b"ISIN,Security,Bid,Ask\n"


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        pytest.param(
            b'A,"x 5,1,2\nB,y,3,4\nC,z,5,6\n',
            [["A", "x 5", "1", "2"], ["B", "y", "3", "4"], ["C", "z", "5", "6"]],
            id="to the end",
        ),
        pytest.param(
            b'A,"x 5,1,2\nB,"1,000",3,4\n', [["A", "x 5", "1", "2"], ["B", "1,000", "3", "4"]], id="to a quote"
        ),
        pytest.param(b'A,x,1,"2\nB,y,3,4\n', [["A", "x", "1", "2"], ["B", "y", "3", "4"]], id="in the last column"),
        pytest.param(b'"A,x,1,2\n"B,y,3,4\n', [["A", "x", "1", "2"], ["B", "y", "3", "4"]], id="in each row"),
    ],
)
def test_a_quote_that_is_never_closed_swallows_no_rows(
    rows: bytes, found: list[list[str]], grids: Grids, texts: Texts
) -> None:
    assert texts(grids(read_csv(HEAD + rows))[0])[1:] == found


@pytest.mark.slow
def test_an_open_quote_before_a_million_characters_swallows_no_rows(grids: Grids) -> None:
    rows = b"".join(b"XS%010d,x,1,2\n" % number for number in range(80_000))
    assert len(grids(read_csv(HEAD + b'A,"x,1,2\n' + rows))[0].rows) == 80_002


def test_a_cell_of_several_lines_is_one_cell(grids: Grids, texts: Texts) -> None:
    data = HEAD + b'A,"x\ny",1,2\nB,"a, b, c\nd, e",3,4\n"C\nc",z,5,6\n'
    assert texts(grids(read_csv(data))[0])[1:] == [
        ["A", "x y", "1", "2"],
        ["B", "a, b, c d, e", "3", "4"],
        ["C c", "z", "5", "6"],
    ]


@pytest.mark.slow
def test_as_many_rows_as_the_limit_are_whole() -> None:
    assert not read_csv(b"a,b\n" * MAX_ROWS).truncated


def test_titles_above_a_short_table_do_not_make_it_prose() -> None:
    text = "Desk run\nSASB, 19-Nov-2026\nSizes in mm; all USD\n\nCUSIP,Deal,Bid,Ask\nA,B,1,2\nC,D,3,4\n"
    assert sniff_delimiter(text) == (",", 1.0)


def test_titles_above_a_table_of_many_columns_may_be_more_than_its_rows() -> None:
    titles = "Larkhill Brothers\nFor institutions only\nPrices as of 07:30\nSubject to prior sale\n\n"
    assert sniff_delimiter(titles + "a,b,c,d,e,f\n1,2,3,4,5,6\n") == (",", 1.0)


def test_a_run_above_a_signature_with_commas_is_no_table() -> None:
    run = "".join(f"T {coupon} 05/15/34 99-10/99-11\n" for coupon in range(1, 9))
    assert sniff_delimiter(f"UST run below\n{run}Remy, the desk\nLondon, UK\n")[1] < 0.5
