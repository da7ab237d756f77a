from __future__ import annotations

from parsers.codes import QuoteType
from parsers.quotes.runs.ground import Ground
from parsers.values.markets import LevelRules
from parsers.values.numbers import Locale, Ticks


def test_prices_alone_are_read_in_32nds() -> None:
    ground = Ground("govt_us", Locale.point, Ticks.cash)
    assert ground.rules(QuoteType.price_pct).thirty_seconds is Ticks.cash
    assert ground.rules(QuoteType.yield_pct).thirty_seconds is Ticks.off


def test_a_level_is_read_by_the_class_and_the_decimal_mark_of_its_line() -> None:
    ground = Ground("corp_hy", Locale.comma)
    assert ground.rules(QuoteType.spread_z_bp) == LevelRules(QuoteType.spread_z_bp, "corp_hy", Locale.comma, Ticks.off)
