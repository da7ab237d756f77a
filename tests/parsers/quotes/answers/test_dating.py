from __future__ import annotations

import pytest

from parsers.quotes.answers.dating import Dates, proven
from parsers.quotes.regions import Place
from parsers.values.times.dates import DateOrder


@pytest.mark.parametrize(
    ("dates", "currency", "region", "order"),
    [
        (Dates(DateOrder.mdy, is_foreign=True), None, None, DateOrder.mdy),
        (Dates(is_foreign=True), "USD", "north_america", DateOrder.dmy),
        (Dates(has_commas=True), "CAD", "canada", DateOrder.dmy),
        (Dates(), "USD", "europe", DateOrder.mdy),
        (Dates(), "EUR", "north_america", DateOrder.dmy),
        (Dates(), None, "canada", DateOrder.mdy),
    ],
)
def test_dates_are_read_by_evidence_language_decimal_mark_currency_then_desk(
    dates: Dates, currency: str | None, region: str | None, order: DateOrder
) -> None:
    assert dates.order(Place("corp_ig", desk=region), currency) is order


def test_treasuries_and_munis_in_english_are_american_whatever_other_dates_prove() -> None:
    proven = Dates(DateOrder.dmy)
    orders = [proven.order(Place(name), "USD") for name in ("govt_us", "us_muni", "corp_ig")]
    assert orders == [DateOrder.mdy, DateOrder.mdy, DateOrder.dmy]


def test_a_part_above_twelve_proves_the_order_unless_another_proves_the_other() -> None:
    assert proven([("05", "06"), ("22", "11")]) is DateOrder.dmy
    assert proven([("05", "22"), ("13", "14")]) is DateOrder.mdy
    assert proven([("22", "11"), ("11", "22")]) is None
