from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.codes import Flag, QuoteType
from parsers.values.levels import pair
from parsers.values.markets import LevelRules
from parsers.values.numbers import Ticks

PRICE = LevelRules()
SPREAD = LevelRules(QuoteType.spread_bench_bp, "corp_ig")


def sides(text: str, rules: LevelRules) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    found = pair(text, rules)
    assert found is not None
    return tuple(side.value if side else None for side in (found.bid, found.ask, found.single))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "bid", "ask"),
    [
        ("98.5@99", "98.5", "99"),
        ("98.25 – 98.75", "98.25", "98.75"),
        ("98.25,98.75", "98.25", "98.75"),
        ("104 1/4/104 3/4", "104.25", "104.75"),
        ("par 1/8-par 1/2", "100.125", "100.5"),
        ("99.00/20", "99", "99.2"),
        ("100.97/01", "100.97", "101.01"),
        ("104.5/5", "104.5", "105"),
    ],
)
def test_a_pair_parts_where_both_sides_are_values(text: str, bid: str, ask: str) -> None:
    assert sides(text, PRICE) == (Fraction(bid), Fraction(ask), None)


def test_a_crossed_market_is_kept_in_the_order_printed_and_flagged() -> None:
    found = pair("99.5/98.5", PRICE)
    assert found is not None
    assert found.flags == {Flag.crossed}
    assert sides("99.5/98.5", PRICE) == (Fraction("99.5"), Fraction("98.5"), None)
    assert sides("80/85", SPREAD) == (Fraction(80), Fraction(85), None)


def test_a_sign_of_its_own_makes_the_second_value_whole() -> None:
    assert sides("-15/+20", LevelRules(QuoteType.funding_spread_bp, "trs")) == (Fraction(-15), Fraction(20), None)


@pytest.mark.parametrize(
    ("text", "side"), [("98.5 bid", 0), ("98.5 wanted", 0), ("99 offered", 1), ("@ 99", 1), ("99 Brief", 1)]
)
def test_a_word_names_the_side(text: str, side: int) -> None:
    values = sides(text, PRICE)
    assert [value is not None for value in values] == [index == side for index in range(3)]


@pytest.mark.parametrize("text", ["", "--", "--/--", "hello", "98/abc", "1/2/3/4/5"])
def test_what_is_no_level_is_none(text: str) -> None:
    found = pair(text, PRICE)
    assert found is None or found.bid is not None


def test_a_fraction_without_a_handle_is_two_values() -> None:
    assert sides("12/16", LevelRules(QuoteType.payup_32, "agency_mbs_cmo")) == (Fraction(12), Fraction(16), None)


def test_among_32nds_two_handles_are_no_market() -> None:
    assert pair("99-32", LevelRules(thirty_seconds=Ticks.cash)) is None


def test_a_spread_like_32nds_is_no_market_but_where_it_is_shorthand() -> None:
    assert pair("71-16", SPREAD) is None
    assert sides("120-15", SPREAD) == (Fraction(120), Fraction(115), None)


@given(st.integers(50, 12_000), st.integers(0, 300))
def test_a_printed_market_is_read_back(bid: int, width: int) -> None:
    low, high = Fraction(bid, 100), Fraction(bid + width, 100)
    text = f"{float(low):.2f}/{float(high):.2f}"
    assert sides(text, PRICE) == (low, high, None)


@given(st.text(alphabet="0123456789/-.,+ parbid@½'", max_size=90))
def test_no_text_makes_it_raise(text: str) -> None:
    for ticks in Ticks:
        pair(text, LevelRules(thirty_seconds=ticks))


def test_a_long_text_is_refused_without_search() -> None:
    start = time.process_time()
    assert pair("1/" * 500_000, PRICE) is None
    assert time.process_time() - start < 1
