from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.codes import Flag, Notation
from parsers.values.numbers import Ticks, fraction, is_null, number, tick
from parsers.values.separators import Locale


@pytest.mark.parametrize(
    ("text", "value", "notation"),
    [
        ("98.25", "98.25", Notation.decimal),
        ("98 1/4", "98.25", Notation.fraction),
        ("98-1/4", "98.25", Notation.fraction),
        ("98½", "98.5", Notation.fraction),
        ("½", "0.5", Notation.fraction),
        ("par", "100", Notation.words),
        ("par 1/8", "100.125", Notation.fraction),
        ("(12)", "-12", Notation.decimal),
        ("−12", "-12", Notation.decimal),
        ("+.125", "0.125", Notation.decimal),
        ("1'234.56", "1234.56", Notation.decimal),
        ("1.234,56", "1234.56", Notation.decimal),
        ("1 234,56", "1234.56", Notation.decimal),
        ("1\u202f234,56", "1234.56", Notation.decimal),
        ("1,234", "1234", Notation.decimal),
        ("0,125", "0.125", Notation.decimal),
        ("2.45E+2", "245", Notation.decimal),
        ("98.25⁴", "98.25", Notation.decimal),
        ("98.25¹²", "98.25", Notation.decimal),
        ("98.25 (+.125)", "98.25", Notation.decimal),
        ("99.50*", "99.5", Notation.decimal),
        ("99¼(1)", "99.25", Notation.fraction),
        ("$98.25", "98.25", Notation.decimal),
        ("4.25%", "4.25", Notation.decimal),
        ("103,-", "103", Notation.decimal),
        ("1.234,--", "1234", Notation.decimal),
        ("63.–", "63", Notation.decimal),
    ],
)
def test_a_number_is_read_exactly_whatever_its_notation(text: str, value: str, notation: Notation) -> None:
    found = number(text)
    assert found is not None
    assert (found.value, found.notation, found.raw) == (Fraction(value), notation, text)


@pytest.mark.parametrize(
    "text", ["", "-", "--", "n/a", "NB", "tbd", ".", "abc", "98/99", "12/13", "98.25/98.75", "1" * 41]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "ticks", "value"),
    [
        ("99-16", Ticks.cash, "99.5"),
        ("99-16+", Ticks.cash, "99.515625"),
        ("99-165", Ticks.cash, "99.51953125"),
        ("99'16.5", Ticks.cash, "99.515625"),
        ("99:16", Ticks.cash, "99.5"),
        ("134-015", Ticks.futures, "134.046875"),
        ("134-017", Ticks.futures, "134.0546875"),
        ("99.16", Ticks.dotted, "99.5"),
        ("99.16", Ticks.cash, "99.16"),
    ],
)
def test_32nds_are_read_when_told_to(text: str, ticks: Ticks, value: str) -> None:
    found = number(text, ticks=ticks)
    assert found is not None
    assert found.value == Fraction(value)


@pytest.mark.parametrize(
    ("text", "ticks"), [("99-16", Ticks.off), ("99-32", Ticks.cash), ("99-168", Ticks.cash), ("134-013", Ticks.futures)]
)
def test_a_tick_above_31_or_a_digit_that_nobody_prints_is_no_price(text: str, ticks: Ticks) -> None:
    assert number(text, ticks=ticks) is None


def test_a_third_digit_of_an_unknown_class_is_read_as_cash_and_flagged() -> None:
    found = number("99-165", ticks=Ticks.unsure)
    assert found is not None
    assert (found.value, found.flags) == (Fraction("99.51953125"), frozenset({Flag.ambiguous_tick}))


def test_three_digits_behind_an_apostrophe_are_a_swiss_thousand_not_32nds() -> None:
    found = number("1'234", ticks=Ticks.cash)
    assert found is not None
    assert found.value == 1234


def test_a_grouped_reading_above_the_ceiling_gives_way_to_the_decimal_one() -> None:
    found = number("98,125", ceiling=1000)
    assert found is not None
    assert found.value == Fraction("98.125")


def test_null_words_are_known_in_any_case() -> None:
    assert all(map(is_null, ("", "-", "N/A", "nb", "TBD", "–")))
    assert not is_null("0")


def test_a_lone_fraction_is_less_than_one() -> None:
    assert fraction("3/8") == Fraction(3, 8)
    assert fraction("⅞") == Fraction(7, 8)
    assert fraction("9/8") is None
    assert fraction("98 1/4") is None


def test_a_lone_tick_is_a_part_of_a_point() -> None:
    found = tick("17+", Ticks.cash)
    assert found is not None
    assert found[0] == Fraction(35, 64)
    assert tick("32", Ticks.cash) is None
    assert tick("17", Ticks.off) is None


@given(st.integers(0, 300), st.integers(0, 9999), st.booleans())
def test_a_printed_decimal_is_read_back(whole: int, part: int, comma: bool) -> None:
    text = f"{whole}{',' if comma else '.'}{part:04}"
    found = number(text, Locale.comma if comma else Locale.point)
    assert found is not None
    assert found.value == whole + Fraction(part, 10_000)


@given(st.integers(1, 199), st.integers(1, 63), st.sampled_from([2, 4, 8, 16, 32, 64]))
def test_a_printed_fraction_is_read_back(whole: int, numerator: int, denominator: int) -> None:
    numerator %= denominator
    found = number(f"{whole} {numerator or 1}/{denominator}")
    assert found is not None
    assert found.value == whole + Fraction(numerator or 1, denominator)


@given(st.integers(10, 199), st.integers(0, 31), st.sampled_from(["", "+", *"01234567"]))
def test_a_printed_tick_is_read_back(handle: int, two: int, last: str) -> None:
    found = number(f"{handle}-{two:02}{last}", ticks=Ticks.cash)
    eighths = 4 if last == "+" else int(last or 0)
    assert found is not None
    assert found.value == handle + (two + Fraction(eighths, 8)) / 32


@given(st.text(max_size=60))
def test_no_text_makes_it_raise(text: str) -> None:
    for ticks in Ticks:
        found = number(text, ticks=ticks)
        assert found is None or isinstance(found.value, Fraction)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("101h", "101.5"),
        ("92h", "92.5"),
        ("83 a half", "83.5"),
        ("101 and a half", "101.5"),
        ("16h", None),
        ("h", None),
    ],
)
def test_a_letter_or_words_behind_a_handle_are_a_half_where_no_hour_can_be_meant(
    text: str, expected: str | None
) -> None:
    found = number(text)
    assert (found.value if found else None) == (Fraction(expected) if expected else None)


def test_under_a_header_of_32nds_a_decimal_that_is_no_tick_is_no_number() -> None:
    assert [number(text, ticks=Ticks.dotted) for text in ("99.5", "99.345", "98.32")] == [None] * 3
    assert [found.value for text in ("99", "99 1/4", "99.08") if (found := number(text, ticks=Ticks.dotted))] == [
        99,
        Fraction("99.25"),
        Fraction("99.25"),
    ]
