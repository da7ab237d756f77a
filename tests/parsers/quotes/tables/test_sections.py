from __future__ import annotations

import pytest

from parsers.document import Cell
from parsers.quotes.tables.around.sections import (
    Section,
    is_aside,
    is_legend,
    is_market_talk,
    is_total,
    section_class,
    section_text,
)


@pytest.mark.parametrize(
    "text", ["Total", "Subtotal", "Average", "Summe", "Total général", "Promedio", "Média", "TOTAL:"]
)
def test_totals_in_six_languages_are_totals(text: str) -> None:
    assert is_total([Cell(), Cell(text), Cell("98")])


@pytest.mark.parametrize("text", ["TOTALENERGIES CAPITAL", "Total Capital 2.5 26", "Average Joe Inc"])
def test_names_that_begin_like_totals_are_none(text: str) -> None:
    assert not is_total([Cell(text), Cell("98")])


def test_legends_start_with_a_mark() -> None:
    assert is_legend("* odd lots only")
    assert is_legend("Example: XS123")
    assert not is_legend("ACME 4 31")


@pytest.mark.parametrize(
    ("cells", "is_section"),
    [
        ([Cell("SENIOR FINANCIALS")], True),
        ([Cell("Senior Financials", bold=True)], True),
        ([Cell("Offers:")], True),
        ([Cell("EUR AT1", col_span=7)], True),
        ([Cell("Banks")], True),
        ([Cell("EUR AT1s")], True),
        ([Cell("Page 2")], False),
        ([Cell("Indicative only. Source: credit trading, as of 18.11.2026 09:00 London time, subject")], False),
        ([Cell("ACME 4.375 31")], False),
        ([Cell("WE ARE BUYERS", col_span=7)], True),
        ([Cell("We are sellers", col_span=7)], True),
        ([Cell("EM sovereigns traded heavy", col_span=7)], False),
        ([Cell("CDX IG 52/52.5, CDX HY 107.25", col_span=7)], False),
        ([Cell("Happy to work orders.", col_span=7)], False),
        ([Cell("A"), Cell("B"), Cell("C")], False),
    ],
)
def test_a_row_of_one_marked_text_is_a_section(cells: list[Cell], *, is_section: bool) -> None:
    assert (section_text(cells, 7) is not None) == is_section


def test_a_section_is_of_a_class_only_if_most_of_it_says_so() -> None:
    assert section_class("CONDUIT AAA") == "cmbs"
    assert section_class("FEDERAL HOME LOAN BANKS") is None


def test_a_later_section_keeps_what_it_does_not_say() -> None:
    found = Section().under("EUR AT1").under("OFFERS")
    assert (found.said.currency, found.said.side, found.found.name, found.name) == (
        "EUR",
        "ask",
        "financial_sub",
        "OFFERS",
    )


def test_energy_for_delivery_is_talk_of_the_market() -> None:
    assert all(map(is_market_talk, ("TTF Dec-26", "NBP Cal-27", "EUA Dec-26", "Brent")))
    assert not any(map(is_market_talk, ("BRENTWOOD 5 34", "GOLD FIELDS 6.125 29")))


def test_a_row_of_a_curve_that_is_no_point_of_it_is_an_aside() -> None:
    assert all(map(is_aside, ("Spot ref", "1d chg", "Prev")))
    assert not any(map(is_aside, ("", "Spot", "1M", "IMM Dec")))
