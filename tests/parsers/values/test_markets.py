from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import Flag, QuoteType
from parsers.values.markets import LevelRules, market_flags, order, tight_wide

PRICE = LevelRules()
SPREAD = LevelRules(QuoteType.spread_bench_bp, "corp_ig")


@pytest.mark.parametrize(
    ("quote_type", "asset_class", "expected"),
    [
        (QuoteType.price_pct, "corp_hy", "P"),
        (QuoteType.yield_pct, "us_muni", "Y"),
        (QuoteType.spread_bench_bp, "corp_ig", "Y"),
        (QuoteType.cds_spread_bp, "cds_single", "P"),
        (QuoteType.rate_pct, "irs", "P"),
        (QuoteType.rate_pct, "cd", "Y"),
        (QuoteType.repo_rate_pct, "repo", "N"),
        (QuoteType.breakeven_pct, "inflation_linked", "P"),
    ],
)
def test_each_measure_has_its_fair_order(quote_type: QuoteType, asset_class: str, expected: str) -> None:
    assert order(quote_type, asset_class) == expected


def test_locked_and_wide_markets_are_flagged() -> None:
    assert market_flags(Fraction(99), Fraction(99), PRICE) == {Flag.locked}
    assert market_flags(Fraction(50), Fraction(61), PRICE) == {Flag.wide}
    assert market_flags(Fraction(300), Fraction(100), SPREAD) == {Flag.wide}


def test_a_block_is_tight_wide_when_nine_in_ten_rise() -> None:
    rising, falling = (Fraction(80), Fraction(85)), (Fraction(85), Fraction(80))
    assert tight_wide([rising] * 9 + [falling])
    assert not tight_wide([rising] * 2)
    assert not tight_wide([rising] * 8 + [falling] * 2)
