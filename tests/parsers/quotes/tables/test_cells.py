from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from parsers.codes import Flag, Notation, QuoteType
from parsers.document import Cell
from parsers.quotes.tables.cells.cells import Nothing, one, plain
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


def test_a_level_that_was_taken_away_is_withdrawn() -> None:
    assert one(Cell("subj"), PRICE) is Nothing.withdrawn
    assert one(Cell("98.25", struck=True), PRICE) is Nothing.withdrawn


def test_a_date_or_a_truth_is_never_a_level() -> None:
    assert one(Cell("TRUE", value=True), PRICE) is Nothing.unreadable


@pytest.mark.parametrize("text", ["99.50*", "99.50¹²", "99.50⁴"])
def test_a_footnote_mark_is_flagged(text: str) -> None:
    found = one(Cell(text), PRICE)
    assert isinstance(found, Number)
    assert found.flags == {Flag.footnoted}


def test_a_coupon_is_read_in_the_tables_locale() -> None:
    assert plain(Cell("3,125"), Locale.comma) == Fraction("3.125")
    assert plain(Cell("0,75 %"), Locale.comma) == Fraction("0.75")


def test_only_a_shares_price_may_be_in_thousands() -> None:
    cell = Cell("2,951")
    assert (plain(cell), plain(cell, ceiling=None)) == (Fraction("2.951"), Fraction(2951))
