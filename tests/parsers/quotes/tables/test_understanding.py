from __future__ import annotations

from collections.abc import Callable

from parsers.quote import Quote
from parsers.quotes.tables import TableResult

Read = Callable[..., list[Quote]]
Result = Callable[..., TableResult]


def test_market_talk_in_a_priced_table_is_no_quote(result: Result) -> None:
    rows = ["Security | Bid | Ask", "BNP 4.375 03/31 | 98 | 99", "SANTAN 3.5 05/29 | 97 | 98", "S&P 500 | 5100 | 5102"]
    found = result("\n".join(rows), "EUR HY")
    assert [draft.instrument.description for draft in found.drafts] == ["BNP 4.375 03/31", "SANTAN 3.5 05/29"]
    assert found.rejects == ()


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
