from __future__ import annotations

import pytest

from parsers.quotes.runs.tokens import tokens
from parsers.quotes.runs.wishes import take_wish


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
    found, left = take_wish(text, tokens(text, [], ticks=False))
    assert (found, [token.text for token in left]) == (side, rest)
