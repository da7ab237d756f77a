from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import Flag, QuoteType
from parsers.document import Cell
from parsers.quotes.tables.cells.cells import Nothing, one
from parsers.quotes.tables.cells.readings import both, of_both, sides, talked
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks

PRICE = LevelRules()
DOTTED = LevelRules(thirty_seconds=Ticks.dotted)
SPREAD = LevelRules(QuoteType.spread_bench_bp, "corp_ig")


@pytest.mark.parametrize("text", ["", "-", "n/a", "#N/A", "#REF!", "#N/A Requesting Data...", "TBD", "DNT"])
def test_words_for_no_value_are_absent(text: str) -> None:
    assert one(Cell(text), PRICE) is Nothing.absent
    assert both(Cell(text), PRICE) is Nothing.absent


@pytest.mark.parametrize(("bid", "ask"), [("98.25", "98.75"), ("98 1/4", "98 3/4"), ("98,25", "98,75")])
def test_under_a_heading_of_both_sides_a_blank_parts_them(bid: str, ask: str) -> None:
    found = of_both(Cell(f"{bid} {ask}"), PRICE)
    assert not isinstance(found, Nothing)
    assert (found.bid and found.bid.raw, found.ask and found.ask.raw) == (bid, ask)
    assert both(Cell(f"{bid} {ask}"), PRICE) is Nothing.unreadable


@pytest.mark.parametrize("text", ["1 234,56", "98 25", "98 1/4", "98.25 4.35 2"])
def test_a_blank_inside_a_number_parts_nothing(text: str) -> None:
    assert of_both(Cell(text), PRICE) == both(Cell(text), PRICE)


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
