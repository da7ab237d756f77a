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


def test_market_talk_in_a_priced_table_is_no_quote(result: Result) -> None:
    rows = ["Security | Bid | Ask", "BNP 4.375 03/31 | 98 | 99", "SANTAN 3.5 05/29 | 97 | 98", "S&P 500 | 5100 | 5102"]
    found = result("\n".join(rows), "EUR HY")
    assert [draft.instrument.description for draft in found.drafts] == ["BNP 4.375 03/31", "SANTAN 3.5 05/29"]
    assert found.rejects == ()


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


def test_credit_protection_has_the_tenor_of_its_name_where_no_column_has_tenors(read: Read) -> None:
    tranches = read("Tranche | Bid | Ask\nIG45 5y 0-3% | 32.5 | 33.5", "CDX tranches")
    assert [quote.tenor for quote in tranches] == ["5Y"]
    curve = read("Name | 3Y | 10Y\nF 5y | 150/155 | 180/185", "CDS run")
    assert [quote.tenor for quote in curve] == ["3Y", "10Y"]


def test_tips_are_in_32nds_whatever_their_table_prints(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    table = "Issue | Px Bid | Px Ask\nTII 1 3/8 07/33 | 95-30 | 96-02\nTII 2 1/8 02/54 | 96-08 | 96-18"
    assert [level[2:4] for level in levels(table, "TIPS")] == [("95.9375", "96.0625"), ("96.25", "96.5625")]


def test_bills_among_notes_are_quoted_at_a_discount(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    rows = "B 0 12/24/26 | 3.86 | 3.85\nB 0 05/13/27 | 98.12 | 98.15\nT 3 5/8 10/31/28 | 99-28+ | 99-29\nT 4 08/15/35 | 101-02 | 101-02+"
    found = levels(f"Security | Bid | Ask\n{rows}", "Treasuries")
    assert [level[1] for level in found] == ["discount_rate_pct", "price_pct", "price_pct", "price_pct"]


def test_the_index_in_the_corner_is_part_of_its_tranches_names(read: Callable[..., list[Quote]]) -> None:
    found = read("Main S44 5Y | Bid | Offer\n0-3% | 31.25 | 31.75\n6-12% | 61 | 65", "iTraxx tranches")
    assert [(quote.description, quote.tenor) for quote in found] == [
        ("Main S44 5Y 0-3%", "5Y"),
        ("Main S44 5Y 6-12%", "5Y"),
    ]
