from __future__ import annotations

import pytest

from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.cutting.columned import joined_columns
from parsers.values.separators import Locale


def levels(text: str) -> list[str]:
    """The levels of a line of bonds, as joined."""
    cut = tokens(text, [])
    return [token.text for token in joined_columns(cut, Locale.point) if token.kind == "level"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F 6.1 32   +172   +168", ["172 / 168"]),
        ("F 6.1 32   T+172  T+168", ["172 / 168"]),
        ("F 6.1 32   101.60   101.85   +172   +168   5x5", ["101.60 / 101.85", "172 / 168"]),
        ("F 6.1 32   101.60   101.85   172   168", ["101.60 / 101.85", "172 / 168"]),
        ("EIB 2.75 34   MS+18   MS+16   98.65   98.78", ["18 / 16", "98.65 / 98.78"]),
        ("CHTR 4.75 30   93.25   93.75   6.45   6.30", ["93.25 / 93.75", "6.45 / 6.30"]),
    ],
)
def test_sides_in_columns_are_the_market_that_a_slash_would_make_of_them(text: str, expected: list[str]) -> None:
    assert levels(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F 6.1 32   +172   +2", ["172", "2"]),  # the day's change
        ("F 6.1 32   T+172  G+168", ["172", "168"]),
        ("F 6.1 32   101.60   101.85   5   10", []),  # sizes
        ("F 6.1 32   101.60   101.85", []),  # what stands around them says
        ("F 6.1 32   101.60   75.85   172   168", []),
    ],
)
def test_numbers_that_cannot_be_two_sides_are_left_as_they_are(text: str, expected: list[str]) -> None:
    assert levels(text) == expected
