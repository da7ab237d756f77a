"""conf.table"""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from conf.table import table_lines

ROWS = [
    ["quoted", "instrument", "bid", "ask", "record"],
    ["2026-11-19 07:31Z", "XS2641318121 ACME 4.25 05/34", "2.1125", "2.15", "12aebd1d92ee"],
    ["2026-11-19 07:32Z", "EUR irs 2y", "98.25", "", "3f9ac2b7d011"],
]
RIGHT = [False, False, True, True, False]


def test_without_an_edge_a_row_is_a_line_with_its_columns_in_place() -> None:
    assert list(table_lines(ROWS, RIGHT, None)) == [
        "quoted             instrument                       bid   ask  record",
        "2026-11-19 07:31Z  XS2641318121 ACME 4.25 05/34  2.1125  2.15  12aebd1d92ee",
        "2026-11-19 07:32Z  EUR irs 2y                     98.25        3f9ac2b7d011",
    ]


@pytest.mark.parametrize("width", range(32, 90))
def test_no_number_time_or_id_is_broken_or_cut_at_any_width_that_holds_it(width: int) -> None:
    lines = list(table_lines(ROWS, RIGHT, width))
    assert all(cell_len(line) <= width for line in lines)
    for row in ROWS:
        for value in row:
            assert any(value in line for line in lines)


def test_what_has_no_room_goes_below_behind_its_name_and_empty_values_nowhere() -> None:
    assert list(table_lines(ROWS, RIGHT, 50)) == [
        "quoted             instrument",
        "2026-11-19 07:31Z  XS2641318121 ACME 4.25 05/34",
        "  bid 2.1125  ask 2.15  record 12aebd1d92ee",
        "2026-11-19 07:32Z  EUR irs 2y",
        "  bid 98.25  record 3f9ac2b7d011",
    ]


def test_a_row_of_many_columns_is_read_in_few_lines_of_a_terminal_of_80_columns() -> None:
    names = ["quoted", "dealer", "instrument", "class", "type", "bid", "ask", "mid or talk", "doubts", "source"]
    row = ["2026-11-19 07:31Z", "Bank A", "XS2641318121 ACME 4.25 05/34", "corp_ig", "price_pct", "99.5", "", "", ""]
    lines = list(table_lines([names, [*row, "mails-0@12 part 1 line 8"]], [False] * 10, 80))
    assert lines == [
        "quoted             dealer  instrument                    class    type",
        "2026-11-19 07:31Z  Bank A  XS2641318121 ACME 4.25 05/34  corp_ig  price_pct",
        "  bid 99.5  source mails-0@12 part 1 line 8",
    ]


def test_a_value_wider_than_the_terminal_is_whole_below_its_name_in_lines_that_can_be_no_row() -> None:
    sha256 = "0123456789abcdef" * 4
    lines = list(table_lines([["offset", "sha256", "of"], ["7", sha256, "a.eml"]], [True, False, False], 40))
    assert lines == ["offset", "     7", "  sha256", "    " + sha256[:36], "    " + sha256[36:], "  of a.eml"]


def test_a_first_column_wider_than_the_terminal_is_wrapped() -> None:
    lines = list(table_lines([["part", "state"], ["1/zip:" + "a" * 20, "parsed"]], [False, False], 20))
    assert lines == ["part", "1/zip:aaaaaaaaaaaaaa", "    aaaaaa", "  state parsed"]


def test_characters_of_two_cells_keep_the_columns_in_place() -> None:
    assert list(table_lines([["a", "b"], ["日本", "x"]], [False, False], None)) == ["a     b", "日本  x"]


def test_what_somebody_wrote_has_little_room_on_a_terminal_beside_the_others_and_a_line_below_them() -> None:
    text = "GRANITE 8 1/4 09/30 101.5/102.25, and what else a desk may say"
    rows = [["level", "code", "text"], ["row", "ROW_NO_PRICE", text], ["row", "ROW_NO_PRICE", "short"]]
    beside = [f"row    ROW_NO_PRICE  {text[:19]}…", "row    ROW_NO_PRICE  short"]
    assert list(table_lines(rows, [False] * 3, None, {2: 20}))[1:] == [f"row    ROW_NO_PRICE  {text}", beside[1]]
    assert list(table_lines(rows, [False] * 3, 42, {2: 20}))[1:] == beside
    below = ["row    ROW_NO_PRICE", f"  text {text[:32]}…", "row    ROW_NO_PRICE", "  text short"]
    assert list(table_lines(rows, [False] * 3, 40, {2: 20}))[1:] == below
