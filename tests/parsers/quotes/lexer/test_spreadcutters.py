from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import Kind, Token
from parsers.quotes.lexer.tokens import tokens


def cut(text: str) -> list[Token]:
    return tokens(text, [])


@pytest.mark.parametrize(
    ("text", "prefix", "body"),
    [
        ("T+85/80", "T", "85/80"),
        ("MS-2/-5", "MS", "-2/-5"),
        ("MS+94/MS+89", "MS", "94/+89"),
        ("+120/115", "", "120/115"),
        ("/T+81", "T", "/81"),
        ("B+217/", "B", "217/"),
    ],
)
def test_a_spread_keeps_its_prefix_and_loses_the_plus_that_only_says_what_it_is(
    text: str, prefix: str, body: str
) -> None:
    (token,) = cut(text)
    assert (token.kind, token.prefix, token.text, token.unit) == (Kind.level, prefix, body, None)


def test_letters_behind_a_spread_are_its_sides() -> None:
    assert [(token.text, token.key) for token in cut("T+115b/T+112a")] == [("115/112", None)]
    assert [(token.text, token.key) for token in cut("T+45 (b) T+41 (o)")] == [("45", "bid"), ("41", "ask")]


def test_settlement_is_no_spread_on_a_line_without_a_bond() -> None:
    assert all(token.kind is not Kind.level for token in cut("Trades settle T+7"))
    assert cut("ABC 5 03/34 T+7")[-1].kind is Kind.level
