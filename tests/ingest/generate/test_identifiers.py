from __future__ import annotations

import pytest
from stdnum import cusip, figi, isin
from stdnum.gb import sedol

from ingest.generate.books import books
from ingest.generate.identifiers import identifier

CHECKS = {"isin": isin.is_valid, "cusip": cusip.is_valid, "figi": figi.is_valid, "sedol": sedol.is_valid}


@pytest.mark.slow
def test_every_identifier_of_the_market_is_valid_and_given_once() -> None:
    given: list[str] = []
    for book in books().values():
        for kind in book.ids:
            for serial in range(book.first, book.first + book.instruments):
                value = identifier(kind, serial)
                check = CHECKS.get(kind.partition(":")[0])
                assert check is None or check(value), (kind, value)
                given.append(value)
    assert len(given) > 65_000
    assert len(set(given)) == len(given)


@pytest.mark.parametrize(
    ("country", "national"),
    [("US", "cusip"), ("DE", "wkn"), ("GB", "sedol"), ("CH", "valor")],
)
def test_an_isin_holds_the_national_number_of_the_same_instrument(country: str, national: str) -> None:
    assert identifier(national, 4711) in identifier(f"isin:{country}", 4711)


def test_a_cusip_is_no_number_that_a_phone_could_be() -> None:
    assert all(not identifier("cusip", serial).isdigit() for serial in range(0, 70_000, 7))
