from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.quote import Quote

Read = Callable[..., list[Quote]]
HEAD = "ISIN | Security"
ROW = "XS2621001002 | ACME 4.375 03/31"


def test_a_lone_yield_takes_the_side_of_the_rows_only_price(read: Read) -> None:
    found = read(f"{HEAD} | Ask | YTW\n{ROW} | 99.75 | 4.51", "HY")
    assert [(quote.quote_type, quote.side) for quote in found] == [("price_pct", "ask"), ("yield_pct", "ask")]


def test_beside_a_two_way_price_a_lone_yield_has_an_unknown_side(read: Read) -> None:
    found = read(f"{HEAD} | Bid | Ask | YTW\n{ROW} | 99 | 99.75 | 4.51", "HY")
    assert (found[1].side, str(found[1].mid)) == ("unknown", "4.51")


def test_a_price_without_a_side_is_a_mid(read: Read) -> None:
    assert [quote.side for quote in read(f"{HEAD} | Price\n{ROW} | 99.75", "HY levels")] == ["mid"]


def test_a_priced_list_of_offerings_is_asks_of_a_market(read: Read) -> None:
    found = read(f"{HEAD} | Price\n{ROW} | 99.75", "HY offerings")
    assert [(quote.side, quote.quote_kind) for quote in found] == [("ask", "market")]


def test_a_side_column_says_whose_price_it_is(read: Read) -> None:
    found = read(f"{HEAD} | Side | Price\n{ROW} | Buy | 99.75\nXS2622002009 | SANTAN 3 29 | Offer | 98", "HY")
    assert [quote.side for quote in found] == ["bid", "ask"]


def test_one_sided_interest_in_an_axe_list_is_an_axe(read: Read) -> None:
    found = read(f"{HEAD} | Our Bid\n{ROW} | 94.25", "HY AXES", lines=["AXED TO BUY - WE BID"])
    assert [(quote.quote_kind, quote.is_axe_bid, quote.is_axe_ask) for quote in found] == [("axe", True, False)]


def test_a_market_with_an_axe_mark_stays_a_market(read: Read) -> None:
    found = read(f"{HEAD} | Axe | Bid | Ask\n{ROW} | Sell | 99 | 99.5", "HY")
    assert [(quote.quote_kind, quote.is_axe_bid, quote.is_axe_ask) for quote in found] == [("market", False, True)]


def test_last_beside_bid_and_ask_is_a_trade_of_its_own(read: Read) -> None:
    found = read(f"{HEAD} | Bid | Ask | Last\n{ROW} | 99 | 99.5 | 99.25", "HY")
    assert [(quote.quote_kind, quote.side) for quote in found] == [("market", "two_way"), ("trade", "mid")]


@pytest.mark.parametrize("subject", ["EM EOD marks", "HY closing levels", "HY evaluated prices"])
def test_a_run_headed_as_a_close_is_marks(read: Read, subject: str) -> None:
    assert {quote.quote_kind for quote in read(f"{HEAD} | Bid | Ask\n{ROW} | 99 | 99.5", subject)} == {"mark"}


def test_prices_for_the_close_are_no_marks(read: Read) -> None:
    found = read(f"{HEAD} | Bid | Ask\n{ROW} | 99 | 99.5", "HY, refreshed into the close")
    assert {quote.quote_kind for quote in found} == {"market"}


def test_in_a_list_of_bids_wanted_numbers_are_talk_cover_and_trades(read: Read) -> None:
    found = read(
        "CUSIP | Deal | CF (mm) | Px Talk | Cover | Traded\n67590BAG5 | OCT 2019-42A AR | 20.5 | mid 99s | 99.61 | 99.7",
        "CLO BWIC 2pm",
    )
    assert [(quote.quote_kind, quote.side) for quote in found] == [("talk", "talk"), ("cover", "bid"), ("trade", "mid")]
    assert {(str(quote.bid_size), quote.ask_size) for quote in found} == {("20500000", None)}


def test_cover_of_offers_wanted_is_an_ask(read: Read) -> None:
    found = read("CUSIP | Deal | Cover\n67590BAG5 | OCT 2019-42A AR | 99.61", "CLO OWIC")
    assert [quote.side for quote in found] == ["ask"]


def test_only_the_spread_record_carries_the_benchmark(read: Read) -> None:
    found = read(f"{HEAD} | Bid Px | Bid Sprd | Bench\n{ROW} | 99 | 85 | T 4 1/4 05/15/34", "USD IG")
    assert [(quote.quote_type, quote.benchmark) for quote in found] == [
        ("price_pct", None),
        ("spread_bench_bp", "T 4.25 05/34"),
    ]


def test_a_convertible_carries_its_reference_and_delta(read: Read) -> None:
    found = read(f"{HEAD} | CB Bid | CB Ask | Stk Ref | Delta\n{ROW} | 93.25 | 93.75 | 33.12 | 31", "CB sheet")
    assert [(quote.quote_type, str(quote.ref_price), str(quote.delta_pct)) for quote in found] == [
        ("price_vs_ref", "33.12", "31")
    ]


def test_an_axe_beside_a_two_way_market_is_no_side_of_a_lone_yield(levels: Callable[..., list[object]]) -> None:
    table = "Security | Bid | Ask | YTC | Axe\nLLOYDS 8.5 PERP | 105.4 | 105.9 | 6.72 | Buyer"
    assert levels(table, "AT1") == [
        ("LLOYDS 8.5 PERP", "price_pct", "105.4", "105.9", None),
        ("LLOYDS 8.5 PERP", "yield_pct", None, None, "6.72"),
    ]


def test_a_trade_above_any_price_is_what_its_talk_is(read: Read) -> None:
    rows = "DRIVE 2024-2 D | low 140s | 141\nAMCAR 2024-1 C | +95-100 | 99.12\nAMCAR 2024-1 B | 225a | 99.3"
    found = read(f"Bond | Talk | Traded\n{rows}", "ABS")
    traded = [quote.quote_type for quote in found if quote.quote_kind == "trade"]
    assert traded == ["spread_i_bp", "price_pct", "price_pct"]


def test_a_mark_is_on_the_side_that_its_row_says(read: Read) -> None:
    found = read(f"{HEAD} | Price | Price Type\n{ROW} | 97.22 | Bid", "Price file EOD")
    assert [(quote.quote_kind, str(quote.bid), quote.mid) for quote in found] == [("mark", "97.22", None)]


def test_a_spread_beside_a_benchmark_bond_is_over_it(read: Read) -> None:
    (found,) = read(f"{HEAD} | Sprd | Bench\n{ROW} | 85/80 | T 4 1/4 05/15/34", "EM levels")
    assert (found.quote_type, found.benchmark) == ("spread_bench_bp", "T 4.25 05/34")


def test_the_type_of_an_option_is_its_structure(read: Read) -> None:
    found = read(
        "Expiry | Tail | Type | Vol Bid | Vol Ask\n1Y | 10Y | Straddle | 88.1 | 91.3\n5Y | 5Y | Straddle | 92 | 93",
        "USD swaptions",
    )
    assert {quote.option_struct for quote in found} == {"straddle"}


def test_a_tenor_in_title_and_corner_is_one(read: Read) -> None:
    found = read("5Y CDS | Bid | Ask\nIberdrola SA | 48 | 51\nLanxess AG | 171 | 179", "5Y CDS EUR snr")
    assert {quote.tenor for quote in found} == {"5Y"}


def test_the_market_of_a_bond_says_how_its_dates_are_written(read: Read) -> None:
    table = "Issue | Maturity | Real Yld Bid | Real Yld Ask\nCAN RRB 3 12/01/36 | 12/01/2036 | 1.51 | 1.48"
    assert [str(quote.maturity) for quote in read(table, "RRB levels")] == ["2036-12-01"]


def test_a_margin_over_an_index_is_over_it_however_the_index_is_written(read: Read) -> None:
    found = read("Issuer | 1M | 3M\nVeolia | €STR+8 | €STR+12\nBPCE | €STR+3 | €STR+6", "NEU CP, EUR")
    assert [quote.mid for quote in found] == [8, 12, 3, 6]
    assert {quote.benchmark for quote in found} == {"ESTR"}


def test_talk_and_cover_of_a_row_are_of_one_measure_whatever_the_other_rows_are_of(
    read: Callable[..., list[Quote]],
) -> None:
    rows = "RIVRB 2018-9A B | 145-150 | 148\nNORTH 2020-1A E | mid 90s | 94.75\nOCP 2019-2A D | 310a | 305"
    found = read(f"Deal | Talk | Cover\n{rows}", "CLO BWIC color")
    assert [str(quote.quote_type) for quote in found] == ["dm_bp"] * 2 + ["price_pct"] * 2 + ["dm_bp"] * 2
