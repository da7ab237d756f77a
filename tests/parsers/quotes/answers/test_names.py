from __future__ import annotations

import pytest

from parsers.quotes.answers.names import named_in, names_bond
from parsers.quotes.answers.naming import coupon_value
from parsers.values.separators import Locale


@pytest.mark.parametrize(
    ("text", "asset_class", "coupon", "due"),
    [
        ("CAN 2 3/4 05/01/27", "govt_canada", "2.75", "05/01/27"),
        ("F 6.8 05/28", "corp_ig", "6.8", "05/28"),
        ("BNP 7.375 PERP", "financial_sub", "7.375", "PERP"),
        ("GOL 8 30", "corp_hy", "8", "30"),
        ("OAT 0,75 % 25/05/2028", "govt_intl", "0.75", "25/05/2028"),
        ("BTP 2,70% 15/10/2027", "govt_intl", "2.7", "15/10/2027"),
        ("UKTI 1/8 22/03/29", "inflation_linked", "0.125", "22/03/29"),
        ("MBONO 7.50 May-33", "govt_latam_local", "7.5", "May-33"),
        ("CAN 3,25 1 déc. 2034", "govt_canada", "3.25", "1 déc. 2034"),
        ("BAC PRB 6", "preferred", "6", None),
        ("C PRJ 7.5", "preferred", "7.5", None),
        ("ACA 7,25 AT1", "financial_sub", "7.25", None),
        ("FNCI 4 Jan", "tba_mbs", "4", None),
        ("FNCL 5.5", "tba_mbs", "5.5", None),
        ("G2SF 2 1/2 Dec", "tba_mbs", "2.5", None),
        ("BRC 7,5% Roche", "structured_note", "7.5", None),
        ("CAFFIL 3 10/32", "covered_bond", "3", "10/32"),
    ],
)
def test_a_name_says_coupon_and_maturity_as_the_beginning_of_a_line_does(
    text: str, asset_class: str, coupon: str, due: str | None
) -> None:
    found = named_in(text, asset_class)
    assert found.coupon is not None
    assert (coupon_value(found.coupon, Locale.point), found.maturity) == (coupon_value(coupon, Locale.point), due)


@pytest.mark.parametrize(
    ("text", "asset_class"),
    [
        ("OCT 2019-42A AR", "clo"),
        ("STACR 2023-DNA1 M2", "crt"),
        ("Aldgate Software TLB S+450", "leveraged_loan"),
        ("Discount-Zertifikat DAX 21000", "structured_note"),
        ("FNCL", "tba_mbs"),
        ("ELET16 25/04/2031", "corp_hy"),
    ],
)
def test_numbers_in_other_names_are_no_coupons(text: str, asset_class: str) -> None:
    assert named_in(text, asset_class).coupon is None


def test_a_coupon_stands_alone_where_the_maturity_stands_elsewhere() -> None:
    assert [named_in("SPGB 3,45", "govt_intl", dated=dated).coupon for dated in (True, False)] == ["3,45", None]


def test_a_floaters_or_loans_margin_is_no_level() -> None:
    floater = named_in("LIZAV FRN 28 SOFR+103", "frn")
    assert (floater.margin, floater.maturity) == ("103", "28")
    assert named_in("Stada TLB E+425 07/31", "leveraged_loan").margin == "425"


@pytest.mark.parametrize(
    ("text", "asset_class", "tenor"),
    [
        ("IG45 5y 0-3%", "cds_tranche", "5y"),
        ("IG45 0-3%", "cds_tranche", None),
        ("10Y EURIBOR 6M", "irs", "10Y"),
        ("EUR 6M Euribor 10y", "irs", "10y"),
        ("EURCHF 3M 25D RR", "fx_option", "3M"),
        ("UKTB 3m", "govt_intl", "3m"),
    ],
)
def test_a_name_may_hold_the_tenor(text: str, asset_class: str, tenor: str | None) -> None:
    assert named_in(text, asset_class).tenor == tenor


def test_a_bond_is_named_by_a_coupon_and_when_it_is_due() -> None:
    assert names_bond("GOL 8 30")
    assert not any(map(names_bond, ("GOL 8", "Energy", "EUR AT1s", "5Y")))
