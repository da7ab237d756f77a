from __future__ import annotations

import pytest

from parsers.quotes.runs.quoted.namable import can_name, is_market


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BBB refis", "clo"),
        ("Ford 5s10s", "cds_single"),
        ("Trading hours", "structured_note"),
        ("AAA", "clo"),
        ("UKT 43 into 53", "fx_forward"),
        ("Treasury futures ref TYZ6", "swaption"),
        ("markets", "corp_hy"),
        ("", "clo"),
        ("CDS desk", "cds_single"),
        ("Attendees", "irs"),
        ("INC-4411", "cds_single"),
        ("CLO AAA new issue spreads", "clo"),
        ("Prime auto", "abs"),
        ("Short AAA paper", "clo"),
        ("3y nc", "clo"),
        ("SASB", "cmbs"),
        ("Loan index", "leveraged_loan"),
        ("Recovery estimates", "trade_claim"),
        ("Buyout funds", "private_equity_secondary"),
        ("Sector spreads", "cds_single"),
        ("Repo fails", "repo"),
        ("NAV per share", "private_equity_secondary"),
        ("The NAV of the fund", "private_equity_secondary"),
    ],
)
def test_what_is_of_many_or_of_something_else_names_none(text: str, name: str) -> None:
    assert not can_name(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("IG47 5y", "cds_index"),
        ("CPI 5y", "inflation_swap"),
        ("FTSE kick-out 2029", "structured_note"),
        ("Acme TLB", "leveraged_loan"),
        ("Dealer Tire TLB", "leveraged_loan"),
        ("FTX claims", "trade_claim"),
        ("10y swap spreads", "irs"),
        ("Cairn XI B", "clo"),
        ("ALESC A1", "cdo_trups"),
        ("A3", "abs"),
    ],
)
def test_what_a_desk_calls_an_instrument_names_one(text: str, name: str) -> None:
    assert can_name(text, name)


def test_a_market_is_no_instrument_of_any_class() -> None:
    assert is_market("Auto spreads")
    assert not is_market("AMCAR 2024-1 C")
