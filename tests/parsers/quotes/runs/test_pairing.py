from __future__ import annotations

import pytest

from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.token import Kind, Token
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.pairing import are_close, join_behind_tenors
from parsers.values.separators import Locale


def cut(text: str) -> list[Token]:
    return tokens(text, [], Conventions(tenors=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F 5y 182 188", ["182 / 188"]),
        ("F 3y 120 128 5y 182 188", ["120 / 128", "182 / 188"]),
        ("F 5y 182 5", []),
        ("F 5y 182 182", []),
        ("F 5y 182 188 190", []),
    ],
)
def test_two_numbers_alone_behind_a_tenor_are_its_market(text: str, expected: list[str]) -> None:
    found = cut(text)
    join_behind_tenors(found, Locale.point)
    assert [token.text for token in found if token.kind is Kind.level] == expected


def test_two_sides_are_within_a_fifth_of_each_other() -> None:
    found = cut("F 5y 100 80 79")
    assert are_close(found, (2, 3), Locale.point)
    assert not are_close(found, (2, 4), Locale.point)
