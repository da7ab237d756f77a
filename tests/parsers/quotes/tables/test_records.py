from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from parsers.document import Grid
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.headings.columns import column
from parsers.quotes.tables import read_grid
from parsers.quotes.tables.around.records import is_record

Levels = Callable[..., list[tuple[str | None, ...]]]
NAMELESS = PartContext(mail=MailContext(message_key="k", message_id="k"), part_path="2", content_type="text/csv")


def columns(header: str) -> list[object]:
    return [column(at, (text.strip(),)) for at, text in enumerate(header.split("|"))]


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("ISIN | Bond | Nominal | Price | Market Value | Weight %", id="holdings"),
        pytest.param("Wertpapier | ISIN | Nominale | Einstandskurs | Kurs | Kurswert EUR", id="German holdings"),
        pytest.param("Trade date | Buy/Sell | ISIN | Quantity | Price | Consideration", id="a confirmation"),
        pytest.param("ISIN | Bond | Qty | Price | Trade date | Settlement date | Fail days", id="fails to settle"),
        pytest.param("Bond | Price | DV01 | +25bp | -25bp", id="an analysis"),
        pytest.param("Security | Quantity | Price | Lendable % | Value", id="what is lent on"),
        pytest.param("Date | Side | Qty | Security | ISIN | Px | Trader | Cpty", id="a blotter"),
        pytest.param("Company | Ticker | Rating | Price | Target | Upside | P/E 26E", id="research"),
        pytest.param("Description | Qty | Unit Price | VAT % | Amount", id="an invoice"),
        pytest.param("Index | Level | 1D | MTD | YTD | OAS", id="performance"),
        pytest.param("Issuer | Tenor | Size | IPT | Guidance | Books", id="new issues"),
        pytest.param("Titolo | ISIN | Prezzo medio | Prezzo mercato | Controvalore | Peso", id="Italian holdings"),
        pytest.param("Account | ISIN | Allocated | Price | Settlement", id="allocations"),
        pytest.param("Trade | Product | Notional | Fixed rate | Maturity | PV (USD)", id="swaps held"),
        pytest.param("ISIN | Asset | Price | Haircut % | Market value", id="collateral"),
    ],
)
def test_columns_of_what_is_held_done_or_recommended_make_a_record(header: str) -> None:
    assert is_record(columns(header))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("ISIN | Bond | Bid | Ask | Market Value | Weight %", id="both sides are quoted"),
        pytest.param("CUSIP | CF | Market Value | Talk", id="one such column is not enough"),
        pytest.param("ISIN | Bond | Price | YTM | Chg | YTD", id="one change is not enough"),
    ],
)
def test_a_price_list_may_have_one_such_column_and_any_beside_a_market(header: str) -> None:
    assert not is_record(columns(header))  # type: ignore[arg-type]


def test_nothing_is_read_out_of_a_wrap_of_the_markets(levels: Levels) -> None:
    wrap = "Market | Last | Chg\nS&P 500 | 5,980.1 | +12\nGold | 2,641 | +11\nEUR/USD | 1.0541 | 0\nUS 10y | 4.312 | +2"
    assert levels(wrap) == []


def test_share_indices_below_a_run_do_not_spoil_it(levels: Levels) -> None:
    run = "Bond | Bid | Ask\nBNP 7.375 PERP | 106.25 | 106.75\nACAFP 7.25 PERP | 104 | 104.5\nSPX | 5980 | 5981"
    assert [level[0] for level in levels(run)] == ["BNP 7.375 PERP", "ACAFP 7.25 PERP"]


def test_nominal_by_price_in_a_column_makes_a_statement_whatever_its_heading(levels: Levels) -> None:
    held = "ISIN | Name | Nominal | Price | Value\nXS2621001002 | KFW 2.75 33 | 1,000,000 | 99.2 | 992,000"
    assert not levels(f"{held}\nXS2622002009 | EIB 3 31 | 2,000,000 | 101.3 | 2,031,500", "Run")
    assert levels(f"{held}\nXS2622002009 | EIB 3 31 | 2,000,000 | 101.3 | 1", "Run")


def test_a_market_beside_such_a_column_is_a_market(levels: Levels) -> None:
    offers = "ISIN | Name | Nominal | Offer | Net\nXS2621001002 | KFW 2.75 33 | 1,000,000 | 99.2 | 992,000"
    assert len(levels(f"{offers}\nXS2622002009 | EIB 3 31 | 2,000,000 | 101.3 | 2,026,000", "SSA run")) == 2


def test_a_list_of_shares_by_their_exchanges_is_no_price_list(levels: Levels) -> None:
    shares = "Ticker | Last | Chg\nAAPL US | 228.52 | 0.4\nVOD LN | 71.3 | 1\nMSFT US | 415.1 | 0.1"
    assert levels(shares) == []
    assert len(levels(shares, "Warrants")) == 3


def test_lone_levels_beside_their_past_are_a_recap(levels: Levels) -> None:
    recap = "Index | 5Y spread | 1W chg | YTD chg\niTraxx Main 5Y | 52.1 | -1.2 | +4\nCDX IG 5Y | 50.8 | -0.8 | +1"
    assert levels(recap, "Credit monitor") == []
    assert levels(recap.replace("5Y spread", "Bid"), "CDS indices") != []
    assert levels("Issuer | 1M | 3M\nBarclays | 4.05 | 4.1\nNordea | 4.01 | 4.06", "CD levels") != []


def test_holdings_valued_at_the_bid_are_a_statement_too(levels: Levels) -> None:
    rows = "A 5 32 | 200000 | 97.1 | 194200\nB 6 33 | 100000 | 106.3 | 106300"
    assert levels(f"Bond | Face | Bid price | Bid value\n{rows}") == []


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("Trade ID | ISIN | Bid | Ask | Exec px | Cpty", id="a blotter beside the market then"),
        pytest.param("Name | Notional | Spread | Upfront | Accrued | Cash settlement", id="a roll of swaps"),
        pytest.param("Security | Auction date | High rate | Price | Allotted %", id="an auction"),
        pytest.param("Bono | Vencimiento | Precio medio | Ratio de cobertura", id="an auction in Spanish"),
        "Trade | Side | Qty | ISIN | Price | Broker",
        pytest.param("Fund | ISIN | NAV | Bid | Offer", id="the prices of a fund"),
        pytest.param("Bond | Price | Yield | Rating | View", id="research"),
        "Issue date | Bond | Issue spread | Current spread | Issue price | Current price",
        "Salesperson | Client | Bond | Size | Price | Credit",
        "Time | Client | ISIN | Our quote | Status | Cover",
    ],
)
def test_what_was_done_is_no_market(header: str) -> None:
    assert is_record(columns(header))  # type: ignore[arg-type]


def test_equity_of_a_clo_beside_what_its_assets_are_worth_is_no_record() -> None:
    assert not is_record(columns("ISIN | Deal | Size (mm) | Offer Px | IRR | NAV"))  # type: ignore[arg-type]


def test_a_dealers_market_with_a_client_and_a_status_is_no_record() -> None:
    assert not is_record(columns("Issuer | Coupon | Maturity | Bid | Ask | Client | Status"))  # type: ignore[arg-type]


def test_pairs_without_a_tenor_are_of_spot_where_nothing_says_more(levels: Levels) -> None:
    spot = "Pair | Bid | Ask\nUSDBRL | 5.362 | 5.365\nUSDCLP | 942.1 | 943"
    assert levels(spot) == []
    assert len(levels(spot, "NDF 1M")) == 2


def test_one_row_worth_its_nominal_by_its_price_to_the_cent_is_of_a_statement(levels: Levels) -> None:
    row = "ISIN | Titolo | Quantità | Prezzo | Importo\nIT0005517906 | BTP 3,60 35 | 50.000 | {} | 50.525,00"
    assert levels(row.format("101,05")) == []
    assert len(levels(row.format("101,35"))) == 1


def test_two_sizes_beside_a_price_are_no_value(levels: Levels) -> None:
    rows = "A 5 32 | 1,000,000 | 1,000,000 | {}\nB 6 33 | 2,000,000 | 2,000,000 | {}"
    for price in ("100", "99.5"):
        assert len(levels(f"Bond | Size | Amount | Px\n{rows.format(price, price)}", "HY")) == 2


GOODS = [
    pytest.param(
        "Description | Quantity | Unit Price | Tax\nBranding workshop | 1.00 | 250.00 | 9.25%", id="an invoice"
    ),
    pytest.param("Name | Maturity | Offer yield\nAlabama | 2,307 | 13\nAlaska | 100 | 0", id="counts, no maturities"),
    pytest.param("Description | Qty | Price\nCoffee | 10 | 4.50\nSoup | 20 | 5.20\nBread | 7 | 2.10", id="goods"),
]


@pytest.mark.parametrize("table", GOODS)
def test_a_table_of_nothing_that_is_quoted_and_without_a_market_has_no_quotes_and_is_told(
    table: str, grid: Callable[..., Grid]
) -> None:
    found = read_grid(grid(table), NAMELESS, ())
    assert (found.drafts, found.rejects, found.recognised) == ((), (), False)


@pytest.mark.parametrize(
    ("table", "subject"),
    [
        pytest.param("Name | Bid | Ask\nAcme Holdings | 98.25 | 98.75", "prices", id="a market is made"),
        pytest.param("Borrower | Price\nAcme Holdings | 98.25", "Secondary loans", id="a class is told"),
        pytest.param("Name | Due | Price\nAcme Holdings | 05/34 | 98.25", "prices", id="a maturity"),
        pytest.param(
            "Name | Price\nAcme Holdings | 98.25\nXYZ 5 03/34 | 99.5", "prices", id="another row is of a bond"
        ),
    ],
)
def test_one_row_of_what_is_quoted_or_a_market_makes_a_table_one_of_prices(
    table: str, subject: str, grid: Callable[..., Grid]
) -> None:
    context = replace(NAMELESS, mail=replace(NAMELESS.mail, subject=subject))
    assert len(read_grid(grid(table), context, ()).drafts) == len(table.splitlines()) - 1
