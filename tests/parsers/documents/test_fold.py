from __future__ import annotations

import pytest

from parsers.documents.fold import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [("  5 x\r\n\t10 ", "5 x 10"), ("\u00a098.25\n \u00a0", "98.25"), (" \f\v", ""), ("98", "98")],
)
def test_runs_of_white_space_are_one_space_and_none_stands_at_the_ends(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_characters_without_width_part_no_number() -> None:
    assert fold("\ufeff98\u200b.2\u00ad5\u200e") == "98.25"


def test_a_no_break_space_inside_groups_digits_and_is_kept() -> None:
    assert fold("1\u00a0234\u202f567") == "1\u00a0234\u202f567"


def test_blanks_that_do_not_break_indent_a_line_where_that_is_asked_for() -> None:
    assert fold("\u00a0\u00a0 Bid\u00a0", indented=True) == "\u00a0\u00a0 Bid"
    assert fold("\u00a0\u00a0 Bid\u00a0") == "Bid"
