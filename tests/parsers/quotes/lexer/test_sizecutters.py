"""Sizes of two sides, and prices that an x parts."""

from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import LEVEL, SIZE, Kind
from parsers.quotes.lexer.tokens import tokens


@pytest.mark.parametrize(
    ("text", "kind"), [("5x10", SIZE), ("5MM X", SIZE), ("20.41 x 20.49", LEVEL), ("5.5 x 2.5", SIZE), ("98/99", LEVEL)]
)
def test_an_x_parts_sizes_or_two_prices_close_to_each_other(text: str, kind: Kind) -> None:
    assert [token.kind for token in tokens(text, [])] == [kind]
