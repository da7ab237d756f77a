from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import Flag, QuoteKind, QuoteType
from parsers.quotes.answers.named import Habits
from parsers.quotes.draft import Level
from parsers.quotes.judging import side_of
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.levels.levels import levels
from parsers.quotes.runs.marked.line import read
from parsers.values.finding import find
from parsers.values.separators import Locale


def found(text: str, ground: Ground) -> tuple[Level, ...]:
    reading = read(text, tokens(text, find(text, priced=True)), Locale.point, Habits())
    return levels(reading, ground)


def test_only_the_spread_of_a_line_carries_the_benchmark() -> None:
    price, spread = found("XYZ 5 03/34 98.91/99.05 MS+22/20", Ground("agency_ssa"))
    assert (price.benchmark, spread.benchmark) == (None, "MS")


def test_a_bond_named_beside_the_spread_is_its_benchmark_written_one_way() -> None:
    (level,) = found("ONT 4.15 06/34 62/60 5x5 CAN 3 1/4 06/01/34", Ground("provincial_canada"))
    assert level.benchmark == "CAN 3.25 06/34"


def test_a_single_without_a_side_takes_the_sections_then_the_only_prices_then_none() -> None:
    (sold,) = found("XYZ 5 03/34 Z+95", Ground("corp_ig", side="ask"))
    assert (sold.ask, sold.mid) == (Fraction(95), None)
    price, spread = found("XYZ 5 03/34 98.5 bid Z+95", Ground("corp_ig"))
    assert (price.bid, spread.bid) == (Fraction("98.5"), Fraction(95))
    (alone,) = found("XYZ 5 03/34 Z+95", Ground("corp_ig"))
    assert (alone.mid, Flag.side_assumed in alone.flags) == (Fraction(95), True)


def test_bid_and_offer_words_make_one_market() -> None:
    (level,) = found("XYZ 5 03/34 98.5 bid 99 offer", Ground("corp_hy"))
    assert (level.bid, level.ask) == (Fraction("98.5"), Fraction(99))


def test_a_trade_has_no_side() -> None:
    (level,) = found("XYZ 5 03/34 traded 96.50", Ground("corp_hy"))
    assert (level.quote_kind, level.mid) == (QuoteKind.trade, Fraction("96.5"))


def test_an_offer_at_a_price_over_a_margin_is_two_measures() -> None:
    price, margin = found("67590BAJ9 OCT 2020-1A BR offered at 100.25 / 145dm", Ground("clo"))
    assert (price.quote_type, price.ask) == (QuoteType.price_pct, Fraction("100.25"))
    assert (margin.quote_type, margin.ask) == (QuoteType.dm_bp, Fraction(145))


def test_talk_above_any_price_is_a_spread() -> None:
    (level,) = found("67590BAJ9 OCT 2020-1A BR talk mid 300s", Ground("clo"))
    assert (level.quote_type, level.talk_low, level.talk_high) == (QuoteType.dm_bp, Fraction(340), Fraction(360))


def test_the_span_of_a_level_is_where_it_stands() -> None:
    text = "XYZ 5 03/34 T+85/80 5x5"
    (level,) = found(text, Ground("corp_ig"))
    assert text[level.char_start : level.char_end] == "T+85/80"


def test_headings_give_points_their_running_coupon() -> None:
    (level,) = found("AAL 5y 12.5/13.5 pts", Ground("cds_single", running=Fraction(500)))
    assert (level.quote_type, level.running_coupon_bp) == (QuoteType.upfront_pts, Fraction(500))


@pytest.mark.parametrize(
    ("text", "side", "kind"),
    [
        ("mid 97.5", "mid", "market"),
        ("px 97.5", "mid", "market"),
        ("close 97.5", "mid", "mark"),
        ("buyer 97.5", "bid", "market"),
        ("97.5 seller", "ask", "market"),
        ("97.5", "unknown", "market"),
    ],
)
def test_a_word_says_on_which_side_a_single_value_is(
    runs: Callable[..., RunResult], text: str, side: str, kind: str
) -> None:
    (draft,) = runs(f"HY RUN\nXYZ 5 03/15/34 {text}\n").drafts
    (level,) = draft.levels
    assert (side_of(level), level.quote_kind) == (side, kind)


def test_a_mark_under_a_heading_is_a_mid(runs: Callable[..., RunResult]) -> None:
    (draft,) = runs("HY EOD marks\nXYZ 5 03/15/34 97.5\n").drafts
    assert side_of(draft.levels[0]) == "mid"


def test_a_straddle_at_the_money_is_a_straddle(runs: Callable[..., RunResult]) -> None:
    drafts = runs("USD SWAPTIONS\n1y10y ATM straddle 95.5/97.0 nvol\n5y5y ATM 80/82 nvol\n").drafts
    assert [draft.levels[0].option_struct for draft in drafts] == ["straddle", "atm"]


@pytest.mark.parametrize("text", ["Wolfram 5Y 100bp 45/50", "Wolfram 5Y 100   45/50", "Wolfram 5Y 100 45/50 5x5"])
def test_a_running_coupon_in_front_of_a_spread_is_no_spread(runs: Callable[..., RunResult], text: str) -> None:
    found = runs(f"{text}\n", "Single name CDS")
    ((level,),) = [draft.levels for draft in found.drafts]
    assert [level.bid, level.ask, level.running_coupon_bp] == [45, 50, 100]
    assert not level.flags
    assert found.rejects == ()


def test_a_market_far_below_its_running_coupon_is_doubted_for_it_may_be_points(runs: Callable[..., RunResult]) -> None:
    ((level,),) = [draft.levels for draft in runs("Yotta Foods 5y 500   12.5/13.5\n", "HY CDS").drafts]
    assert level.running_coupon_bp == 500
    assert level.flags == {Flag.out_of_soft_range}
