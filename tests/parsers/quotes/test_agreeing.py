from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from parsers.codes import QuoteType
from parsers.quotes.agreeing import disagreeing, price_at
from parsers.quotes.draft import Draft, Instrument, Level

DAY = date(2026, 11, 20)
P, Y, S = QuoteType.price_pct, QuoteType.yield_pct, QuoteType.spread_bench_bp
BOND = Instrument(description="XYZ 5 11/34", coupon=Fraction(5), coupon_type="fixed", maturity=date(2034, 11, 20))


def line(asset_class: str = "corp_ig", instrument: Instrument = BOND, **levels: str) -> Draft:
    """A line of two-way levels, named by type: `price_pct="98/99"`; one value is a mid."""
    made = []
    for kind, text in levels.items():
        sides = [Fraction(side) for side in text.split("/")]
        values = {"bid": sides[0], "ask": sides[1]} if len(sides) > 1 else {"mid": sides[0]}
        made.append(Level(quote_type=QuoteType(kind), **values))  # type: ignore[arg-type]
    return Draft(instrument=instrument, levels=tuple(made), asset_class=asset_class)


@pytest.mark.parametrize(
    ("rate", "coupon", "years", "price"),
    [("5", "5", 8, "100.0000"), ("6", "5", 8, "93.7194"), ("0", "5", 8, "140.0000"), ("4.25", "0", 30, "28.3189")],
)
def test_the_price_at_a_yield_is_that_of_the_street_convention(rate: str, coupon: str, years: int, price: str) -> None:
    assert price_at(Fraction(rate), Fraction(coupon), Decimal(years)).quantize(Decimal("0.0001")) == Decimal(price)


@pytest.mark.parametrize(
    ("draft", "doubted"),
    [
        (line(price_pct="98/98.5", yield_pct="5.31/5.23", spread_bench_bp="120/112"), set()),
        (line(price_pct="98/98.5", yield_pct="9.4/9.3"), {P, Y}),  # at 9.4 it costs 75.6
        (line(price_pct="60/61", yield_pct="5.31/5.23"), {P, Y}),
        (line(price_pct="98", yield_pct="9.4"), {P, Y}),
        (line("corp_hy", price_pct="104/105", yield_pct="3.1/2.9"), set()),  # to a call
        (line("corp_hy", price_pct="115/116", yield_pct="5.3/5.2"), {P, Y}),
        (line("us_muni", price_pct="60/61", yield_pct="5.3/5.2"), set()),
        (line("corp_ig", Instrument(description="XYZ"), price_pct="60/61", yield_pct="5.3/5.2"), set()),
        (line(yield_pct="5.31/5.23", spread_bench_bp="850/840"), {Y, S}),  # a curve at minus three
        (line(price_pct="98/98.5", spread_bench_bp="850/840"), set()),
    ],
)
def test_price_yield_and_spread_that_are_not_of_one_bond_are_told(draft: Draft, doubted: set[QuoteType]) -> None:
    assert disagreeing(draft, DAY) == doubted


def test_nothing_is_told_without_a_day_or_shortly_before_the_end() -> None:
    assert disagreeing(line(price_pct="98/98.5", yield_pct="9.4/9.3"), None) == set()
    assert disagreeing(line(price_pct="98/98.5", yield_pct="9.4/9.3"), date(2034, 6, 1)) == set()
