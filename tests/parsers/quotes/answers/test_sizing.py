from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import QuoteKind, QuoteType
from parsers.quotes.answers.sizing import sided
from parsers.quotes.draft import Level
from parsers.values.sizes import Size, SizePair

FIVE = Size(Fraction(5), "5mm")
PRICE = QuoteType.price_pct


@pytest.mark.parametrize(
    ("level", "kind", "bid", "ask"),
    [
        (Level(quote_type=PRICE, bid=Fraction(98), ask=Fraction(99)), None, 5, 5),
        (Level(quote_type=PRICE, ask=Fraction(99)), None, None, 5),
        (Level(quote_type=PRICE, mid=Fraction(99)), None, None, None),
        (Level(quote_type=PRICE, mid=Fraction(99)), QuoteKind.owic, None, 5),
        (Level(quote_type=PRICE, quote_kind=QuoteKind.cover, bid=Fraction(99)), None, 5, None),
    ],
)
def test_a_size_without_a_side_is_that_of_the_sides_that_the_levels_have(
    level: Level, kind: QuoteKind | None, bid: int | None, ask: int | None
) -> None:
    sizes = sided(SizePair(single=FIVE), [level], kind)
    assert (sizes.bid, sizes.ask, sizes.text) == (bid, ask, "5mm")


def test_sizes_of_sides_keep_them_whatever_the_levels_are() -> None:
    sizes = sided(SizePair(bid=FIVE, ask=Size(Fraction(10), "10mm")), [Level(quote_type=PRICE, bid=Fraction(98))], None)
    assert (sizes.bid, sizes.ask, sizes.text) == (Fraction(5), Fraction(10), "5mm x 10mm")
