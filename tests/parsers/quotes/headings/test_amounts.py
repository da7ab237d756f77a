from __future__ import annotations

import pytest

from parsers.quotes.headings.amounts import amount_said


@pytest.mark.parametrize(
    ("text", "bid", "ask"),
    [
        ("25mm blocks each way unless shown", 25_000_000, None),
        ("all 5mm a side", 5_000_000, None),
        ("markets are 2mm x 5mm", 2_000_000, 5_000_000),
        ("bbb crossover run - sizes 5x10", 5_000_000, 10_000_000),
        ("2x2 unless noted", 2_000_000, 2_000_000),
        ("levels good for $10mm", 10_000_000, None),
        ("je seite gilt: alles in 5 mio", 5_000_000, None),
        ("3 millones por lado", 3_000_000, None),
    ],
)
def test_an_amount_that_a_text_says_of_all_lines_is_theirs(text: str, bid: int, ask: int | None) -> None:
    found = amount_said(text)
    assert found is not None
    sizes = [size.value for size in (found.bid, found.ask, found.single) if size is not None]
    assert sizes == [bid] if ask is None else sizes == [bid, ask]


@pytest.mark.parametrize(
    "text",
    [
        "sizes up to 50mm",
        "size: $500mm",
        "issue size 750mm, all in 4.5%",
        "all in 5 mins",
        "we bought 25mm today",
        "size 5mm",
        "call me on 5x5555 a side",
        "10y +5 on all",
        "all in 3m euribor",
        "euribor 3m on all",
        "swaps, receive 6m each side",
        "markets are 99.5 x 99.75",
        "markets are 100 x 101",
        "we are 3mm each way in ABC only",
        "5mm each way in abc",
    ],
)
def test_an_amount_of_a_deal_or_a_limit_is_of_no_line(text: str) -> None:
    assert amount_said(text) is None
