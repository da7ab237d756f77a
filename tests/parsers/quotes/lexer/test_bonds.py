from __future__ import annotations

import re

import pytest

from parsers.quotes.lexer.bonds import BOND, COUPON, DUE


@pytest.mark.parametrize("text", ["5", "4.125", "4,125", "4 1/8", "4½", "12.5%", "7 3/8%"])
def test_a_coupon_is_printed_whole_in_decimals_or_with_a_fraction(text: str) -> None:
    assert re.fullmatch(COUPON, text)


@pytest.mark.parametrize("text", ["103", "98.25", "4.12345", "4 9/32", "x5"])
def test_a_price_is_no_coupon(text: str) -> None:
    assert re.fullmatch(COUPON, text) is None


@pytest.mark.parametrize("text", ["03/34", "15/03/34", "03/15/2034", "2034", "34", "'34", "34s", "PERP", "perpetual"])
def test_a_bond_is_due_on_a_day_in_a_month_or_a_year_or_never(text: str) -> None:
    assert re.fullmatch(DUE, text)
    assert re.fullmatch(BOND, f"4 1/8 {text}")


@pytest.mark.parametrize("text", ["15", "1998", "03-34", "98.25"])
def test_what_is_past_or_a_price_is_no_maturity(text: str) -> None:
    assert re.fullmatch(DUE, text) is None
