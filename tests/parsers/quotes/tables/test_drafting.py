from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from parsers.document import Cell, Grid
from parsers.quote import Quote
from parsers.quotes.tables import TableResult
from parsers.quotes.tables.drafting import text_of

Read = Callable[..., list[Quote]]
Result = Callable[..., TableResult]
Changed = Callable[[Grid, dict[tuple[int, int], dict[str, Any]]], Grid]


def test_a_rows_text_is_its_cells_joined_by_tabs() -> None:
    assert text_of([Cell("XS2621001002"), Cell(""), Cell("98 1/4")]) == "XS2621001002\t\t98 1/4"


@pytest.mark.parametrize(
    ("price", "code"),
    [("-", "ROW_NO_PRICE"), ("withdrawn", "ROW_WITHDRAWN"), ("98..2", "ROW_AMBIGUOUS_NUMBER")],
)
def test_a_row_without_a_level_says_why(result: Result, price: str, code: str) -> None:
    found = result(
        f"ISIN | Security | Price\nXS2621001002 | BNP 4 31 | {price}\nXS2622002009 | SAN 4 31 | 99", "EUR HY"
    )
    assert [reject.code for reject in found.rejects] == [code]
    assert len(found.drafts) == 1


def test_a_hidden_price_cell_flags_its_row(read: Read, grid: Callable[..., Grid], change: Changed) -> None:
    table = grid("ISIN | Bid | Ask\nXS2621001002 | 98 | 99\nXS2622002009 | 97 | 98")
    found = read(change(table, {(3, 2): {"hidden": True}}), "EUR HY")
    assert ["hidden_source" in quote.flags for quote in found] == [False, True]


def test_a_refused_row_of_a_workbook_names_the_cell_that_tells(result: Result, grid: Callable[..., Grid]) -> None:
    table = grid(
        "ISIN | Security | Price\nXS2621001002 | BNP 4 31 | 98\nXS2622002009 | SAN 4 31 | 98..2", sheet="EUR IG"
    )
    assert [reject.locator for reject in result(table, "EUR HY").rejects] == ["EUR IG!C3"]


def test_a_refused_instrument_of_a_table_on_its_side_keeps_its_true_cell(
    result: Result, grid: Callable[..., Grid]
) -> None:
    table = grid(
        "ISIN | XS2621001002 | XS2622002009\nSecurity | EIB 2.875 33 | KFW 2.75 32\nBid | 99.34 | -\nAsk | 99.48 | -",
        sheet="SSA",
    )
    assert [reject.locator for reject in result(table).rejects] == ["SSA!C3"]


def test_a_formula_without_a_cached_value_flags_its_row(read: Read, grid: Callable[..., Grid], change: Changed) -> None:
    table = grid("ISIN | Bid | Ask\nXS2621001002 | 98 | 99\nXS2622002009 | 97 | ")
    found = read(change(table, {(3, 3): {"formula_no_cache": True}}), "EUR HY")
    assert [(quote.ask, "formula_no_cache" in quote.flags) for quote in found] == [(Decimal(99), False), (None, True)]


def test_a_column_of_loans_facilities_is_no_size_of_either_side(read: Read) -> None:
    deals, sized = (
        read(f"Loan | Size (mm) | Bid | Offer\nAcme TLB | {size} | 99.25 | 99.75\nBeta TLB | {size} | 96.5 | 97.25")
        for size in (750, 5)
    )
    assert [(quote.bid_size, quote.ask_size, quote.size_text) for quote in deals] == [(None, None, None)] * 2
    assert [(quote.bid_size, quote.ask_size) for quote in sized] == [(Decimal(5_000_000), Decimal(5_000_000))] * 2
