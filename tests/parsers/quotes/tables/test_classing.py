from __future__ import annotations

from collections.abc import Callable, Sequence

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.answers.classing import class_of
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.around.classing import Class, default_class, row_told, table_class

COLUMNS = (column(0, ("ISIN",)), column(1, ("Bid",)))


def row_class(
    section: Class, table: Class, identifiers: Sequence[tuple[str, str]], description: str, default: Class
) -> Class:
    return Class(*class_of(description, identifiers, row_told(section, table, default)))


def test_a_title_goes_before_sheet_file_and_subject() -> None:
    names = (("sheet", "EUR IG"), ("file", "clo"), ("subject", "Muni offerings"))
    assert table_class(COLUMNS, ["HY (USD)"], (), names) == Class("corp_hy", "title")
    assert table_class(COLUMNS, ["As of today"], (), names) == Class("corp_ig", "sheet")
    assert table_class(COLUMNS, (), (), names[2:]) == Class("us_muni", "subject")


def test_a_heading_that_names_the_instruments_class_goes_before_all() -> None:
    columns = (column(0, ("Preferred",)), column(1, ("Last",)))
    assert table_class(columns, ["HY"], (), ()) == Class("preferred", "header")


def test_a_section_goes_before_its_table() -> None:
    section, table = Class("provincial_canada", "section"), Class("govt_canada", "subject")
    assert row_class(section, table, (), "X 4 34", Class()) == section


def test_a_bond_of_the_treasury_among_governments_is_no_foreign_one() -> None:
    table = Class("govt_intl", "title")
    for identifier in (("isin", "US912810TM09"), ("cusip", "912810TM0")):
        assert row_class(Class(), table, [identifier], "US 4 11/15/42", Class()) == Class("govt_us", "identifier")
    assert row_class(Class(), table, [("isin", "DE0001102580")], "DBR 0 32", Class()) == table


def test_an_unmistakable_form_goes_before_the_words_around_it() -> None:
    table = Class("govt_latam_local", "subject")
    assert row_class(Class(), table, (), "NTN-B 2032", Class()) == Class("inflation_linked", "instrument")


def test_without_words_the_identifier_the_text_and_the_sender_decide() -> None:
    assert row_class(Class(), Class(), [("loanx_id", "LX131555")], "Acme", Class()) == Class(
        "leveraged_loan", "identifier"
    )
    assert row_class(Class(), Class(), (), "BNP 7.375 PERP", Class()) == Class("financial_sub", "instrument")
    assert row_class(Class(), Class(), (), "ACME 4 31", Class("corp_hy", "sender")) == Class("corp_hy", "sender")
    assert row_class(Class(), Class(), (), "ACME 4 31", Class()) == Class("unknown", "none")


def test_risk_reversals_by_delta_are_of_options_on_currencies() -> None:
    columns = [column(0, ("USDMXN",)), column(1, ("ATM",)), column(2, ("25D RR",))]
    assert table_class(columns, (), (), ()).name == "fx_option"


def test_what_is_made_of_gilts_goes_before_their_column() -> None:
    columns = [column(0, ("Gilt",)), column(1, ("Bid",))]
    assert table_class(columns, (), (), [("subject", "GBP repo - GC and specials")]).name == "repo"
    assert table_class(columns, (), (), [("subject", "Prices")]).name == "govt_intl"


def test_spreads_over_treasuries_or_a_benchmark_are_of_investment_grade() -> None:
    assert default_class([column(0, ("Bid T+",))], "corp_hy") == Class("corp_ig", "notation")
    assert default_class([column(0, ("Sprd",)), column(1, ("Bench",))], None) == Class("corp_ig", "notation")
    assert default_class(COLUMNS, "corp_hy") == Class("corp_hy", "sender")


def test_a_pair_of_currencies_without_a_class_is_a_forward() -> None:
    assert row_class(Class(), Class(), (), "USDMXN", Class()) == Class("fx_forward", "instrument")
    assert row_class(Class(), Class("fx_option", "subject"), (), "USDMXN", Class()).name == "fx_option"


def test_of_a_curve_the_name_that_has_curves_goes_before_the_sheets_of_whose_it_is(
    read: Callable[..., list[Quote]], grid: Callable[..., Grid]
) -> None:
    given = grid("Entity | 1Y | 5Y\nTurkey | 118 | 252\nPoland | 22 | 62", sheet="CEEMEA")
    assert {str(quote.quote_type) for quote in read(given, "Sovereign CDS marks")} == {"cds_spread_bp"}


def test_indices_over_tenors_say_what_they_are_of(read: Callable[..., list[Quote]]) -> None:
    swaps = read(
        "Tenor | SONIA | Chg | SARON | Chg\n2Y | 3.61 | 1.5 | 0.12 | 0.5\n5Y | 3.58 | 0.9 | 0.31 | 0.1", "Rates"
    )
    assert [(quote.asset_class, quote.currency) for quote in swaps[:2]] == [("irs", "GBP"), ("irs", "CHF")]
    assert read("Tenor | Alpha | Beta\n2Y | 3.61 | 0.12\n5Y | 3.58 | 0.31", "Rates") == []


def test_premiums_of_swaptions_are_no_vols(read: Callable[..., list[Quote]]) -> None:
    found = read("Exp/Tenor | 2y | 5y\n3m | 38 | 91\n1y | 74 | 176", lines=["USD payer swaption premiums, mid"])
    assert {(str(quote.quote_type), str(quote.option_struct)) for quote in found} == {("premium_bp", "payer")}


def test_pools_named_by_the_tba_that_their_payups_are_over_are_pools(read: Callable[..., list[Quote]]) -> None:
    found = read("Coupon | Story | Payup Bid | Payup Ask\nFNCL 5.5 | LLB 125k | 14 | 16")
    assert {str(quote.asset_class) for quote in found} == {"agency_mbs_cmo"}


def test_funding_is_in_the_money_of_its_index(read: Callable[..., list[Quote]]) -> None:
    found = read("Reference | Tenor | Bid | Offer\nIBOXHY | 3M | -20 | 12", lines=["TRS levels, spreads over SOFR"])
    assert [quote.currency for quote in found] == ["USD"]


def test_a_file_cds_holds_certificates_of_deposit_under_their_subject() -> None:
    assert table_class(COLUMNS, (), (), [("file", "cds_1119"), ("subject", "New CD offerings")]).name == "cd"
    assert table_class(COLUMNS, (), (), [("file", "cds_1119"), ("subject", "Morning runs")]).name == "cds_single"
    assert table_class(COLUMNS, (), (), [("file", "cp"), ("subject", "Canadian preferreds")]).name == "preferred"
    assert table_class(COLUMNS, (), (), [("file", "cp"), ("subject", "Morning runs")]).name == "commercial_paper"
