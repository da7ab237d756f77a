from __future__ import annotations

import pytest

from parsers.quotes.runs.quoted.holdings import is_holding


@pytest.mark.parametrize(
    "text",
    [
        "XYZ 5 03/33   5,000,000   98.50   4,925,000",
        "XYZ 5 03/33   5.000.000   98,50   4.925.000,00",
        "XYZ 5 03/33   5'000'000   101.25   5'062'500",
        "Holdings: 5,000 XYZ 5 33 98.5",
        "US0378331005  nominal 250,000  price 101.20 value 253,000",
    ],
)
def test_what_is_held_at_a_price_is_no_quote(text: str) -> None:
    assert is_holding(text)


@pytest.mark.parametrize(
    "text",
    [
        "XYZ 5 03/33 98.50/98.75 5,000,000 x 2,000,000",
        "500,000 XYZ 5 03/33 98.50",
        "XYZ 5 03/33 100.00 5,000,000",
        "USDBRL 5.4720/5.4790",
        "XYZ 2 1/8 05/33 99,125 - 100,000",
    ],
)
def test_sizes_beside_a_price_are_no_holding(text: str) -> None:
    assert not is_holding(text)


def test_a_line_of_hundreds_of_amounts_is_not_searched() -> None:
    assert not is_holding("5,000,000 98.50 4,925,000 " * 200)
