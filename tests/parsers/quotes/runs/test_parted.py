"""Tables pasted into text (spec 5.1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from parsers.documents.text import text_lines
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.lines.parted import mark_of, parted

STACKED = [
    ["Bond", "Px", "", "Size", ""],
    ["", "Bid", "Ask", "Bid", "Ask"],
    ["AGENCY", "", "", "", ""],
    ["FHLB 4 3/4 12/10/27", "101-04", "101-05+", "5", "5"],
    ["TVA 4 3/8 08/01/34", "99-28", "100-04", "", "3"],
]


def tabbed(rows: list[list[str]]) -> str:
    return "".join("\t".join(row).rstrip() + "\n" for row in rows)


def barred(rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def listed(rows: list[list[str]]) -> str:
    return "".join(";".join(row) + "\n" if any(row[1:]) else f"{row[0]}\n" for row in rows)


def blanked(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    return "".join("".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


def rows_of(text: str) -> list[list[str]]:
    found = parted(lines := text_lines(text), 0, len(lines))
    assert found is not None
    return [[cell.text for cell in row.cells] for row in found.grid.rows]


def test_tabs_bars_commas_and_blanks_part_the_same_cells() -> None:
    for written in (tabbed, barred, blanked, listed):
        assert rows_of(written(STACKED)) == STACKED
    assert rows_of(listed(STACKED).replace(";", ",")) == STACKED


def test_a_line_of_two_cells_without_a_tab_is_no_row() -> None:
    marks = [mark_of(text) for text in ("a | b", "a  b", "a\tb", "| a |", "a  b  c")]
    assert marks == [None, None, "\t", "|", " "]


def test_one_blank_parts_cells_where_a_heading_begins() -> None:
    text = "QTY  NAME         PRICE\n750  OHIO ST GO   116.21\n2000 WASHINGTON   111.87\n500  MAINE ST GO  101.02\n"
    assert rows_of(text)[2:] == [["2000", "WASHINGTON", "111.87"], ["500", "MAINE ST GO", "101.02"]]


def test_a_price_in_two_words_is_one_cell_under_a_heading_over_its_end() -> None:
    text = "Facility        Bid    Offer\nAldgate TLB  99 3/4  100 1/2\nBramble TLB  94 1/4   94 1/2\n"
    assert rows_of(text)[1:] == [["Aldgate TLB", "99 3/4", "100 1/2"], ["Bramble TLB", "94 1/4", "94 1/2"]]


def test_a_rule_parts_no_headings_from_those_below() -> None:
    text = "Bond      Px            Cpn\n---------------------------\n          Bid    Ask\nA 5 33    98     99     5\nB 5 34    97     98     5\n"
    assert len(rows_of(text)) == 4


def test_rows_that_are_not_aligned_with_their_headings_are_no_table() -> None:
    text = "Name  Bid  Ask  Ref\nLongest name 5 33  88.25  88.75\nB 0 28  99  100  31\n"
    assert rows_of(text) == []


def test_headings_without_rows_are_no_table() -> None:
    assert rows_of(3 * "Name      Bid    Ask\n") == []


def test_headings_stand_over_the_ends_of_their_columns_too() -> None:
    text = "Name            Bid      Ask\nABC 5 33      101.25   101.75\nB 0 28         99.5    100\n"
    assert rows_of(text)[:2] == [["Name", "Bid", "Ask"], ["ABC 5 33", "101.25", "101.75"]]


def test_rows_keep_the_numbers_of_their_lines_and_end_at_a_greeting() -> None:
    found = parted(lines := text_lines("Name\tBid\tAsk\n---\nA\t1\t2\n\nB\t3\t4\nRegards\nC\t5\t6\n"), 0, len(lines))
    assert found is not None
    assert ([row.number for row in found.grid.rows], found.length) == ([1, 3, 5], 5)


def test_another_header_begins_another_table() -> None:
    text = (
        "Name     Bid  Ask\nA 5 33   98   99\nB 5 34   97   98\n\nName             Bid  Ask\nLonger C 5 33    98   99\n"
    )
    found = parted(lines := text_lines(text), 0, len(lines))
    assert found is not None
    assert ([row.number for row in found.grid.rows], found.length) == ([1, 2, 3], 3)


def test_rows_in_other_columns_are_of_another_table() -> None:
    text = "Name     Bid  Ask\nA 5 33   98   99\nB 5 34   97   98\n\nSSA\nISIN       XS1       XS2\nBid        97.1      98.2\n"
    found = parted(lines := text_lines(text), 0, len(lines))
    assert found is not None
    assert found.length == 3


def test_a_table_beside_another_begins_behind_an_empty_cell() -> None:
    rows = [
        ["US HY", "", "", "", "EUROPE", "", ""],
        ["Bond", "Bid", "Ask", "", "Bond", "Bid", "Ask"],
        ["F 6.8 28", "103", "104", "", "LOXAM 6 29", "101", "102"],
        ["X 5.2 30", "97", "98", "", "CASINO 9 27", "88", "91"],
    ]
    assert rows_of(blanked(rows)) == rows


def test_two_lines_are_no_table() -> None:
    assert rows_of("Name\tBid\tAsk\nA\t1\t2\n") == []


def test_a_pasted_table_under_two_rows_of_headings_is_read(runs: Callable[..., RunResult]) -> None:
    for written in (tabbed, barred, blanked, listed):
        result = runs(written(STACKED), "Agencies")
        assert [(draft.line, str(draft.levels[0].bid), str(draft.levels[0].ask)) for draft in result.drafts] == [
            (4, "809/8", "6475/64"),
            (5, "799/8", "801/8"),
        ]


def test_a_pasted_table_of_one_side_under_sections_is_read(runs: Callable[..., RunResult]) -> None:
    rows = [
        ["Par(000)", "Security", "Cpn", "Maturity", "Ask YTW"],
        ["OHIO", "", "", "", ""],
        ["500", "OHIO ST HIGHER ED", "5.000", "8/1/2036", "3.37"],
        ["TEXAS", "", "", "", ""],
        ["250", "AUSTIN TX GO", "4.000", "9/1/2038", "3.52"],
    ]
    for written in (tabbed, barred, blanked, listed):
        result = runs(written(rows), "Muni offerings")
        assert [str(draft.levels[0].ask) for draft in result.drafts] == ["337/100", "88/25"]


def test_a_pasted_table_on_its_side_is_read(runs: Callable[..., RunResult]) -> None:
    rows = [
        ["Security", "EIB 2.875 33", "KFW 2.75 32", "AFD 3.375 33"],
        ["Maturity", "12/01/2033", "14/02/2032", "25/05/2033"],
        ["Bid", "99.34", "99.81", "99.02"],
        ["Ask", "99.48", "99.93", "99.22"],
    ]
    result = runs(tabbed(rows), "SSA price grid")
    assert [draft.instrument.description for draft in result.drafts] == ["EIB 2.875 33", "KFW 2.75 32", "AFD 3.375 33"]


def test_a_bar_in_front_of_one_row_alone_stands_behind_an_empty_cell(runs: Callable[..., RunResult]) -> None:
    head = "ISIN | Name | Bid | Ask\n"
    table = f"{head}XS2621001002 | BNP 4 30 | 98 | 98.5\n| XYZ 5 31 | 97 | 97.5\nXS2622002009 | SAN 3 29 | 96 | 96.5\n"
    for text in (table, f"{head}XS2621001002 | BNP 4 30 | 98 | 98.5\n| XYZ 5 31 | 97 | 97.5\n"):
        second = runs(text, "HY run").drafts[1]
        assert second.instrument.description == "XYZ 5 31"
        assert [second.levels[0].bid, second.levels[0].ask] == [97, Fraction("97.5")]
    framed = "".join(f"| {line}\n" for line in table.replace("| XYZ", "XS2621001002 | XYZ").splitlines())
    assert [draft.levels[0].bid for draft in runs(framed, "HY run").drafts] == [98, 97, 96]
