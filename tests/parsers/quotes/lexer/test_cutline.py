from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import Kind
from parsers.quotes.lexer.tokens import tokens


@pytest.mark.parametrize(
    ("text", "body", "unit"),
    [
        ("62/58dm", "62/58", "dm"),
        ("12.5/13.5 pts up", "12.5/13.5", "pts up"),
        ("82-85% NAV", "82-85", "% nav"),
        ("4.1/4.45 PTS UP", "4.1/4.45", "pts up"),
    ],
)
def test_a_level_keeps_its_unit_in_small_letters(text: str, body: str, unit: str) -> None:
    (token,) = tokens(text, [])
    assert (token.kind, token.prefix, token.text, token.unit) == (Kind.level, None, body, unit)


def test_the_word_of_margins_behind_a_price_is_theirs() -> None:
    assert tokens("99.8/99.9 DM 62/58", [])[0].unit is None
    assert tokens("62/58 DM 5mm", [])[0].unit == "dm"
