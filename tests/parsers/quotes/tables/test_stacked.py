from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.fields import Fields
from parsers.quotes.tables.columns.stacked import side_word, units

FIELDS = Fields.of([column(0, ("Entity",)), column(1, ("Side",)), column(2, ("5Y",))])


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Bid", "bid"),
        ("Offer", "ask"),
        ("Geld", "bid"),
        ("B", "bid"),
        ("S", "ask"),
        ("Bid/Ask", "both"),
        ("Ford", None),
    ],
)
def test_a_side_is_a_word_of_its_own(text: str, side: str | None) -> None:
    assert side_word(text) == side


@pytest.mark.parametrize(
    ("over", "letter", "side"),
    [("Sens", "A", "bid"), ("Sens", "V", "ask"), ("A/V", "A", "bid"), ("C/V", "C", "bid"), ("K/V", "V", "ask")],
)
def test_a_letter_is_the_side_that_its_heading_means(over: str, letter: str, side: str) -> None:
    assert side_word(letter, over) == side


def test_an_ask_row_belongs_to_the_bid_row_of_the_same_key(grid: Callable[..., Grid]) -> None:
    rows = grid("VW | Bid | 88\n | Ask | 91\nBASF | Bid | 52\nBASF | Ask | 55\nFord | Bid | 180").rows
    pairs = [(row.number, below.number if below else None) for row, below in units(rows, FIELDS)]
    assert pairs == [(1, 2), (3, 4), (5, None)]


def test_rows_of_different_keys_stay_apart(grid: Callable[..., Grid]) -> None:
    rows = grid("VW | Bid | 88\nBASF | Ask | 55").rows
    assert all(below is None for _, below in units(rows, FIELDS))
