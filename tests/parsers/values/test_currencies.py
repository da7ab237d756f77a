from __future__ import annotations

import re
from fractions import Fraction

import pytest

from parsers.values.currencies import CODE, PRINTED, SYMBOL, SYMBOLS, of_symbol, premium_currency, rough_rate, symbol_in


@pytest.mark.parametrize(("symbol", "code"), [("$", "USD"), ("us$", "USD"), ("Mx$", "MXN"), ("€", "EUR"), ("¤", None)])
def test_a_symbol_stands_for_its_currency_in_any_case(symbol: str, code: str | None) -> None:
    assert of_symbol(symbol) == code


def test_a_longer_symbol_goes_before_the_dollar_that_ends_it() -> None:
    assert re.findall(SYMBOL, "US$5 C$5 $5 €5") == ["US$", "C$", "$", "€"]


def test_each_symbol_stands_for_a_code_that_is_known() -> None:
    assert all(re.fullmatch(CODE, code) for code in SYMBOLS.values())


def test_the_shelf_of_a_deal_is_no_currency() -> None:
    assert re.search(PRINTED, "CNH 2024-22 A2") is None
    assert re.search(PRINTED, "CNH 2.5 2027") is not None


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("CA$ corporates", "CA$"),
        ("A$ bonds", "A$"),
        ("HK$ bonds", "HK$"),
        ("S$ and $ bonds", "S$"),
        ("US$ bonds", "US$"),
        ("in M$", "$"),
        ("en M€", "€"),
        ("TT$ bonds", None),
        ("spread over €STR", None),
        ("bonds", None),
    ],
)
def test_letters_in_front_make_a_symbol_another_one(text: str, symbol: str | None) -> None:
    assert symbol_in(text) == symbol


def test_a_rough_rate_is_exact_for_what_it_is_compared_with_is() -> None:
    assert rough_rate("EUR", "USD") == Fraction(10, 9)


def test_the_currency_of_a_premium_is_told_by_its_words() -> None:
    assert [premium_currency(text) for text in ("premium ccy USD", "Premium in eur", "USD premium")] == [
        "USD",
        "EUR",
        None,
    ]
