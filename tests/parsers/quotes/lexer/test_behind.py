"""What stands behind figures rules out what they cannot be."""

from __future__ import annotations

import re

import pytest

from parsers.quotes.lexer.behind import Behind, behind


@pytest.mark.parametrize(
    ("pattern", "plain", "grouped"),
    [
        (r"\d+(?:[.,]\d+)*\s?mm", "m", "m"),
        (r"\d{1,2}(?:\.\d|\s\d/8)s", "s123456789", ""),
        (r"\d+(?:,\d{3}){2}x", "", "x"),
    ],
)
def test_a_match_has_behind_its_figures_what_its_pattern_allows(pattern: str, plain: str, grouped: str) -> None:
    gate = Behind.of(re.compile(pattern))
    assert gate.plain - {"0"} == set(plain)
    assert gate.grouped == set(grouped)


def test_where_a_match_can_end_with_its_figures_anything_may_be_behind_them() -> None:
    gate = Behind.of(re.compile(r"\d{2}\.\d{2}\.\d{4}"))
    assert [gate.allows(following, is_grouped=True) for following in ("", "b", "/")] == [True] * 3
    assert not gate.allows("b", is_grouped=False)


def test_of_what_is_no_figures_the_first_letter_decides() -> None:
    gate = Behind.of(re.compile(r"par|\d+x"))
    assert gate.passes("par")
    assert not gate.passes("at")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("98.25", ("", False)), ("98,25  x", ("x", True)), ("15.03.2034/", ("/", True)), ("par", ("", False))],
)
def test_figures_with_a_comma_or_two_points_are_grouped(text: str, expected: tuple[str, bool]) -> None:
    assert behind(text, 0) == expected


def test_a_blank_of_a_range_beyond_ascii_is_read_as_any_blank() -> None:
    assert Behind.of(re.compile(r"\d+[\u2000-\u200a]mm")).passes("5\u2009mm")
