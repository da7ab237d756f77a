from __future__ import annotations

import pytest

from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.wishes import second_wish, take_wish


@pytest.mark.parametrize(
    ("text", "side", "rest"),
    [
        ("Better buyer of F 6.125 03/34", "bid", ["F", "6.125", "03/34"]),
        ("SELL 5mm BAC 5.2 04/34 T+80", "ask", ["5mm", "BAC", "5.2", "04/34", "80"]),
        ("axed to sell BAC 5.2", "ask", ["BAC", "5.2"]),
        ("BAC 5.2 98/99", None, ["BAC", "5.2", "98/99"]),
        ("BAC 98/99 we buy", None, ["BAC", "98/99", "we", "buy"]),
    ],
)
def test_a_wish_in_front_of_the_level_is_taken_out(text: str, side: str | None, rest: list[str]) -> None:
    found, left = take_wish(text, tokens(text, []))
    assert (found, [token.text for token in left]) == (side, rest)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("buyers of X 7 PERP at 102.5 and sellers of Y 6 PERP at 105.75", "sellers of Y 6 PERP at 105.75"),
        ("sell X 5 33 at 98 buy Y 6 34 at 99", None),
        ("buyers of X 7 PERP at 102.5", None),
        ("We'd pay T+92 for VZ 4.78 02/35, and can offer T 5.6 02/34 at T+85", "can offer T 5.6 02/34 at T+85"),
    ],
)
def test_a_second_wish_with_a_level_of_its_own_begins_another_quote(text: str, second: str | None) -> None:
    at = second_wish(text)
    assert (text[at:] if at is not None else None) == second
