from __future__ import annotations

import pytest

from parsers.codes import Firmness, QuoteKind
from parsers.quotes.headings.surroundings import above, merged, read, spoken_measures


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
    assert read(text, near=True).side == side


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CDS curves - closing runs", QuoteKind.mark),
        ("EM EOD marks", QuoteKind.mark),
        ("valid until the close", None),
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
    assert read(text, near=True).kind == kind


def test_talk_far_above_a_table_says_neither_side_nor_kind() -> None:
    found = read("Lines struck out have traded away, call the desk for offers.", near=False)
    assert (found.side, found.kind) == (None, None)


def test_the_nearest_reading_holds() -> None:
    found = merged((read("OFFERS", near=True), read("BIDS in EUR", near=True)))
    assert (found.side, found.currency) == ("ask", "EUR")


def test_titles_go_before_lines_sheet_and_subject() -> None:
    found = above(["US HY (USD)"], ["all in GBP"], "EUR", None, "CHF run")
    assert found.currency == "USD"


@pytest.mark.parametrize(
    ("remark", "unit"),
    [
        ("Geld/Brief, Größen in Mio.", 1_000_000),
        ("acheteur/vendeur, montants en millions", 1_000_000),
        ("compra/venta, COP, montos en mm", 1_000_000),
        ("lotes em mm", 1_000_000),
        ("montos en miles", 1000),
    ],
)
def test_the_unit_of_sizes_is_heard_in_five_languages(remark: str, unit: int) -> None:
    assert read(remark, near=False).size_unit == unit


def test_flat_trading_and_units_of_sizes_are_heard() -> None:
    found = merged((read("ALL PRICES FLAT (no accrued), USD", near=True), read("Sizes in $mm.", near=False)))
    assert found.flat
    assert found.size_unit == 1_000_000


def test_cds_in_a_heading_names_the_instruments_not_their_measure() -> None:
    assert spoken_measures("CDS tranches") == ()
    assert spoken_measures("CDS spreads") != ()
    assert read("CDS tranches", near=True).measure is None


def test_a_title_tells_when_prices_are_of_and_a_sentence_only_where_it_speaks_of_prices() -> None:
    assert read("HY as of 20-Nov-2026", near=True).printed is not None
    assert read("Attached are our levels as of 20-Nov-2026", near=False).printed is not None
    assert read("We have moved to a new office as of 20-Nov-2026", near=False).printed is None


def test_an_inventory_is_offered_in_french_and_german_too() -> None:
    assert [read(text, near=True).side for text in ("Inventaire provinces", "Pfandbriefe Angebot")] == ["ask", "ask"]


@pytest.mark.parametrize(
    "text",
    ["HY run - indicatives", "Kurse indikativ", "Kurse freibleibend", "unverbindliche Kurse", "indicative levels"],
)
def test_words_for_levels_that_bind_nobody_are_heard(text: str) -> None:
    assert read(text, near=True).firmness is Firmness.indicative


@pytest.mark.parametrize(
    ("text", "side"),
    [("WE ARE BUYERS", "bid"), ("we're axed sellers", "ask"), ("BUYERS:", "bid"), ("Buyers beware", None)],
)
def test_a_heading_calls_its_dealers_buyers_or_sellers(text: str, side: str | None) -> None:
    assert read(text, near=True).side == side


def test_a_heading_over_protection_names_its_point_and_market_talk_names_none() -> None:
    assert read("Sovereign CDS, 5Y USD", near=True).tenor == "5Y"
    assert read("5Y, upfront points, 500 running", near=True).tenor == "5Y"
    assert read("Sovereigns. CDX EM 98.2, UST 10y 4.14", near=True).tenor is None
