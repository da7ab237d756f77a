from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parsers.codes import Code, QuoteType
from parsers.document import Cell, Grid, Line, Row
from parsers.quote import Quote
from parsers.quotes.context import MailContext, PartContext
from parsers.quotes.tables import TableResult, read_grid

CONTEXT = PartContext(
    mail=MailContext(message_key="k", message_id="k", subject="EUR IG run"), part_path="2", content_type="text/csv"
)
HY = "ISIN | Security | Bid | Ask\nXS2621001002 | BNP 4 31 | 98 | 99"


def test_a_table_on_the_next_page_continues_under_the_header_before(grid: Callable[..., Grid]) -> None:
    def paged(text: str, page: int) -> Grid:
        made = grid(text)
        return replace(made, rows=tuple(replace(row, page=page) for row in made.rows))

    first, second = paged(HY, 1), paged("XS2622002009 | SANTAN 3 29 | 97 | 98", 2)
    found = read_grid(second, CONTEXT, [first])
    assert [draft.page for draft in found.drafts] == [2]


def test_the_yields_of_the_day_above_a_table_say_nothing_of_its_class(grid: Callable[..., Grid]) -> None:
    line = Line(1, "Good morning, opening levels below. UST 10y 4.12%, VIX 15.1.", 0)
    assert [draft.asset_class for draft in read_grid(grid(HY), CONTEXT, [line]).drafts] == ["corp_ig"]


def test_a_heading_that_names_the_first_tables_class_is_not_about_a_table_of_another(grid: Callable[..., Grid]) -> None:
    first, second = grid("CUSIP | Bid | Ask\n912810TX6 | 98 | 99"), grid("ISIN | Bid | Ask\nDE000BU2Z031 | 97 | 98")
    for opening in ("US Treasuries", f"US Treasuries in USD, {'clean prices, ' * 6}settlement T+1."):
        lines: list[Line | Grid] = [Line(1, opening, 0), first, Line(2, "German government bonds", 20)]
        found = read_grid(second, CONTEXT, lines).drafts
        assert [(draft.asset_class, draft.instrument.currency) for draft in found] == [("govt_intl", "EUR")]


def test_a_header_that_comes_again_keeps_the_class_of_its_first_title(grid: Callable[..., Grid]) -> None:
    rows = "Distressed debt | |\nIssue | Bid | Ask\nA 8 29 | 81 | 83\nLatin America | |\nIssue | Bid | Ask\nB 10 27 | 7 | 8"
    context = replace(CONTEXT, mail=replace(CONTEXT.mail, subject="Daily runs"))
    assert [draft.asset_class for draft in read_grid(grid(rows), context, ()).drafts] == ["distressed_debt"] * 2


def test_what_a_line_above_says_of_the_market_is_not_of_the_table(grid: Callable[..., Grid]) -> None:
    table = grid("Bond | Bid | Ask\nCHTR 4.5 05/32 | 98.25 | 98.75\nF 6.1 08/32 | 101 | 101.5")
    found = read_grid(table, CONTEXT, [Line(1, "Swap spreads wider, munis outperformed", 0)]).drafts
    assert {(draft.asset_class, level.quote_type) for draft in found for level in draft.levels} == {
        ("corp_ig", QuoteType.price_pct)
    }


def test_a_price_table_that_nobody_understands_is_told(result: Callable[..., TableResult]) -> None:
    assert not result("A | 98 | 3 | 7\nB | 97 | 96 | 5\nC | 3 | 97 | 1\nD | 95 | 9 | 6").recognised


def test_what_has_a_bid_or_tenors_under_headings_that_are_not_all_known_is_told(
    result: Callable[..., TableResult],
) -> None:
    loans = "Name | Rating | Average Bid | Weekly Change\nAlix | B2/B+ | 100.61 | -0.36\nDell | B1/BB | 99.91 | -0.12"
    rates = "Tenor | ROBID | ROBOR\nON | 1.10 | 1.60\n1W | 1.25 | 1.75\n1M | 1.50 | 2.00"
    assert not result(loans, "Leveraged loans").recognised
    assert not result(rates, "Reference rates").recognised
    assert result(rates.replace("Tenor", "Event"), "Returns").recognised


def test_numbers_under_headings_of_another_matter_are_no_price_table(result: Callable[..., TableResult]) -> None:
    rows = "GDP | 2.9 | 2.8\nPCE | 2.6 | 2.7\nCPI | 0.2 | 0.1"
    assert result(
        " | Fund | Benchmark\nYield | 4.31 | 3.95\nDuration | 4.8 | 4.9\nSpread | 142 | 118", "Funds"
    ).recognised
    assert result(f"Event | Consensus | Prior\n{rows}", "Week").recognised
    assert result(f"Indicador | 2026 | 2027\n{rows}", "Focus").recognised
    assert not result("Naam | Bied | Laat\nX 5 31 | 98 | 3\nY 4 30 | 9 | 98\nZ 3 29 | 95 | 6", "Obligaties").recognised


def test_dates_of_payments_are_no_price_table(result: Callable[..., TableResult]) -> None:
    rows = "XS2621001002 | 17-Nov-2026 | 20-Nov-2026 | 4.1\nXS2622002009 | 19-Nov-2026 | 23-Nov-2026 | 3.5"
    assert result(f"ISIN | Record date | Pay date | Pays\n{rows}", "Coupons").recognised
    assert result(f"ISIN | Call date | Maturity | Call price\n{rows}", "Calls").recognised


def test_what_an_invoice_charges_is_no_quote(result: Callable[..., TableResult]) -> None:
    assert result("Description | Qty | Unit price\nResearch | 1 | 125.00\nData | 3 | 45.00", "Invoice 118").drafts == ()


def test_a_table_of_words_is_no_price_table(result: Callable[..., TableResult]) -> None:
    found = result("Name | Phone\nJohn | 020\nMary | 030")
    assert (found.drafts, found.recognised) == ((), True)


def test_a_list_of_settlements_is_no_price_table(result: Callable[..., TableResult]) -> None:
    found = result(
        "ISIN | Security | Nominal | Settle date | Account\n"
        "XS2621001002 | A 3 30 | 2000000 | 23/11/2026 | 98811\nXS2622002009 | B 4 31 | 1000000 | 23/11/2026 | 98811"
    )
    assert (found.drafts, found.recognised) == ((), True)


def test_a_monitor_of_shares_and_currencies_is_no_price_table(result: Callable[..., TableResult]) -> None:
    found = result(
        "Market | Last | 1d % | YTD %\nEuro Stoxx | 5,688 | +0.4 | +16.1\nBrent | 63.9 | +0.9 | -14.4\nGold | 4066 | 1 | 54"
    )
    assert (found.drafts, found.recognised) == ((), True)


def test_sheets_of_caches_look_ups_and_auctions_are_skipped(
    grid: Callable[..., Grid], result: Callable[..., TableResult]
) -> None:
    assert all(not result(grid(HY, sheet=name)).drafts for name in ("_cache", "BLP", "lookup", "Auctions", "Kalender"))


def test_a_file_may_say_what_it_is_of_instead_of_the_subject(result: Callable[..., TableResult]) -> None:
    sheet = "Bond | Price\nABC 4 33 | 98.2\nXYZ 5 31 | 99.1"
    assert [len(result(sheet, file_name=name).drafts) for name in ("prices.csv", "margin_call.csv")] == [2, 0]


def test_market_talk_in_a_table_is_no_quote(result: Callable[..., TableResult]) -> None:
    assert not result("Index | Last | Chg\nSPX | 5,980 | +0.3\nVIX | 14.2 | -0.5\nWTI | 71.3 | +1", "HY run").drafts


def test_an_exchanges_own_figures_are_no_quotes(result: Callable[..., TableResult]) -> None:
    beside = result("Contract | Open | High | Low | Last | Open Interest\nAugust | 98 | 99 | 97 | 98.5 | 24,617")
    funds = result("ETF | Ticker | Bid | Ask | NAV\nHigh Yield | HYG US | 79.21 | 79.22 | 79.18")
    above = result(
        "Contract Prices |  |  |  |  | Open Interest\nContract | Open | High | Low | Last |\nAugust | 98 | 99 | 97 | 98.5 | 2"
    )
    assert [(found.drafts, found.recognised) for found in (beside, above, funds)] == [((), True)] * 3


WORDS = st.sampled_from(
    ["ISIN", "Security", "Bid", "Ask", "Size (mm)", "5Y", "Dec", "Level", "Talk", "Total", "XS2621001002", "98.25", "98 1/4",
     "T+85/80", "99-16+", "1.234,56", "5x5", "-", "#N/A", "OFFERS", "12/05/30", "mid 80s", "½", "/", "x", "", "", ""]
)  # fmt: skip
CELLS = st.builds(
    Cell,
    text=WORDS | st.text(max_size=12),
    value=st.none() | st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.just(Decimal("1e300")),
    number_format=st.none() | st.just("0.00%"),
    column=st.integers(1, 6),
    bold=st.booleans(),
    struck=st.booleans(),
    hidden=st.booleans(),
    col_span=st.integers(1, 6),
    origin=st.none() | st.tuples(st.integers(1, 9), st.integers(1, 6)),
)


@given(st.integers(1, 6).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=9)))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_grid_makes_the_reader_raise(table: list[list[Cell]]) -> None:
    grid = Grid(tuple(Row(number, tuple(cells)) for number, cells in enumerate(table, 1)))
    found = read_grid(grid, CONTEXT, ())
    assert all(draft.levels for draft in found.drafts)


def test_columns_may_stand_in_any_order(read: Callable[..., list[object]]) -> None:
    straight = read("ISIN | Security | Bid | Ask | Size (mm)\nXS2621001002 | BNP 4 31 | 98 | 99 | 5", "HY")
    turned = read("Size (mm) | Ask | Security | Bid | ISIN\n5 | 99 | BNP 4 31 | 98 | XS2621001002", "HY")
    seen = [[(q.bid, q.ask, q.bid_size, q.instrument_id) for q in quotes] for quotes in (straight, turned)]  # type: ignore[attr-defined]
    assert seen[0] == seen[1]


def test_a_turned_table_may_have_a_title_and_names_with_months(result: Callable[..., TableResult]) -> None:
    rows = "FX forwards\nBond | USDBRL 1M NDF | USDBRL 3M NDF\nRating | BBB | BBB\nBid | 5.7250 | 5.6185\nAsk | 5.7270 | 5.6270"
    drafts = result(rows).drafts
    assert [draft.instrument.description for draft in drafts] == ["USDBRL 1M NDF", "USDBRL 3M NDF"]


def test_a_grid_that_nothing_names_has_the_name_of_its_sheet(grid: Callable[..., Grid]) -> None:
    made = replace(grid("Expiry | 1Y | 5Y\n1M | 118.1 | 108.2\n3M | 120.0 | 90.2"), sheet="Swaption vols")
    drafts = read_grid(made, replace(CONTEXT, mail=replace(CONTEXT.mail, subject="run")), []).drafts
    assert {draft.instrument.description for draft in drafts} == {"Swaption vols"}


def test_a_sheet_named_as_a_curve_goes_before_the_subject(grid: Callable[..., Grid]) -> None:
    made = replace(grid("Tenor | NDF Bid | NDF Ask\n1M | 4138.5 | 4141\n3M | 4176 | 4180.5"), sheet="USDCOP")
    mail = replace(CONTEXT.mail, subject="Forwards USDMXN / USDCOP")
    drafts = read_grid(made, replace(CONTEXT, mail=mail), []).drafts
    assert {draft.instrument.description for draft in drafts} == {"USDCOP"}
    swaps = replace(grid("Term | Bid | Offer\n2Y | 3.512 | 3.517\n5Y | 3.6 | 3.61"), sheet="USD SOFR")
    curves = replace(CONTEXT, mail=replace(CONTEXT.mail, subject="OIS / swap curves"))
    assert {draft.instrument.description for draft in read_grid(swaps, curves, []).drafts} == {"USD SOFR"}


def test_tranches_are_of_the_index_that_names_their_sheet(grid: Callable[..., Grid]) -> None:
    made = replace(grid("Tranche | Upf Bid | Upf Ask\n0-3% | 31.25 | 31.75\n3-7% | 4.1 | 4.5"), sheet="IG S47 5Y")
    mail = replace(CONTEXT.mail, subject="run")
    found = read_grid(made, replace(CONTEXT, mail=mail), []).drafts
    assert {(one.asset_class, one.instrument.currency) for one in found} == {("cds_tranche", "USD")}
    assert {level.tenor for one in found for level in one.levels} == {"5Y"}


def test_spreads_may_have_their_curve_in_each_cell(result: Callable[..., TableResult]) -> None:
    rows = "CMBS\nDeal | Class | Spread Bid | Spread Ask | Px\nBBCMS 2023-C19 | A5 | J+105 | J+100 | 101.4\nBBCMS 2023-C19 | AS | J+150 | J+142 | 99.5"
    found = [[(level.quote_type, level.bid, level.ask) for level in draft.levels] for draft in result(rows).drafts]
    kind = QuoteType.spread_swap_bp
    assert [levels[0] for levels in found] == [
        (kind, Fraction(105), Fraction(100)),
        (kind, Fraction(150), Fraction(142)),
    ]


def test_the_sides_of_a_pair_named_over_its_columns_are_one_market(result: Callable[..., TableResult]) -> None:
    drafts = result("NDF\nTenor | USDBRL Bid | USDBRL Ask\n1M | 5.7520 | 5.7590\n3M | 5.8010 | 5.8090").drafts
    assert [draft.instrument.description for draft in drafts] == ["USDBRL", "USDBRL"]
    assert [(level.bid, level.ask) for draft in drafts for level in draft.levels] == [
        (Fraction("5.752"), Fraction("5.759")),
        (Fraction("5.801"), Fraction("5.809")),
    ]


def test_forwards_far_from_their_spot_are_points(result: Callable[..., TableResult]) -> None:
    (draft,) = result("FX forwards\nPair | Spot | 1M\nEURUSD | 1.0540 | 18.2/18.6").drafts
    assert draft.levels[0].quote_type == "fwd_points"


def test_the_tenor_in_a_name_is_the_swaps(result: Callable[..., TableResult]) -> None:
    drafts = result(
        "USD swaps\nInstrument | Bid | Ask\nUSD SOFR 10y | 3.8125 | 3.8175\nUSD SOFR 2y | 3.9 | 3.91"
    ).drafts
    assert [level.tenor for draft in drafts for level in draft.levels] == ["10Y", "2Y"]


def test_a_dated_name_proves_the_order_of_all_dates(result: Callable[..., TableResult]) -> None:
    drafts = result("HY\nSecurity | Bid | Ask\nCHTR 4.5 05/01/32 | 86.5 | 87\nAMC 10 06/15/26 | 74 | 75").drafts
    assert [str(draft.instrument.maturity) for draft in drafts] == ["2032-05-01", "2026-06-15"]


def test_two_rows_of_identifiers_and_prices_without_a_header_are_a_table_that_nobody_knows(
    result: Callable[..., TableResult],
) -> None:
    found = result("XS2621001002 | 98.25 | 98.75\nXS2622002009 | 97.5 | 98", "HY")
    assert (found.drafts, found.recognised) == ((), False)
    assert result("XS2621001002 | 98.25 | 98.75", "HY").recognised


def test_an_issuers_section_names_bonds_by_coupon_and_maturity(read: Callable[..., list[Quote]]) -> None:
    found = read("Issuer | Cpn | Mat | Bid | Ask\nFORD MOTOR CREDIT\n | 5.8 | 03/27 | 101.2 | 101.5", "HY")
    assert [quote.description for quote in found] == ["FORD MOTOR CREDIT 5.8 03/27"]


def test_markets_in_several_columns_under_headings_that_nobody_knows_are_told(
    result: Callable[..., TableResult],
) -> None:
    rows = "Siemens | 12/15 | 30/33 | 51/55\nBayer | 35/39 | 70/75 | 105/112\nBASF | 20/24 | 42/46 | 71/76"
    assert not result(f"Adresse | Kurz | Mittel | Lang\n{rows}").recognised
    days = "Bund | 11/12 | 12/15\nBTP | 11/13 | 12/14\nOAT | 12/14 | 12/15"
    assert result(f"Issue | Announced | Held\n{days}").recognised


UNREAD = "ISIN | Name | Bid plus Zorg | Ask plus Zorg | Yield\nXS2621001002 | BNP 4 31 | 98 | 99 | 4.2"


def test_columns_of_bids_and_offers_that_are_not_read_beside_others_are_refused(
    result: Callable[..., TableResult],
) -> None:
    found = result(UNREAD)
    assert [level.quote_type for draft in found.drafts for level in draft.levels] == [QuoteType.yield_pct]
    (reject,) = found.rejects
    assert (reject.code, reject.locator) == (Code.ROW_AMBIGUOUS_NUMBER, "table 1 row 2")
    assert "`Bid plus Zorg`, `Ask plus Zorg`" in reject.detail
    assert not result(HY).rejects


def test_a_price_column_that_a_word_of_no_quote_and_an_unknown_one_head_is_refused(grid: Callable[..., Grid]) -> None:
    heads = "ISIN | Name | Bid clean excl. accrued | Ask clean excl. accrued | Bid accrued | Ask yield"
    found = read_grid(grid(f"{heads}\nXS2621001002 | BNP 4 31 | 98 | 99 | 1.2 | 4.1"), CONTEXT, ())
    assert [reject.detail.split(" were")[0] for reject in found.rejects] == [
        "the columns `Bid clean excl. accrued`, `Ask clean excl. accrued`"
    ]
    empty = read_grid(grid(f"{heads}\nXS2621001002 | BNP 4 31 | | | 1.2 | 4.1"), CONTEXT, ())
    assert empty.rejects == ()
