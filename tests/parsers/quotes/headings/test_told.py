from __future__ import annotations

import pytest

from parsers.codes import QuoteKind
from parsers.quotes.headings.told import over_bond, struct_in, told


def test_a_title_names_class_kind_and_issuer() -> None:
    line = told("HY marks - EOD")
    assert (line.is_title, line.named, line.said.kind, line.issuer) == (
        True,
        "corp_hy",
        QuoteKind.mark,
        "HY marks - EOD",
    )


@pytest.mark.parametrize("text", ["Call us with any interest in the names that are shown.", "SPX +0.3%, HY bid"])
def test_a_sentence_and_market_talk_are_no_titles(text: str) -> None:
    assert not told(text).is_title


def test_a_line_with_a_market_that_nobody_could_read_names_no_issuer() -> None:
    assert told("ACME 98.5 / 99x").issuer == told("Levels:").issuer is None


@pytest.mark.parametrize(
    ("text", "code"), [("CA$ corporates", "CAD"), ("NZ$ bonds", "NZD"), ("NT$ bonds", "TWD"), ("$ bonds", "$")]
)
def test_a_title_names_its_currency_by_a_symbol(text: str, code: str) -> None:
    assert told(text).symbol == code


def test_a_text_is_about_the_only_option_that_it_names() -> None:
    assert struct_in("USD payers") == "payer"
    assert struct_in("USD ATM vols") == "atm"
    assert struct_in("payers and receivers, ATM") is None


@pytest.mark.parametrize(
    "text", ["Provinces 10 ans contre CAN 3,25 06/35, achat/vente :", "10y provincials vs CAN 3 1/4 06/35, bid/ask"]
)
def test_a_heading_names_the_bond_that_spreads_are_over(text: str) -> None:
    assert told(text).said.benchmark == over_bond(text) == "CAN 3.25 06/35"
    assert over_bond("CAN 3.25 06/35 vs last week") is None


@pytest.mark.parametrize("text", ["Bonjour à tous,", "Guten Morgen", "Buenos días,", "Dear all,"])
def test_a_greeting_names_no_issuer(text: str) -> None:
    assert told(text).issuer is None


def test_a_line_on_the_market_of_another_class_heads_no_table() -> None:
    lines = ("EUR senior financials", "Treasuries rallied 5bp", "Watching CDS into the close.")
    assert [told(line).is_title for line in lines] == [True, False, False]


def test_the_time_that_talk_says_prices_are_of_is_heard() -> None:
    line = "unsere Indikationen, Stand 18.11.2026 10:05 Uhr. Der DAX notiert bei 24.310 Punkten."
    assert told(line).said.printed is not None
