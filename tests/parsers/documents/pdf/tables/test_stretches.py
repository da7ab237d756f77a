from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.documents.pdf.page import Word
from parsers.documents.pdf.rows import spacing, text_rows
from parsers.documents.pdf.tables.stretches import is_rule, stretches

Typed = Callable[[str], list[Word]]

INDICES = "Index                 Bid     Offer\niTraxx Main S46 5Y    53.00   53.25"
NAMES = "Name        Bid    Offer\nRenault     126    131"


def lengths(words: list[Word]) -> list[int]:
    return [len(rows) for rows in stretches(text_rows(words), spacing(words))]


def test_a_line_of_dashes_is_no_row(typed: Typed) -> None:
    assert [is_rule(row) for row in text_rows(typed("---  ====\n98 ---"))] == [True, False]


def test_words_alone_under_a_title_head_another_table(typed: Typed) -> None:
    assert lengths(typed(f"{INDICES}\nSingle names\n{NAMES}")) == [2, 2]
    assert lengths(typed(f"{INDICES}\n{NAMES}")) == [4]


@pytest.mark.parametrize("row", ["ACME TLB    n/a    99", "ACME TLB    NB     NO", "ACME 5 30   98     99"])
def test_a_row_under_a_section_heads_none(typed: Typed, row: str) -> None:
    assert lengths(typed(f"{INDICES}\nAutos\n{row}")) == [4]


def test_headings_with_figures_over_other_columns_head_another_table(typed: Typed) -> None:
    cube = "Expiry        1Y        2Y       10Y\n1M            104.0    105.2    100.1"
    assert lengths(typed(f"{INDICES}\nSwaptions\n{cube}")) == [2, 2]
    curve = "Expiry                1Y      2Y\n1M                    104.0   105.2"
    assert lengths(typed(f"{INDICES}\nSwaptions\n{curve}")) == [5]


def test_lines_of_text_that_are_spread_out_begin_no_table() -> None:
    spread = [("The auction of the new line", "was covered"), ("twice and", "cut off at a yield of 3.41")]
    words = []
    for number, (left, right) in enumerate(spread):
        x, top = 40.0, 100 + 12.0 * number
        for part in (left, right):
            for one in part.split():
                words.append(Word(one, x, x + 5.0 * len(one), top, top + 10))
                x = words[-1].x1 + 3
            x += 6
    assert lengths(words) == []


def test_lines_of_text_end_a_table_and_one_line_is_a_title(typed: Typed) -> None:
    text = "and which of these are firm is told"
    above = "ACME 5 30               98     99\nBETA 4 31               97     98"
    below = "COIL 3 32               96     97\nDOVE 2 33               95     96"
    assert lengths(typed(f"{above}\n{text}\n{text}\n{below}")) == [2, 2]
    assert lengths(typed(f"{above}\n{text}\n{below}")) == [5]
