from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Flag
from parsers.document import Cell, Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import column
from parsers.quotes.regions import Place
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.columns.table import table_of
from parsers.quotes.tables.plans.row_words import Mark, dates_of, mark_of
from parsers.values.times.dates import DateOrder


def test_a_part_above_twelve_proves_the_order_of_the_column(grid: Callable[..., Grid]) -> None:
    columns = [column(0, ("ISIN",)), column(1, ("Maturity",)), column(2, ("Bid",))]
    rows = grid("XS1 | 05/06/31 | 98\nXS2 | 22/11/30 | 97").rows
    assert dates_of(table_of(columns, rows, headed=True)).order(Place("corp_ig"), "USD") is DateOrder.dmy


@pytest.mark.parametrize(
    ("heading", "currency", "region", "order"),
    [
        ("Maturity", "USD", None, DateOrder.mdy),
        ("Maturity", "CAD", "europe", DateOrder.mdy),
        ("Maturity", "EUR", "north_america", DateOrder.dmy),
        ("Maturity", None, "north_america", DateOrder.mdy),
        ("Maturity", None, None, DateOrder.dmy),
        ("Fälligkeit", "USD", None, DateOrder.dmy),
    ],
)
def test_unproven_dates_follow_language_currency_and_region(
    grid: Callable[..., Grid], heading: str, currency: str | None, region: str | None, order: DateOrder
) -> None:
    columns = [column(0, ("ISIN",)), column(1, (heading,)), column(2, ("Bid",))]
    table = table_of(columns, grid("XS1 | 05/06/31 | 98").rows, headed=True)
    assert dates_of(table).order(Place("corp_ig", desk=region), currency) is order


@pytest.mark.parametrize(
    ("heading", "text", "mark"),
    [
        ("Axe", "Buy", Mark("bid", is_axe=True)),
        ("Axe", "*", Mark(None, is_axe=True)),
        ("Axe?", "Better seller", Mark("ask", is_axe=True)),
        ("Side", "Offer", Mark("ask")),
        ("B/S", "B", Mark("bid")),
        ("Axe", "", Mark()),
    ],
)
def test_an_axe_column_marks_and_a_side_column_only_says_whose(heading: str, text: str, mark: Mark) -> None:
    columns = [column(0, (heading,))]
    assert mark_of(columns, Fields.of(columns), [Cell(text)]) == mark


def test_one_sided_interest_of_an_axe_column_is_an_axe_of_that_side(read: Callable[..., list[Quote]]) -> None:
    (quote,) = read("ISIN | Security | Axe | Bid | Ask\nXS2621001002 | BNP 4 31 | Buyer | 98 | ", "EUR HY")
    assert (quote.quote_kind, quote.is_axe_bid, quote.is_axe_ask) == ("axe", True, False)


def test_an_axe_beside_a_market_leaves_it_a_market(read: Callable[..., list[Quote]]) -> None:
    (quote,) = read("ISIN | Security | Axe | Bid | Ask\nXS2621001002 | BNP 4 31 | Seller | 98 | 99", "EUR HY")
    assert (quote.quote_kind, quote.is_axe_bid, quote.is_axe_ask) == ("market", False, True)


def test_a_maturity_that_reads_both_ways_is_flagged_where_nothing_proves_the_order(
    read: Callable[..., list[Quote]],
) -> None:
    table = "ISIN | Maturity | Bid | Ask\nXS2641318121 | 05/06/2034 | 98 | 99\nUS0378331005 | {} | 97 | 98"
    unsure, proven = (read(table.format(due))[0].flags for due in ("01/02/2030", "15/02/2030"))
    assert (Flag.ambiguous_date in unsure, Flag.ambiguous_date in proven) == (True, False)
