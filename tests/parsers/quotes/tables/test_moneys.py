from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quote import Quote

Read = Callable[..., list[Quote]]


def test_a_lone_dollar_is_the_dollar_of_the_class(read: Read) -> None:
    table = "CUSIP | Security | Size ($mm) | Bid | Ask\n683234B31 | ONT 4.15 06/34 | 5 | 98 | 99"
    assert [quote.currency for quote in read(table, "Canadian provincials")] == ["CAD"]
    assert [quote.currency for quote in read(table, "US HY")] == ["USD"]


def test_a_lone_dollar_beside_spreads_over_canadas_is_canadian(read: Read) -> None:
    found = read(
        "Issuer | Cpn | Maturity | Bid GoC+ | Ask GoC+ | Bid $ | Ask $\nBCE | 5.15 | 08/24/34 | 148 | 144 | 103 | 103.4",
        "IG",
    )
    assert {quote.currency for quote in found} == {"CAD"}


@pytest.mark.parametrize(
    ("lines", "money"),
    [
        (["US High Yield axes", "We are buyers of"], "USD"),
        (["GBP run", "TMT"], "GBP"),
        (["GBP rallied 1%"], None),
        (["US HY was weaker yesterday"], None),
    ],
)
def test_a_title_states_the_currency_of_all_its_parts(read: Read, lines: list[str], money: str | None) -> None:
    found = read("Security | Bid | Ask\nXYZ 5 03/34 | 98 | 99", "Axes", lines=[*lines, "see below", "as of today"])
    assert [quote.currency for quote in found] == [money]


def test_a_name_that_begins_with_a_ticker_like_a_currency_states_none(read: Read) -> None:
    table = "Security | Bid | Ask\nCOP 5.5 01/15/55 | 98 | 99\nBNP 4.375 03/31 (EUR) | 98 | 99"
    assert [quote.currency for quote in read(table, "HY")] == [None, "EUR"]
