from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from parsers.codes import Flag, QuoteType, Side
from parsers.quotes.draft import Draft, Instrument, Level, Sizes
from parsers.quotes.identity import identity
from parsers.quotes.judging import flags_of, is_absurd, side_of

LEVEL = Level(quote_type=QuoteType.price_pct, bid=Fraction("98.25"), ask=Fraction("98.75"))
DRAFT = Draft(instrument=Instrument(description="XYZ 5 03/34"), levels=(LEVEL,), asset_class="corp_hy")
KNOWN = identity(DRAFT.instrument)


def flags(**changes: Any) -> frozenset[Flag]:
    return flags_of(DRAFT, replace(LEVEL, **changes), KNOWN)


def test_a_market_is_judged_by_its_values_alone() -> None:
    assert flags() == set()
    assert flags(bid=Fraction(99)) == {Flag.crossed}
    assert flags(flags=frozenset({Flag.crossed})) == set()


def test_a_value_outside_the_soft_range_of_its_measure_is_flagged() -> None:
    assert Flag.out_of_soft_range in flags(bid=Fraction(260), ask=Fraction(261))
    assert flags(quote_type=QuoteType.spread_bench_bp, bid=Fraction(261), ask=Fraction(260)) == set()


def test_a_value_that_does_not_fit_the_column_is_flagged_as_rounded() -> None:
    assert flags(bid=Fraction(295, 3)) == {Flag.rounded}


def test_a_price_above_a_thousand_and_a_size_of_trillions_are_absurd() -> None:
    assert is_absurd(replace(LEVEL, bid=Fraction(1001)), DRAFT)
    assert not is_absurd(replace(LEVEL, bid=Fraction(1001), quote_type=QuoteType.price_unit), DRAFT)
    assert is_absurd(LEVEL, replace(DRAFT, sizes=Sizes(bid=Fraction(10**13))))


def test_a_level_without_values_has_no_side() -> None:
    assert side_of(replace(LEVEL, bid=None, ask=None)) is None
    assert side_of(LEVEL) is Side.two_way
