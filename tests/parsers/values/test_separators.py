from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.values.separators import Locale, decimal, exact, proven_mark, within


@pytest.mark.parametrize(("locale", "value"), [(Locale.point, 98125), (Locale.comma, Fraction("98.125"))])
def test_a_lone_comma_before_three_digits_follows_the_locale(locale: Locale, value: Fraction) -> None:
    assert decimal("98,125", locale) == value


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1.234,56", ","),
        ("1,234.56", "."),
        ("1.234.567", ","),
        ("98,25", ","),
        ("98.25", "."),
        ("1,234", None),
        ("98", None),
    ],
)
def test_a_token_proves_its_mark_or_leaves_it_open(text: str, mark: str | None) -> None:
    assert proven_mark(text) == mark


@given(st.from_regex(r"\A(?:[0-9]{1,12}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})\Z"))
def test_digits_with_a_point_are_read_as_fraction_reads_them(text: str) -> None:
    assert exact(text) == Fraction(text.rstrip("."))


@given(st.fractions(), st.fractions(), st.fractions())
def test_a_value_within_two_others_is_told_as_fractions_compare(value: Fraction, low: Fraction, high: Fraction) -> None:
    assert within(value, low, high) == (low <= value <= high)
