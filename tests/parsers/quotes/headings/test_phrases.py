from __future__ import annotations

import pytest

from parsers.quotes.headings.phrases import heading, option_struct


@pytest.mark.parametrize(
    ("text", "facet", "value"),
    [
        ("Bid Sprd", "side", "bid"),
        ("Geldkurs", "side", "bid"),
        ("COURS VENDEUR", "side", "ask"),
        ("Oferta", "side", "ask"),
        ("Oferta de compra", "side", "bid"),
        ("Échéance", "field", "maturity"),
        ("Fälligkeit", "field", "maturity"),
        ("Währung", "field", "currency"),
        ("Tasa cupón", "field", "coupon"),
        ("Taxa", "measure", "yield_pct"),
        ("Z-Spread", "measure", "spread_z_bp"),
        ("J Sprd", "measure", "spread_swap_bp"),
        ("Px 32nds", "notation", "thirty_seconds"),
        ("Bid (32)", "notation", "thirty_seconds"),
        ("Sprd (T+)", "benchmark", "UST"),
        ("Size (mm)", "unit", "1000000"),
        ("Amt (000s)", "unit", "1000"),
        ("Nominal Geld (Tsd. EUR)", "unit", "1000"),
        ("Montant (M€)", "unit", "1000000"),
        ("(R$ mil)", "unit", "1000"),
        ("25Δ RR", "option_struct", "rr25"),
        ("5Y", "tenor", "5Y"),
        ("O/N", "tenor", "ON"),
        ("2 Wk", "tenor", "2W"),
        ("9 Mo", "tenor", "9M"),
        ("Dec", "month", "dec"),
        ("Cvr", "kind", "cover"),
        ("Chg", "ignore", "change"),
    ],
)
def test_a_phrase_means_what_the_vocabulary_says(text: str, facet: str, value: str) -> None:
    assert heading(text).one(facet) == value


def test_discount_rates_are_one_measure() -> None:
    assert heading("US T-BILLS - discount rates").meanings["measure"] == ("discount_rate_pct",)


def test_atm_straddles_are_straddles() -> None:
    for text in ("Straddles", "ATM straddle", "USD SOFR SWAPTIONS - ATM STRADDLES, normal vol in bp"):
        assert heading(text).one("option_struct") == "straddle"
    assert heading("ATM receivers").one("option_struct") == "receiver"
    assert option_struct("EUR ATM swaption straddles, normal vol") == "straddle"


def test_the_longest_phrase_wins_over_its_words() -> None:
    found = heading("Yield to Maturity")
    assert found.one("measure") == "yield_pct"
    assert found.one("field") is None


def test_a_word_that_nobody_knows_is_kept() -> None:
    assert heading("UKRPI Bid").unknown == ("ukrpi",)


def test_a_hostile_heading_is_read_no_further_than_a_heading_can_be_long() -> None:
    assert len(heading("x " * 100_000).unknown) <= 60


@pytest.mark.parametrize("text", ["USDBRL ATM", "EURUSD 25d RR", "1y10y payer", "CHTR 4 1/2 05/32", "25 bf", ""])
def test_the_kind_of_option_alone_is_the_one_that_the_whole_heading_says(text: str) -> None:
    assert option_struct(text) == heading(text).one("option_struct")


@pytest.mark.parametrize(("printed", "apart"), [("Bid RealYld", "Bid Real Yld"), ("IssuerName", "Issuer Name")])
def test_words_printed_in_one_with_capitals_between_them_are_read_apart(printed: str, apart: str) -> None:
    assert heading(printed) == heading(apart)


def test_a_name_with_capitals_in_it_stays_one_word() -> None:
    assert heading("SnrFin").unknown == ("snrfin",)
