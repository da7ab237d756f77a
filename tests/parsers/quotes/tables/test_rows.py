from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parsers.codes import Code
from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.tables import TableResult

Read = Callable[..., list[Quote]]
Levels = Callable[..., list[tuple[str | None, ...]]]
Result = Callable[..., TableResult]
Changed = Callable[[Grid, dict[tuple[int, int], dict[str, Any]]], Grid]

HY = """
ISIN | Security | Bid | Ask
XS2621001002 | BNP 4.375 03/31 | 98.25 | 98.75
XS2622002009 | SANTAN 3.5 05/29 | 97 | 97.5
"""


def test_a_row_gives_a_quote_with_its_place_and_its_text(read: Read) -> None:
    quote = read(HY, "EUR HY")[0]
    assert (quote.instrument_id, quote.row, quote.col, quote.table_idx) == ("XS2621001002", 2, 3, 1)
    assert quote.raw_text == "XS2621001002\tBNP 4.375 03/31\t98.25\t98.75"
    assert quote.raw_text[quote.char_start : quote.char_end] == "98.25"


def test_price_spread_and_yield_of_a_row_share_its_line(levels: Levels, read: Read) -> None:
    table = """
    ISIN | Bid Px | Ask Px | Bid Sprd | Ask Sprd | Bid Yld | Ask Yld
    XS2621001002 | 98.25 | 98.75 | 120 | 112 | 4.51 | 4.43
    """
    assert levels(table, "EUR IG") == [
        ("XS2621001002", "price_pct", "98.25", "98.75", None),
        ("XS2621001002", "spread_bench_bp", "120", "112", None),
        ("XS2621001002", "yield_pct", "4.51", "4.43", None),
    ]
    assert len({quote.line_key for quote in read(table, "EUR IG")}) == 1


def test_sections_set_class_currency_and_side_until_the_next_of_their_kind(read: Read) -> None:
    found = read("""
    Security | CUSIP | Price | Size (mm)
    OFFERS | | |
    USD HY | | |
    F 5.8 03/27 | 345397X16 | 101.5 | 2
    BIDS | | |
    CHTR 5 28 | 1248EPB51 | 97 | 1
    """)
    assert [(quote.side, quote.currency, quote.asset_class) for quote in found] == [
        ("ask", "USD", "corp_hy"),
        ("bid", "USD", "corp_hy"),
    ]


def test_a_section_that_names_the_issuer_names_the_rows_below(read: Read) -> None:
    found = read(
        """
        Security | Bid | Ask
        FORD MOTOR CREDIT | |
        5.8 03/27 | 101.2 | 101.5
        """,
        "US IG",
    )
    assert [quote.description for quote in found] == ["FORD MOTOR CREDIT 5.8 03/27"]


def test_two_blank_rows_end_a_section(read: Read) -> None:
    found = read("ISIN | Price\nOFFERS | \nXS2621001002 | 98.5\n | \n | \nXS2622002009 | 97.5", "HY")
    assert [quote.side for quote in found] == ["ask", "mid"]


def test_totals_legends_and_notes_are_no_quotes(result: Result) -> None:
    found = result(
        HY + "Total | | 97.6 | 98.1\nAverage | | 97 | 98\n* odd lots only | | |\nIndicative only. | | |", "HY"
    )
    assert len(found.drafts) == 2
    assert not found.rejects


def test_an_issuer_called_total_is_not_a_total(levels: Levels) -> None:
    assert levels("Issuer | ISIN | Bid | Ask\nTotal | XS2621001002 | 98 | 99", "EUR IG") != []


def test_a_row_without_a_price_is_refused_with_its_place(result: Result) -> None:
    found = result(HY + "XS2623003006 | INTESA 5 05/29 | - | n/a", "HY")
    assert [(reject.code, reject.locator) for reject in found.rejects] == [("ROW_NO_PRICE", "table 1 row 4")]


def test_a_withdrawn_row_is_refused_as_withdrawn(result: Result, grid: Callable[..., Grid], change: Changed) -> None:
    struck = change(grid(HY), {(3, column): {"struck": True} for column in range(1, 5)})
    found = result(struck, "HY")
    assert len(found.drafts) == 1
    assert [reject.code for reject in found.rejects] == ["ROW_WITHDRAWN"]


def test_a_number_that_cannot_be_read_is_refused_not_guessed(result: Result) -> None:
    found = result("CUSIP | Security | Bid Px 32nds | Ask Px 32nds\n3137HACA2 | FHR 5341 PA | 99-32 | 99-33", "CMO")
    assert [reject.code for reject in found.rejects] == ["ROW_AMBIGUOUS_NUMBER"]


def test_a_vertical_merge_fills_down_the_issuer_and_never_a_price(
    read: Read, grid: Callable[..., Grid], change: Changed
) -> None:
    table = grid("""
    Issuer | Cpn | Maturity | Bid | Ask
    Loxam SAS | 6.375 | 15/05/2029 | 103.25 | 103.75
    | 4.25 | 15/02/2031 | 97.5 | 98
    | 4.5 | 15/02/2032 | |
    """)
    merged = change(table, {(3, 1): {"origin": (2, 1)}, (4, 1): {"origin": (2, 1)}, (4, 4): {"origin": (3, 4)}})
    found = read(merged, "EUR HY")
    assert [(quote.issuer, "merged_fill" in quote.flags) for quote in found] == [
        ("Loxam SAS", False),
        ("Loxam SAS", True),
    ]


def test_bid_rows_over_ask_rows_fold_into_one_record(levels: Levels) -> None:
    table = """
    Entity | Side | 1Y | 5Y
    Volkswagen AG | Bid | 28 | 88.5
    | Ask | 33 | 91.5
    Renault SA | Bid | 45 | 141
    | Ask | 51 | 146
    """
    assert levels(table, "CDS") == [
        ("Volkswagen AG", "cds_spread_bp", "28", "33", None),
        ("Volkswagen AG", "cds_spread_bp", "88.5", "91.5", None),
        ("Renault SA", "cds_spread_bp", "45", "51", None),
        ("Renault SA", "cds_spread_bp", "141", "146", None),
    ]


def test_columns_of_tenors_give_a_record_a_tenor(read: Read) -> None:
    found = read("Entity | 1Y | 3Y | 5Y\nFord Motor | 90/95 | - | 182/188", "CDS curves")
    assert [(quote.tenor, str(quote.bid), str(quote.ask)) for quote in found] == [
        ("1Y", "90", "95"),
        ("5Y", "182", "188"),
    ]


def test_a_grid_of_expiry_and_tenor_names_both_and_takes_its_title_as_name(read: Read) -> None:
    found = read(
        "Expiry \\ Tenor | 1Y | 10Y\n1M | 104 | 101.3\n1Y | 100.4 | 91.4",
        lines=["USD SOFR swaptions - ATM straddle normal vol (bp), mid"],
    )
    assert [quote.tenor for quote in found] == ["1M1Y", "1M10Y", "1Y1Y", "1Y10Y"]
    assert {(quote.quote_type, quote.side, quote.option_struct) for quote in found} == {
        ("vol_normal_bp", "mid", "straddle")
    }
    assert found[0].description == "USD SOFR swaptions - ATM straddle normal vol (bp), mid"


def test_options_of_one_tenor_are_records_of_their_own(read: Read) -> None:
    found = read("Tenor | ATM | 25RR\n1M | 7.25/7.55 | -0.05/0.15", lines=["EURUSD implied vols (%)"])
    assert [(quote.option_struct, quote.tenor, quote.quote_type) for quote in found] == [
        ("atm", "1M", "vol_pct"),
        ("rr25", "1M", "vol_pct"),
    ]


def test_months_over_coupons_are_deliveries_of_a_programme(read: Read) -> None:
    found = read("Cpn | Dec | Jan | Roll\nFNCL | | |\n4.5 | 96-10/96-11+ | 96-06/96-07+ | 3.75/4", lines=["TBA levels"])
    assert [(quote.description, quote.quote_type, quote.bid) for quote in found] == [
        ("FNCL 4.5 Dec", "price_pct", found[0].bid),
        ("FNCL 4.5 Jan", "price_pct", found[1].bid),
        ("FNCL 4.5", "roll_ticks", found[2].bid),
    ]
    assert str(found[0].bid) == "96.3125"


def test_indices_over_groups_of_columns_are_the_instruments(read: Read) -> None:
    table = "Tenor | UKRPI (GBP) | | HICPxT (EUR) |\n | Bid | Ask | Bid | Ask\n5Y | 3.46 | 3.5 | 1.93 | 1.96"
    found = read(table, lines=["Zero coupon inflation swaps"])
    assert [(quote.description, quote.currency, quote.tenor) for quote in found] == [
        ("UKRPI", "GBP", "5Y"),
        ("HICPxT", "EUR", "5Y"),
    ]


def test_a_table_on_its_side_keeps_the_true_cells(read: Read, grid: Callable[..., Grid]) -> None:
    table = grid(
        "ISIN | XS2621001002 | XS2622002009\nSecurity | EIB 2.875 33 | KFW 2.75 32\nBid | 99.34 | 99.81\nAsk | 99.48 | 99.93",
        sheet="SSA",
    )
    assert [(quote.cell, quote.row, quote.bid_raw) for quote in read(table)] == [("B3", 3, "99.34"), ("C3", 3, "99.81")]


def test_hidden_rows_are_flagged(read: Read, grid: Callable[..., Grid]) -> None:
    assert all("hidden_source" in quote.flags for quote in read(grid(HY, sheet="old", hidden=True), "HY"))


def test_a_column_whose_heading_is_not_understood_makes_no_price(levels: Levels) -> None:
    table = (
        "ISIN | Security | Bid Frobnication | Ask Frobnication | Bid | Ask\nXS2621001002 | BNP 4 31 | 1 | 2 | 98 | 99"
    )
    assert levels(table, "HY") == [("XS2621001002", "price_pct", "98", "99", None)]


def test_the_dates_of_a_table_follow_the_order_that_one_of_them_proves(read: Read) -> None:
    found = read("ISIN | Maturity | Bid\nXS2621001002 | 05/06/2031 | 98\nXS2622002009 | 22/11/2030 | 97", "HY USD")
    assert [quote.maturity.isoformat() for quote in found if quote.maturity] == ["2031-06-05", "2030-11-22"]


def test_coupon_and_maturity_come_from_the_name_where_no_column_has_them(read: Read) -> None:
    quote = read("CUSIP | Issue | Bid | Ask\n135087U28 | CAN 2 3/4 05/01/27 | 100.12 | 100.14", "GoC")[0]
    assert (str(quote.coupon), quote.maturity and quote.maturity.isoformat()) == ("2.75", "2027-05-01")


def test_the_spot_over_a_curve_is_no_point_of_it(read: Read) -> None:
    quotes = read("Tenor | Bid | Offer\nSpot ref | 5.465 | 5.466\n1M | 5.493 | 5.496", "USDBRL NDF outrights")
    assert [quote.tenor for quote in quotes] == ["1M"]


def test_the_corner_of_a_grid_of_months_names_what_its_coupons_are_of(read: Read) -> None:
    quotes = read("UMBS 30yr | Dec | Jan | Dec/Jan Roll\n5.5 | 99-30 / 99-31 | 99-26 / 99-27 | 4 / 4.25")
    assert [(quote.description, quote.settle_text) for quote in quotes] == [
        ("UMBS 30yr 5.5 Dec", "dec"),
        ("UMBS 30yr 5.5 Jan", "jan"),
        ("UMBS 30yr 5.5", None),
    ]


def test_a_named_row_whose_tenor_says_that_it_is_none_is_refused(result: Result) -> None:
    table = "Name | Spread | Tenor | Bid | Offer\nAcme | L+300 | Term B | 98 | 99\nBirch | L+325 | Term B/C | 99 | 99.5"
    found = result(table, "Loans")
    assert [draft.instrument.description for draft in found.drafts] == ["Acme"]
    assert [(reject.code, reject.raw_text) for reject in found.rejects] == [
        (Code.ROW_AMBIGUOUS_NUMBER, "Birch\tL+325\tTerm B/C\t99\t99.5")
    ]
