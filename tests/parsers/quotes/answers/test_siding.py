"""Whose a lone value is: the same answer for rows of tables and lines."""

from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import Flag, QuoteKind, QuoteType
from parsers.quotes.answers.siding import sided
from parsers.quotes.draft import Level

LONE = Level(quote_type=QuoteType.price_pct, mid=Fraction(98))
BID = Level(quote_type=QuoteType.spread_g_bp, bid=Fraction(120))
MARKET = Level(quote_type=QuoteType.spread_g_bp, bid=Fraction(120), ask=Fraction(115))
COVER = Level(quote_type=QuoteType.price_pct, quote_kind=QuoteKind.cover, mid=Fraction(98))


@pytest.mark.parametrize(
    ("levels", "own", "around", "kind", "side"),
    [
        pytest.param([LONE], "ask", "bid", None, "ask", id="what the row says goes before the words around it"),
        pytest.param([LONE, BID], None, "ask", None, "bid", id="its other levels go before the words around it"),
        pytest.param([LONE, BID], "ask", None, None, "ask", id="what the row says goes before its other levels"),
        pytest.param([LONE, MARKET], "bid", "bid", None, None, id="beside a market nobody knows"),
        pytest.param([COVER], None, "ask", None, "bid", id="a cover is a bid"),
        pytest.param([COVER], None, "bid", QuoteKind.owic, "ask", id="of a list of offers wanted an ask"),
    ],
)
def test_a_lone_value_is_on_a_side(
    levels: list[Level], own: str | None, around: str | None, kind: QuoteKind | None, side: str | None
) -> None:
    first = sided(levels, [None] * len(levels), own, around, kind)[0]
    assert {"bid": first.bid, "ask": first.ask, None: first.mid}[side] == Fraction(98)
    assert (Flag.side_assumed in first.flags) == (side is None)
