from __future__ import annotations

import pytest

from parsers.codes import Firmness, QuoteKind
from parsers.quotes.headings.stances import axe_said, firmness_said, kind_said, side_said


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("OFFERS", "ask"),
        ("Muni offerings 11/18", "ask"),
        ("AXED TO BUY - WE BID", "bid"),
        ("BIDS", "bid"),
        ("Verkauf", "ask"),
        ("ATM straddle normal vol (bp), mid", "mid"),
        ("Bids / offers", None),
        ("Nos offres", "ask"),
        ("Nos demandes et offres", None),
        ("Appel d'offres", None),
        ("Two-ways", None),
        ("BWIC", None),
        ("spreads to mid swaps", None),
    ],
)
def test_a_heading_says_whose_prices_follow(text: str, side: str | None) -> None:
    assert side_said(text.lower()) == side


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CDS curves - closing runs", QuoteKind.mark),
        ("EM EOD marks", QuoteKind.mark),
        ("valid until the close", None),
        ("canadas close to bid/offer", None),
        ("us cb run (close refs)", None),
        ("two bwics tomorrow, about 180 total", None),
        ("two bwics below, 11am", QuoteKind.bwic),
        ("5 crt bwics today, bids due 11am", QuoteKind.bwic),
        ("Live markets", QuoteKind.market),
        ("Our axes", QuoteKind.market),
        ("Axes are below", None),
        ("CLO BWIC", QuoteKind.bwic),
        ("Offers wanted", QuoteKind.owic),
        ("last sales at noon", QuoteKind.trade),
        ("Trades of the day", QuoteKind.trade),
        ("everything trades flat", None),
        ("Indicative levels", None),
    ],
)
def test_a_heading_says_what_kind_of_prices_follow(text: str, kind: QuoteKind | None) -> None:
    assert kind_said(text.lower()) == kind


def test_an_inventory_is_offered_in_french_and_german_too() -> None:
    assert [side_said(text.lower()) for text in ("Inventaire provinces", "Pfandbriefe Angebot")] == ["ask", "ask"]


@pytest.mark.parametrize(
    ("text", "firmness"),
    [("US HY, all levels firm", Firmness.firm), ("firm bids below", Firmness.firm), ("Credit is firm today", None)],
)
def test_prices_are_firm_where_a_heading_says_it_of_them(text: str, firmness: Firmness | None) -> None:
    assert firmness_said(text.lower()) is firmness


@pytest.mark.parametrize(
    "text",
    ["HY run - indicatives", "Kurse indikativ", "Kurse freibleibend", "unverbindliche Kurse", "indicative levels"],
)
def test_words_for_levels_that_bind_nobody_are_heard(text: str) -> None:
    assert firmness_said(text.lower()) is Firmness.indicative


@pytest.mark.parametrize(
    ("text", "side"),
    [("WE ARE BUYERS", "bid"), ("we're axed sellers", "ask"), ("BUYERS:", "bid"), ("Buyers beware", None)],
)
def test_a_heading_calls_its_dealers_buyers_or_sellers(text: str, side: str | None) -> None:
    assert side_said(text.lower()) == side


def test_what_is_better_bought_in_a_sentence_is_the_markets_talk_and_over_rows_an_axe() -> None:
    assert axe_said("better buyers of hybrids", near=True) == "bid"
    assert axe_said("better buyers of hybrids this morning", near=False) is None
    assert axe_said("axes", near=False) == "any"
