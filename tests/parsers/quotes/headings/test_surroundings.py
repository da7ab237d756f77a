from __future__ import annotations

import pytest

from parsers.quotes.headings.surroundings import merged, read, spoken_measures


def test_talk_far_above_a_table_says_neither_side_nor_kind() -> None:
    found = read("Lines struck out have traded away, call the desk for offers.", near=False)
    assert (found.side, found.kind) == (None, None)


def test_the_nearest_reading_holds() -> None:
    found = merged((read("OFFERS", near=True), read("BIDS in EUR", near=True)))
    assert (found.side, found.currency) == ("ask", "EUR")


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


def test_a_heading_over_protection_names_its_point_and_market_talk_names_none() -> None:
    assert read("Sovereign CDS, 5Y USD", near=True).tenor == "5Y"
    assert read("5Y, upfront points, 500 running", near=True).tenor == "5Y"
    assert read("Sovereigns. CDX EM 98.2, UST 10y 4.14", near=True).tenor is None
