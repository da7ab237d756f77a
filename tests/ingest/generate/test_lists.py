from __future__ import annotations

from random import Random

import pytest

from ingest.generate.books import books
from ingest.generate.dealers import Dealer, dealers
from ingest.generate.lists import axes, covers, lists_of, talk


def dealing(key: str) -> Dealer:
    return next(dealer for dealer in dealers() if key in dealer.books and lists_of(dealer, books()[key]))


def test_axes_are_bids_under_we_buy_and_offers_under_we_sell() -> None:
    lines, quotes = axes(Random(1), 5, dealing("hy_eur"), books()["hy_eur"], 8)
    sell = lines.index("WE SELL") + 1
    assert lines.index("WE BUY") + 1 < sell
    for quote in quotes:
        side = "bid" if quote["line"] < sell else "ask"
        assert (quote["quote_kind"], quote["side"]) == ("axe", side)
        assert {"bid", "ask"} & quote.keys() == {side}
        assert {"bid_size", "ask_size"} & quote.keys() == {f"{side}_size"}


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [("mid 80s", "84", "86"), ("low 90s", "90", "93"), ("high 70s", "77", "79"), ("mid-high 60s", "65", "67")],
)
def test_talk_means_the_part_of_the_decade_that_the_domain_says(words: str, low: str, high: str) -> None:
    found = [
        quote
        for seed in range(60)
        for quote in talk(Random(seed), seed, dealing("clo_usd"), books()["clo_usd"], 6)[1]
        if quote["raw_text"].endswith(f"talk {words}")
    ]
    assert found
    assert {(quote["talk_low"], quote["talk_high"], quote["side"]) for quote in found} == {(low, high, "talk")}


def test_talk_below_a_level_has_no_low_end_and_an_area_no_high() -> None:
    for seed in range(40):
        for quote in talk(Random(seed), seed, dealing("rmbs"), books()["rmbs"], 6)[1]:
            assert ("talk sub" in quote["raw_text"]) == ("talk_low" not in quote)
            assert quote["raw_text"].endswith("area") == ("talk_high" not in quote)
            assert "bid" not in quote


def test_a_line_that_did_not_trade_has_no_cover() -> None:
    not_traded = 0
    for seed in range(40):
        lines, quotes = covers(Random(seed), seed, dealing("abs"), books()["abs"], 6)
        told = {quote["line"] for quote in quotes}
        missed = {number for number, line in enumerate(lines, 1) if line.endswith("DNT")}
        assert not told & missed
        not_traded += len(missed)
        assert {(quote["quote_kind"], quote["side"]) for quote in quotes} == {("cover", "bid")}
    assert not_traded
