from __future__ import annotations

import pytest

from parsers.quotes.notices import is_confirmation, is_outlook


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Trade confirmation 8812", True),
        ("We hereby confirm your purchase as follows", True),
        ("We sold to you USD 5,000,000 PEMEX 6.7 02/16/32", True),
        ("Invoice INV-2026-118", True),
        ("FW: Tax invoice", True),
        ("Invoice no. 7 of 18 November", True),
        ("Rechnungsnummer 4711", True),
        ("Adjunto factura n. 12345", True),
        ("Facture du 12/11/2026", True),
        ("Gracias por la factura de ayer", False),
        ("Invoice Finance 5 34 98/99", False),
        ("XYZ 5 03/34 98/99 invoice T+2", False),
        ("Trade 118842: bought 2mm XYZ 5 30 at 98.5, 3 quotes received", True),
        ("XYZ 5 30 traded 98.5, 2mm sold", False),
        ("Levels to be confirmed", False),
        ("We can sell you 2mm", False),
    ],
)
def test_what_is_done_is_told_from_what_is_offered(text: str, expected: bool) -> None:
    assert is_confirmation(text) is expected


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("5y auction results", True),
        ("CLO primary guidance", True),
        ("Munis: new issues this week", True),
        ("IG secondary and new issues run", False),
        ("Week ahead: economic calendar", True),
        ("5y axes", False),
        ("Trade idea: long hybrids", True),
        ("Axes and trade ideas", False),
        ("Index rebalancing Nov-26", True),
        ("Fund monthly report", True),
        ("Daily NAV", True),
        ("Your holdings", True),
        ("LP interests, % of NAV", False),
        ("Relative value screener", True),
        ("Margin call - CSA 441", True),
        ("Asta BTP: risultati", True),
        ("Notice of redemption", True),
        ("Daily P&L IG desk", True),
        ("IG CDS CS01", True),
        ("Coupon payments November", True),
        ("Prognosen Zinsen", True),
        ("Rates forecasts", True),
        ("DV01 neutral steepeners", False),
    ],
)
def test_calendars_and_auctions_are_told_from_what_is_offered(subject: str, expected: bool) -> None:
    assert is_outlook(subject) is expected
