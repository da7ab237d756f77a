from __future__ import annotations

import pytest

from parsers.quotes.classes.homes import home_of


@pytest.mark.parametrize(
    ("asset_class", "instrument", "currency"),
    [
        ("govt_us", "T 4 11/15/29", "USD"),
        ("govt_intl", "UKT 3.25 31/01/33", "GBP"),
        ("govt_intl", "POLAND 4 31", None),
        ("inflation_linked", "TII 1 3/8 07/33", "USD"),
        ("corp_ig", "BAC 5 03/34", None),
    ],
)
def test_governments_are_of_one_currency(asset_class: str, instrument: str, currency: str | None) -> None:
    assert home_of(asset_class, instrument) == currency
