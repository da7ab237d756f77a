from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.quotes.tables.names import tenor_in, terms


@pytest.mark.parametrize(
    ("text", "coupon", "due"),
    [
        ("CAN 2 3/4 05/01/27", "2.75", "05/01/27"),
        ("F 6.8 05/28", "6.8", "05/28"),
        ("BNP 7.375 PERP", "7.375", "PERP"),
        ("GOL 8 30", "8", "30"),
        ("OAT 0,75 % 25/05/2028", "0.75", "25/05/2028"),
        ("BTP 2,70% 15/10/2027", "2.7", "15/10/2027"),
        ("UKTI 1/8 22/03/29", "0.125", "22/03/29"),
        ("MBONO 7.50 May-33", "7.5", "May-33"),
        ("CAN 3,25 1 déc. 2034", "3.25", "1 déc. 2034"),
        ("BAC PRB 6", "6", None),
        ("C PRJ 7.5", "7.5", None),
        ("FNCI 4 Jan", "4", None),
        ("FNCL 5.5", "5.5", None),
        ("G2SF 2 1/2 Dec", "2.5", None),
    ],
)
def test_coupon_and_maturity_stand_together(text: str, coupon: str, due: str | None) -> None:
    found = terms(text)
    assert (found.coupon, found.due) == (Fraction(coupon), due)


@pytest.mark.parametrize(
    "text",
    [
        "OCT 2019-42A AR",
        "STACR 2023-DNA1 M2",
        "Aldgate Software TLB S+450",
        "Discount-Zertifikat DAX 21000",
        "FNCL",
        "ELET16 25/04/2031",
    ],
)
def test_numbers_in_other_names_are_no_coupons(text: str) -> None:
    assert terms(text).coupon is None


def test_a_name_may_hold_the_tenor() -> None:
    assert [tenor_in(text) for text in ("IG45 5y 0-3%", "IG45 0-3%", "ABC 2.5yr")] == ["5Y", None, None]


def test_the_tenor_of_a_floating_leg_is_no_swaps() -> None:
    assert tenor_in("10Y EURIBOR 6M") == "10Y"
    assert tenor_in("EUR 6M Euribor 10y") == "10Y"
