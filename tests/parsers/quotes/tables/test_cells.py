from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from parsers.codes import Flag, Notation, QuoteType
from parsers.document import Cell
from parsers.quotes.tables.cells import Nothing, both, one, plain, sides, talked
from parsers.values.markets import LevelRules
from parsers.values.numbers import Number, Ticks
from parsers.values.separators import Locale

PRICE = LevelRules()
DOTTED = LevelRules(thirty_seconds=Ticks.dotted)
SPREAD = LevelRules(QuoteType.spread_bench_bp, "corp_ig")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("98.25", "98.25"),
        ("98 1/4", "98.25"),
        ("98.3*", "98.3"),
        ("25.31 (+.04)", "25.31"),
        ("par", "100"),
        ("(12)", "-12"),
    ],
)
def test_the_number_of_a_cell_is_read_without_its_marks(text: str, value: str) -> None:
    found = one(Cell(text), PRICE)
    assert isinstance(found, Number)
    assert found.value == Fraction(value)


def test_a_workbooks_value_goes_before_what_it_displays() -> None:
    found = one(Cell("97.8", value=Decimal("97.815")), PRICE)
    assert isinstance(found, Number)
    assert (found.value, found.raw) == (Fraction("97.815"), "97.8")


def test_a_percent_formats_stored_fraction_is_a_percentage() -> None:
    found = one(Cell("5.12%", value=Decimal("0.0512"), number_format="0.00%"), LevelRules(QuoteType.yield_pct))
    assert isinstance(found, Number)
    assert found.value == Fraction("5.12")


def test_under_32nds_a_point_separates_ticks() -> None:
    found = one(Cell("99.16"), DOTTED)
    assert isinstance(found, Number)
    assert (found.value, found.notation) == (Fraction("99.5"), Notation.thirty_seconds)


def test_under_32nds_a_decimal_that_is_no_tick_is_anybodys_guess() -> None:
    assert one(Cell("99.5"), DOTTED) is Nothing.unreadable


@pytest.mark.parametrize("text", ["", "-", "n/a", "#N/A", "#REF!", "#N/A Requesting Data...", "TBD", "DNT"])
def test_words_for_no_value_are_absent(text: str) -> None:
    assert one(Cell(text), PRICE) is Nothing.absent
    assert both(Cell(text), PRICE) is Nothing.absent


def test_a_level_that_was_taken_away_is_withdrawn() -> None:
    assert one(Cell("subj"), PRICE) is Nothing.withdrawn
    assert one(Cell("98.25", struck=True), PRICE) is Nothing.withdrawn


def test_a_date_or_a_truth_is_never_a_level() -> None:
    assert one(Cell("TRUE", value=True), PRICE) is Nothing.unreadable


def test_the_ask_beside_a_bid_is_read_in_full() -> None:
    found = sides(Cell("12.5"), Cell("20"), PRICE)
    assert not isinstance(found, Nothing)
    assert found.ask is not None
    assert found.ask.value == 20  # not 13.20: shorthand belongs to text


def test_beside_figures_that_nobody_can_read_there_is_no_half_of_a_market() -> None:
    assert sides(Cell("XYZ 5 31 88.25"), Cell("88.75"), PRICE) is Nothing.unreadable
    assert sides(Cell("98.25"), Cell("98 7/5"), PRICE) is Nothing.unreadable
    remarked = sides(Cell("see desk"), Cell("98.75"), PRICE)
    assert not isinstance(remarked, Nothing)
    assert (remarked.bid, remarked.ask and remarked.ask.raw) == (None, "98.75")


def test_a_lone_fraction_takes_the_handle_of_the_bid() -> None:
    found = sides(Cell("98 1/4"), Cell("3/4"), PRICE)
    assert not isinstance(found, Nothing)
    assert found.ask is not None
    assert found.ask.value == Fraction("98.75")


@pytest.mark.parametrize(
    ("text", "quote_type", "benchmark", "bid", "ask"),
    [
        ("CAN+63.5/61.5", QuoteType.spread_bench_bp, "CAN", "63.5", "61.5"),
        ("T+85/80", QuoteType.spread_bench_bp, "UST", "85", "80"),
        ("MS-2/-5", QuoteType.spread_asw_bp, "MS", "-2", "-5"),
        ("CAN+57/", QuoteType.spread_bench_bp, "CAN", "57", None),
    ],
)
def test_a_curve_in_the_cell_names_the_spread(
    text: str, quote_type: QuoteType, benchmark: str, bid: str, ask: str | None
) -> None:
    found = both(Cell(text), SPREAD)
    assert not isinstance(found, Nothing)
    assert (found.quote_type, found.benchmark) == (quote_type, benchmark)
    assert found.bid is not None
    assert found.bid.value == Fraction(bid)
    assert (found.ask.value if found.ask else None) == (Fraction(ask) if ask else None)


@pytest.mark.parametrize("text", ["99.50*", "99.50¹²", "99.50⁴"])
def test_a_footnote_mark_is_flagged(text: str) -> None:
    found = one(Cell(text), PRICE)
    assert isinstance(found, Number)
    assert found.flags == {Flag.footnoted}


def test_a_footnote_mark_is_no_digit_of_an_ask_in_shorthand() -> None:
    for found in (both(Cell("98.25/40¹"), PRICE), sides(Cell("98.25"), Cell("40¹"), PRICE)):
        assert not isinstance(found, Nothing)
        assert found.ask is not None
        assert found.ask.value == Fraction("98.4")
        assert found.flags == {Flag.shorthand_expanded, Flag.footnoted}


def test_talk_is_a_range_and_dm_in_the_cell_says_what_of() -> None:
    price, margin = talked(Cell("mid 80s"), PRICE), talked(Cell("+LM600s dm"), PRICE)
    assert not isinstance(price, Nothing)
    assert not isinstance(margin, Nothing)
    assert price.talk is not None
    assert margin.talk is not None
    assert (price.talk.low, price.talk.high) == (Fraction(84), Fraction(86))
    assert (margin.quote_type, margin.talk.low, margin.talk.high) == (QuoteType.dm_bp, Fraction(630), Fraction(650))


def test_a_hostile_cell_is_not_searched() -> None:
    assert both(Cell("1/" * 100_000), PRICE) is Nothing.unreadable


def test_a_coupon_is_read_in_the_tables_locale() -> None:
    assert plain(Cell("3,125"), Locale.comma) == Fraction("3.125")
    assert plain(Cell("0,75 %"), Locale.comma) == Fraction("0.75")


def test_only_a_shares_price_may_be_in_thousands() -> None:
    cell = Cell("2,951")
    assert (plain(cell), plain(cell, ceiling=None)) == (Fraction("2.951"), Fraction(2951))


@pytest.mark.parametrize(
    ("bid", "ask", "meant"),
    [
        ("98.25", "75", "98.75"),
        ("99.875", "125", "100.125"),
        ("98.25", "99", "99"),
        ("60.5", "65", "65"),
        ("98.25", "102", "102"),
    ],
)
def test_an_ask_in_a_column_of_its_own_may_be_shorthand_where_it_is_no_market(bid: str, ask: str, meant: str) -> None:
    found = sides(Cell(bid), Cell(ask), PRICE)
    assert not isinstance(found, Nothing)
    assert found.ask is not None
    assert found.ask.value == Fraction(meant)


def test_a_plus_behind_a_payup_is_half_a_tick() -> None:
    found = both(Cell("4+"), LevelRules(QuoteType.payup_32, "agency_mbs_cmo"))
    assert not isinstance(found, Nothing)
    assert found.single is not None
    assert found.single.value == Fraction("4.5")


@pytest.mark.parametrize(("text", "ticks"), [("0-12", "12"), ("0-124", "12.5"), ("0-12+", "12.5"), ("18", "18")])
def test_a_payup_in_points_and_ticks_is_a_number_of_ticks(text: str, ticks: str) -> None:
    found = both(Cell(text), LevelRules(QuoteType.payup_32, "agency_mbs_cmo"))
    assert not isinstance(found, Nothing)
    assert found.single is not None
    assert found.single.value == Fraction(ticks)


def test_a_yield_in_a_column_of_its_own_may_be_shorthand() -> None:
    found = sides(Cell("2.621"), Cell("618"), LevelRules(QuoteType.yield_pct, "govt_intl"))
    assert not isinstance(found, Nothing)
    assert found.ask is not None
    assert found.ask.value == Fraction("2.618")
