from __future__ import annotations

from datetime import date
from decimal import Decimal

from ingest.generate.books import books
from ingest.generate.dealers import dealers
from ingest.generate.instruments import TODAY, instrument

ENGLISH = next(dealer for dealer in dealers() if dealer.language == "en")
GERMAN = next(dealer for dealer in dealers() if dealer.language == "de")


def test_an_instrument_is_the_same_each_time_and_another_of_another_seed() -> None:
    assert instrument(5, "ig_usd", 17) == instrument(5, "ig_usd", 17)
    assert instrument(5, "ig_usd", 17) != instrument(6, "ig_usd", 17)


def test_every_name_of_the_market_can_be_written() -> None:
    for book in books().values():
        for number in range(0, book.instruments, max(1, book.instruments // 40)):
            one = instrument(5, book.key, number)
            for dealer in (ENGLISH, GERMAN):
                name = one.named(dealer)
                assert name == name.strip()
                assert "{" not in name
                assert "  " not in name


def test_a_german_name_has_the_decimal_comma_and_the_date_with_points() -> None:
    one = next(one for n in range(50) if (one := instrument(5, "bunds", n)).coupon and (one.coupon or Decimal(0)) % 1)
    assert "," in one.named(GERMAN)
    assert one.named(GERMAN).count(".") == 2
    assert "," not in one.named(ENGLISH)


def test_listed_products_are_there_once_each() -> None:
    names = {(instrument(5, "tba", number).named(ENGLISH)) for number in range(books()["tba"].instruments)}
    assert len(names) == books()["tba"].instruments


def test_maturities_lie_ahead_and_on_the_day_that_the_class_has() -> None:
    for number in range(60):
        maturity = instrument(5, "govt_us", number).maturity
        assert maturity is not None
        assert (maturity > TODAY, maturity.day) == (True, 15)
    bill = instrument(5, "bills", 3).maturity
    assert bill is not None
    assert bill < date(TODAY.year + 1, TODAY.month, 28)


def test_a_swaption_is_named_by_expiry_and_tail() -> None:
    one = instrument(5, "swaptions", 1)
    assert one.tenor == "3M10Y"
    assert one.named(ENGLISH) == "USD 3m10y ATM"
