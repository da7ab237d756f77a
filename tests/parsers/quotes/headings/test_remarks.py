from __future__ import annotations

import pytest

from parsers.quotes.headings.remarks import (
    before_ticker,
    has_levels,
    is_address,
    is_colour,
    is_guided,
    is_story,
    is_ticker,
    small,
)


@pytest.mark.parametrize(
    "text",
    [
        "Vols higher",
        "Munis outperformed",
        "CLO supply heavy",
        "Gilts soft",
        "Swaps a touch lower, quiet",
        "IG 2bp tighter",
        "UST 10y 4.12%",
        "S&P 500 6,812.40, VIX 15.1",
        "EM sovereigns traded heavy",
        "Strong demand for AT1s",
        "AAA spreads at 128-130",
    ],
)
def test_a_line_on_how_a_market_moved_is_colour(text: str) -> None:
    assert is_colour(text)


@pytest.mark.parametrize(
    "text",
    [
        "USD HY",
        "Lower Tier 2",
        "lower tier 2 bonds",
        "AT1s, firm",
        "Active issues",
        "Strong credits list",
        "DAX 21000",
        "UST 4.25% 34",
        "CLOs as at 1800",
        "Demand notes",
    ],
)
def test_a_heading_is_no_colour(text: str) -> None:
    assert not is_colour(text)


def test_a_sentence_has_a_point_and_mostly_small_letters() -> None:
    assert is_story("Watching CDS into the close.")
    assert not is_story("Watching CDS into the close")
    assert not is_story("USD AT1.")
    assert not is_story("Senior Unsecured EUR Bonds.")


@pytest.mark.parametrize(
    "text", ["Call Jim on CLO questions", "In loans we are active and have colour", "Bitte Covered per Chat"]
)
def test_what_is_said_to_the_reader_is_an_address(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "Please find our CLO run",
        "Here are the loans",
        "Covered: spreads are vs MS",
        "Note on loans:",
        "EUR IRS. Sizes are 5x5.",
        "EUR cleared swaps",
        "Mbonos (all are two-way)",
        "We are better bid in FX vols",
    ],
)
def test_what_points_at_the_lines_below_is_none(text: str) -> None:
    assert not is_address(text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("US HY - SPX 5,980", "US HY"),
        ("Loans, UST 10y 4.12%", "Loans"),
        ("US IG (CDX IG 52, 10y 4.12%)", "US IG"),
        ("EM Sovereigns | 5s30s 92, SPX 5,980 (+0.4%)", "EM Sovereigns"),
        ("US HY - unsecured", None),
        ("Gilts, 5y", None),
        ("UST 10y 4.12%", None),
        ("iTraxx Main, Xover S44", None),
    ],
)
def test_where_indices_stand_behind_a_title_is_no_part_of_it(text: str, title: str | None) -> None:
    assert before_ticker(text) == title


def test_a_sentence_with_a_level_behind_a_colon_says_where_a_market_stands() -> None:
    assert is_ticker("Repo: GC 4.33, specials in the 10y sector")
    assert not is_ticker("EURUSD: Spot 1.0850, points in pips")
    assert not is_ticker("Repo: GC 4.33/4.30, firm")


def test_a_sentence_has_more_small_words_than_a_title() -> None:
    assert small(["Two", "deals", "priced,", "books", "3", "times", "covered"]) == 5
    assert small(["US", "High", "Yield", "Run"]) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Perp hybrids are 22/24 flat", True),
        ("Hybrids, 11/19", False),
        ("Hybrids 2026/27", False),
        ("OAS +245", True),
        ("Kurse 17.11.2026", False),
    ],
)
def test_a_market_of_whole_numbers_is_no_title_but_a_day_may_stand_in_one(text: str, expected: bool) -> None:
    assert has_levels(text) is expected


def test_talk_of_new_issues_is_guided() -> None:
    assert is_guided("EIB 10y IPTs MS+42a; BPCE 7y covered guidance MS+36.")
    assert not is_guided("BWIC, guidance below")
