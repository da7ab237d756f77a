from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from parsers.values.decimals import decimal_text, rounded, times


@pytest.mark.parametrize(
    ("value", "text"),
    [("1E+3", "1000"), ("98.50", "98.5"), ("100", "100"), ("0.00", "0"), ("-0.0", "0"), ("-1.50", "-1.5")],
)
def test_plain_digits_have_no_exponent_and_no_trailing_zeros(value: str, text: str) -> None:
    assert decimal_text(Decimal(value)) == text


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (Fraction(5), "5"),
        (Fraction(197, 2), "98.5"),
        (Fraction(1, 3), "0.33333333"),
        (Fraction(5, 10**9), "0"),
        (Fraction(15, 10**9), "0.00000002"),
    ],
)
def test_a_stored_level_is_half_even_at_eight_decimals(value: Fraction, stored: str) -> None:
    found = rounded(value)
    assert found is not None
    assert decimal_text(found) == stored


def test_nothing_stays_nothing() -> None:
    assert rounded(None) is None


def test_a_cells_value_is_multiplied_exactly() -> None:
    assert times(Decimal("0.0425"), 100) == Fraction(17, 4)
    assert times(Decimal("98.10")) == Fraction(981, 10)
