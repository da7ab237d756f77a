from __future__ import annotations

import pytest

from parsers.codes import Firmness, QuoteKind
from parsers.quotes.headings.notes import noted, of_prices


def test_a_covering_note_counts_where_it_speaks_of_the_prices() -> None:
    found = noted(("Hi from our EUR desk", "All levels in USD, indicative", "regards"))
    assert (found.currency, found.firmness) == ("USD", Firmness.indicative)
    assert noted(("The run of our office in EUR",)).currency is None
    assert noted(("SSA sheet for today attached, EUR.",)).currency == "EUR"
    assert noted(("EUR floaters attached",)).currency == "EUR"
    assert noted(("Attached our USD AT1 run",)).currency == "USD"
    assert noted(("See the pdf. EUR.",)).currency == noted(("Offers in the doc (EUR).",)).currency == "EUR"
    assert noted(("Attached our USD and EUR runs",)).currency is None


@pytest.mark.parametrize(
    ("note", "side"),
    [
        ("We are axed to sell everything listed.", "ask"),
        ("Attached our AT1 offers for today", "ask"),
        ("Offered levels in Yankee CDs", "ask"),
        ("ABS inventory attached", "ask"),
        ("Indicative mids, annual vs 6m", "mid"),
        ("Closing mid levels attached", "mid"),
        ("Mid-swaps are wider", None),
        ("Happy to bid on your inventory attached", None),
        ("Levels attached, offers welcome", None),
        ("Bids and offers attached", None),
        ("We are better buyers of everything in the attached, shout with anything.", "bid"),
        ("Two files. These are all offers - we are owners.", "ask"),
        ("Please find attached the bonds that we are looking to sell", "ask"),
        ("Wir verkaufen alles im Anhang", "ask"),
        ("Zur Info, alles Briefseite.", "ask"),
        ("All bid side", "bid"),
        ("Zip attached. All offered.", "ask"),
        ("Normal vol grid, mids", "mid"),
        ("Are you looking to sell all of these?", None),
        ("See the attached list, let us know if you are looking to buy", None),
        ("If you have any of the attached for sale, please call", None),
        ("We are not sellers of everything attached", None),
        ("We are sellers of everything attached, call if you need size", "ask"),
        ("Run attached. We are buyers of the belly in general.", None),
    ],
)
def test_a_covering_note_says_on_which_side_all_of_it_is(note: str, side: str | None) -> None:
    assert noted((note,)).side == side


def test_a_covering_note_is_about_the_prices_where_it_speaks_of_them() -> None:
    assert of_prices(["Hi", "US HY levels attached", "CDX HY was softer"]) == ["US HY levels attached"]


def test_a_covering_note_says_that_prices_are_of_a_piece() -> None:
    assert noted(("Anbei unsere Indikationen, Preise in EUR je Stück.",)).measure == "price_unit"
    assert noted(("Indikationen in Prozent anbei",)).measure is None


def test_a_covering_note_says_that_prices_are_of_the_close() -> None:
    assert noted(("Anbei die Schlusskurse vom 20.11.2026",)).kind is QuoteKind.mark
    assert noted(("Month-end marks attached",)).kind is QuoteKind.mark
    assert noted(("Levels attached, the market closed firmer",)).kind is None


def test_what_a_desk_says_that_it_does_is_heard_in_each_language_alike() -> None:
    assert [
        noted((line,)).side
        for line in ("oferecemos todos os títulos em anexo", "vendiamo tutto", "compramos todos", "wir suchen alles")
    ] == ["ask", "ask", "bid", "bid"]
