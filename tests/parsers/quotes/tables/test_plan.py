from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.quotes.tables.plans.plan import plan_of


def table(grid: Grid, *headings: str) -> Table:
    return table_of([column(at, (text,)) for at, text in enumerate(headings)], grid.rows, headed=True)


def test_a_rate_is_a_level_of_money_markets_and_a_coupon_elsewhere(grid: Callable[..., Grid]) -> None:
    rates = table(grid("TOYCC | 1M | 4.38"), "Issuer", "Tenor", "Rate")
    assert len(plan_of(rates, "commercial_paper", Surroundings(), None).levels) == 1
    assert not plan_of(rates, "corp_ig", Surroundings(), None).levels


def test_a_rate_beside_a_price_is_a_coupon_of_money_markets_too(grid: Callable[..., Grid]) -> None:
    priced = table(grid("Ally Bank | 4.2 | 100"), "Bank", "Rate", "Price")
    plan = plan_of(priced, "cd", Surroundings(), None)
    assert [str(level.quote_type) for level in plan.levels] == ["price_pct"]
    assert plan.coupon == 1


def test_the_spread_of_a_loan_is_its_margin(grid: Callable[..., Grid]) -> None:
    loans = table(grid("Acme TLB | 450 | 99 | 99.5"), "Facility", "Spread", "Bid", "Ask")
    assert [planned.quote_type for planned in plan_of(loans, "leveraged_loan", Surroundings(), None).levels] == [
        "price_pct"
    ]


def test_a_market_under_a_word_nobody_knows_is_believed_where_there_is_no_other(grid: Callable[..., Grid]) -> None:
    row = grid("TES 36 | 12.41 | 12.35 | 67.1")
    lone = table(row, "Papel", "Xyz Compra", "Xyz Venta", "Precio Sucio")
    assert [planned.quote_type for planned in plan_of(lone, "govt_latam_local", Surroundings(), None).levels] == [
        "yield_pct"
    ]
    priced = table(row, "Papel", "Xyz Compra", "Xyz Venta", "Precio")
    assert [planned.quote_type for planned in plan_of(priced, "govt_latam_local", Surroundings(), None).levels] == [
        "price_pct"
    ]
    cents = table(grid("Celsius | 58.5 | 61"), "Debtor", "Px Bid (c)", "Px Offer (c)")
    assert [str(level.quote_type) for level in plan_of(cents, "trade_claim", Surroundings(), None).levels] == [
        "price_pct"
    ]
    assert not plan_of(table(row, "Papel", "Uno Compra", "Otro Venta", "?"), "corp_hy", Surroundings(), None).levels


def test_a_floaters_spread_beside_its_discount_margin_is_its_margin(grid: Callable[..., Grid]) -> None:
    notes = table(grid("BPCE | 62 | 54 | 50"), "Emetteur", "Marge", "DM achat", "DM vente")
    plan = plan_of(notes, "frn", Surroundings(), None)
    assert ([planned.quote_type for planned in plan.levels], plan.margin) == (["dm_bp"], 1)


def test_a_rows_index_says_that_its_rate_is_a_real_yield(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels(
        "Ativo | Indexador | Taxa Compra | Taxa Venda\nEGIE29 | IPCA+ | 6.41 | 6.35\nVALE38 | IPCA+ | 6.2 | 6.1"
    )
    assert [level[1] for level in found] == ["real_yield_pct"] * 2


def test_points_beside_outrights_are_a_record_of_their_own(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels("Pair | Tenor | Pts | Outright\nEURUSD | 1M | 25.1/25.6 | 1.0820/1.0822", "FX forwards")
    assert [(kind, bid) for _, kind, bid, _, _ in found] == [("fwd_points", "25.1"), ("fx_rate", "1.082")]


def test_spreads_of_munis_have_the_benchmark_that_their_heading_names(read: Callable[..., list[Quote]]) -> None:
    found = read("Name | 5Y | 10Y\nCalifornia GO | 8/5 | 22/18\nIllinois GO | 71/66 | 98/92", lines=["Spreads to MMD"])
    assert {(str(quote.quote_type), quote.benchmark) for quote in found} == {("spread_mmd_bp", "MMD")}


def test_trades_beside_talk_of_spreads_are_spreads(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels(
        "CUSIP | Class | Talk | Traded\n06541AAA8 | BANK 2021-BN35 A5 | +95a | 93\n12592BBB9 | COMM 2015-CR26 AS | +210a | 208"
    )
    assert [(kind, mid) for _, kind, _, _, mid in found if mid] == [("spread_swap_bp", "93"), ("spread_swap_bp", "208")]


def test_what_an_option_costs_beside_its_vol_is_its_premium(
    levels: Callable[..., list[tuple[str | None, ...]]],
) -> None:
    vol = "1M | 10Y | 172 | 179 | 61.2 | 63.7"
    for heading in ("Straddle Bid | Straddle Ask", "Straddle Bid (bp) | Straddle Ask (bp)"):
        found = levels(f"Expiry | Tail | {heading} | nVol Bid | nVol Ask\n{vol}", "EUR swaptions")
        assert [(kind, bid) for _, kind, bid, _, _ in found] == [("premium_bp", "172"), ("vol_normal_bp", "61.2")]
