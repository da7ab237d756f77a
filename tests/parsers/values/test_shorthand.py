from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import Flag, QuoteType
from parsers.values.levels import complete
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks
from parsers.values.shorthand import expanded, level_number


@pytest.mark.parametrize(
    ("bid", "text", "ask"),
    [
        ("98.25", "75", "98.75"),
        ("99.00", "20", "99.2"),
        ("100.97", "01", "101.01"),
        ("104.5", "5", "105"),
        ("98.5", "3/4", "98.75"),
        ("98.25", "98.75", "98.75"),
    ],
)
def test_an_ask_takes_from_its_bid_what_it_leaves_out(bid: str, text: str, ask: str) -> None:
    rules = LevelRules()
    known = level_number(bid, rules)
    assert known is not None
    value, flags = expanded(known, text, rules)
    assert value is not None
    assert value.value == Fraction(ask)
    assert (Flag.shorthand_expanded in flags) == (text != ask)


def test_ticks_alone_take_the_handle_of_the_bid() -> None:
    rules = LevelRules(thirty_seconds=Ticks.cash)
    known = level_number("99-16+", rules)
    assert known is not None
    ask, _ = expanded(known, "17", rules)
    assert ask is not None
    assert ask.value == 99 + Fraction(17, 32)


@pytest.mark.parametrize(
    ("bid", "digit", "ask"), [("99-16", "8", "99.5625"), ("99-29", "1", "99.96875"), ("99-30", "2", "100.0625")]
)
def test_a_digit_alone_is_the_last_of_the_32nds_from_the_bid_on(bid: str, digit: str, ask: str) -> None:
    found = complete(bid, digit, LevelRules(thirty_seconds=Ticks.cash))
    assert found.ask is not None
    assert (found.ask.value, found.flags) == (Fraction(ask), frozenset({Flag.shorthand_expanded}))


def test_where_a_class_prints_tails_the_text_replaces_the_last_decimals() -> None:
    rules = LevelRules(QuoteType.rate_pct, "irs")
    known = level_number("3.452", rules)
    assert known is not None
    ask, _ = expanded(known, "7", rules)
    assert ask is not None
    assert ask.value == Fraction("3.457")


def test_shorthand_falls_where_yields_do() -> None:
    rules = LevelRules(QuoteType.yield_pct, "govt_latam_local")
    for bid, text, ask in (("8.05", "01", "8.01"), ("2.00", "98", "1.98")):
        found = complete(bid, text, rules)
        assert found.ask is not None
        assert found.ask.value == Fraction(ask)


def test_two_cells_complete_each_other() -> None:
    found = complete("98.25", "75", LevelRules())
    assert found.ask is not None
    assert (found.ask.value, found.flags) == (Fraction("98.75"), frozenset({Flag.shorthand_expanded}))
    assert complete("--", "99", LevelRules()).bid is None


@pytest.mark.parametrize(("bid", "ask"), [("98.25", "75¹"), ("98.25²", "75"), ("98.25", ".75*"), ("98 1/4", "3/4 ³")])
def test_a_footnote_is_no_digit_of_an_ask_in_shorthand(bid: str, ask: str) -> None:
    found = complete(bid, ask, LevelRules())
    assert found.ask is not None
    assert (found.ask.value, found.flags) == (
        Fraction("98.75"),
        frozenset({Flag.shorthand_expanded, Flag.footnoted}),
    )


def test_an_ask_that_is_a_footnote_alone_or_nothing_is_none() -> None:
    assert complete("98.25", "¹", LevelRules()).ask is complete("98", "", LevelRules()).ask is None


@pytest.mark.parametrize(
    ("bid", "ask", "rules", "value"),
    [
        ("-1.25", ".75", LevelRules(QuoteType.upfront_pts, "cds_single"), "-0.75"),
        ("-1.25", "75", LevelRules(QuoteType.upfront_pts, "cds_single"), "-0.75"),
        ("-12 3/4", "1/4", LevelRules(QuoteType.spread_asw_bp, "irs"), "-12.25"),
        ("-12 1/4", "3/4", LevelRules(QuoteType.spread_asw_bp, "govt_intl"), "-12.75"),
        ("-0.25", ".5", LevelRules(QuoteType.upfront_pts, "cds_single"), "0.5"),
    ],
)
def test_below_zero_the_part_goes_below_its_handle(bid: str, ask: str, rules: LevelRules, value: str) -> None:
    found = complete(bid, ask, rules)
    assert found.ask is not None
    assert found.ask.value == Fraction(value)


@pytest.mark.parametrize(("bid", "text"), [("199.1", "99.5"), ("110.5", "9.75"), ("7", "0"), ("8", "1")])
def test_what_leaves_nothing_out_or_is_far_from_its_bid_when_completed_stays_as_written(bid: str, text: str) -> None:
    found = complete(bid, text, LevelRules())
    assert found.ask is not None
    assert found.ask.value == Fraction(text)
    assert Flag.crossed in found.flags
    assert Flag.shorthand_expanded not in found.flags


@pytest.mark.parametrize(
    ("bid", "text", "ask"), [("104.5", "5.25", "105.25"), ("110.25", "10.75", "110.75"), ("99", "00", "100")]
)
def test_leading_digits_alone_are_left_out(bid: str, text: str, ask: str) -> None:
    found = complete(bid, text, LevelRules())
    assert found.ask is not None
    assert found.ask.value == Fraction(ask)
