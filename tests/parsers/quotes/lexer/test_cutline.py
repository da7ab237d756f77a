from __future__ import annotations

import pytest

from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.cutline import CutLine, level
from parsers.quotes.lexer.token import Kind, Token
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
    assert level(CutLine("99.8/99.9 DM 62/58"), 0, 9, "99.8/99.9").unit is None
    assert level(CutLine("62/58 DM 5mm"), 0, 5, "62/58").unit == "dm"


def test_a_line_knows_what_was_cut_from_it() -> None:
    line = CutLine("F 5y 120/128", Conventions(tenors=True))
    line.add(Token(Kind.tenor, 2, 4, "5y"))
    assert (line.has_tenor, line.has_level, line.has_date) == (True, False, False)
