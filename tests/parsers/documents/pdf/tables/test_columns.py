from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.documents.pdf.page import Word
from parsers.documents.pdf.rows import spacing, text_rows
from parsers.documents.pdf.tables.columns import Table, tables

Typed = Callable[[str], list[Word]]

RUN = """
ISIN           Security         Bid     Ask
XS2701001005   ALPHA 5 31       98.25   98.75
XS2701002003   BETA 4.125 29    97.5    98
XS2701003001   GAMMA 6 33       101     101.5
"""


def found(words: list[Word]) -> list[Table]:
    return tables(text_rows(words), spacing(words))[0]


def texts(table: Table) -> list[list[str]]:
    return [[" ".join(word.text for word in cell) for cell in row] for row in table.cells]


def test_gaps_that_the_rows_share_part_the_columns(typed: Typed) -> None:
    (table,) = found(typed(RUN))
    assert texts(table)[1:3] == [
        ["XS2701001005", "ALPHA 5 31", "98.25", "98.75"],
        ["XS2701002003", "BETA 4.125 29", "97.5", "98"],
    ]
    assert len(table.edges) == 5
    assert list(table.edges) == sorted(table.edges)


def test_a_row_that_ends_before_the_last_column_is_cut_by_place(typed: Typed) -> None:
    (table,) = found(
        typed(
            """
            AMC 7.5 29   84.5/85.5       McAfee TLB   95.25/96
            BHCCN 11 2028   103/104      Athenahealth TLB   99/100
            CCO 4 31   90/90.5           Peraton TLB   86/87
            DISH 1 27   105/106
            """
        )
    )
    assert texts(table)[-1] == ["DISH 1 27 105/106", ""]


def test_one_row_in_five_may_run_over_a_gap(typed: Typed) -> None:
    rows = RUN.strip().splitlines()
    over = "XS2701004009   LONGNAME 6.125 33-101    102.5"
    wide = "\n".join([*rows, over, *rows[1:]])
    (table,) = found(typed(wide))
    assert [len(row) for row in table.cells] == [4] * 8
    assert [row.words[0].text for row in table.rows][4] == "XS2701004009"


def test_the_header_again_under_a_title_begins_another_table(typed: Typed) -> None:
    indented = RUN.strip().replace("\n", "\n   ")
    first, second = found(typed(f"{RUN.strip()}\nHigh yield\n   {indented}"))
    assert texts(first) == texts(second)


def test_a_header_that_stands_three_times_is_of_three_tables_and_two_levels_are_one(typed: Typed) -> None:
    three = """
Tenor  Bid   Ask      Tenor  Bid   Ask      Tenor  Bid   Ask
5Y     3.41  3.43     5Y     2.36  2.38     5Y     3.73  3.75
10Y    3.77  3.79     10Y    2.67  2.69     10Y    4.01  4.03
"""
    assert [len(texts(table)[0]) for table in found(typed(three))] == [3, 3, 3]
    levels = """
Bond          Spread         Price
              Bid   Ask      Bid     Ask
ALPHA 5 31    92    88       101.12  101.40
BETA 4 29     84    80       100.77  101.05
"""
    assert [len(texts(table)[0]) for table in found(typed(levels))] == [5]


def test_a_line_of_dashes_is_no_row(typed: Typed) -> None:
    rows = RUN.strip().splitlines()
    ruled = "\n".join([rows[0], "------------   ---------------  ------  ------", *rows[1:]])
    (table,) = found(typed(ruled))
    assert len(table.rows) == 4


def test_sentences_above_and_below_stay_outside(typed: Typed) -> None:
    note = "All levels are indicative and subject to change without any notice"
    (table,) = found(typed(f"{note}\n{RUN.strip()}\n{note}"))
    assert texts(table)[0] == ["ISIN", "Security", "Bid", "Ask"]
    assert len(table.rows) == 4


def test_a_wide_gap_between_rows_ends_a_table(typed: Typed) -> None:
    assert [len(table.rows) for table in found(typed(RUN + 4 * "\n" + RUN))] == [4, 4]


def test_a_header_that_stands_twice_in_a_row_heads_two_tables(typed: Typed) -> None:
    rows = ["Issue        Bid    Ask", "ALPHA 5 31   98     99", "BETA 4 29    97     98"]
    left, right = found(typed("\n".join(f"{row}        {row}" for row in rows)))
    assert (
        texts(left) == texts(right) == [["Issue", "Bid", "Ask"], ["ALPHA 5 31", "98", "99"], ["BETA 4 29", "97", "98"]]
    )


@pytest.mark.parametrize("gap", [1.5, 3.0])
def test_numbers_that_nearly_touch_are_two_cells(gap: float) -> None:
    words = []
    for number, (bid, ask) in enumerate([("98.25", "98.75"), ("97.50", "98.00"), ("99.12", "99.62")]):
        top = 12.0 * number
        words += [Word("Issuer", 40, 70, top, top + 10), Word(bid, 200, 220, top, top + 10)]
        words.append(Word(ask, 220 + gap, 240 + gap, top, top + 10))
    (table,) = found(words)
    assert texts(table)[0] == ["Issuer", "98.25", "98.75"]


def test_prose_is_no_table(typed: Typed) -> None:
    assert found(typed("Good morning to all of you\nThe market opened firmer today")) == []
    assert found([]) == []
