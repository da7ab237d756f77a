from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import QuoteKind
from parsers.quotes.headings.columns import column
from parsers.quotes.headings.roles import IGNORED, SIZE


@pytest.mark.parametrize(
    ("text", "role", "side", "measure"),
    [
        ("Bid Sprd", "level", "bid", "spread"),
        ("B YTM", "level", "bid", "yield_pct"),
        ("A Sz", "size", "ask", None),
        ("Geld", "level", "bid", None),
        ("Taxa Compra", "level", "bid", "yield_pct"),
        ("Bid Real Yld", "level", "bid", "real_yield_pct"),
        ("Offer I Spd", "level", "ask", "spread_i_bp"),
        ("Bid % NAV", "level", "bid", "pct_nav"),
        ("Bid/Ask", "level", "both", None),
        ("Level", "level", None, None),
        ("YTW", "level", None, "yield_pct"),
        ("5Y", "level", None, None),
        ("Strip", "description", None, None),
        ("Bid Strip Yld", "level", "bid", "yield_pct"),
        ("Rate", "rate", None, "rate"),
        ("Bid Rate", "level", "bid", "rate"),
        ("Bench", "benchmark", None, None),
        ("Bench Yield", "ignored", None, "yield_pct"),
        ("Bid Chg", "ignored", "bid", None),
        ("NAV date", "ignored", None, None),
        ("Next Call", "ignored", None, None),
        ("Bid Vol (bp)", "level", "bid", "vol_normal_bp"),
        ("Bid (bp)", "level", "bid", "spread"),
        ("Price / Yield", "ignored", None, ""),
        ("Frobnication", "unknown", None, None),
        ("Yld to 4 CPR", "level", None, "yield_pct"),
        ("CPR", "ignored", None, None),
        ("No.", "ignored", None, None),
        ("Issue No.", "description", None, None),
        ("Orig Size", "orig_face", None, None),
        ("Vol. (Mio. €)", "size", None, "vol"),
        ("vs. Stock", "ref_price", None, None),
        ("Gebot % NAV", "level", "bid", "pct_nav"),
        ("Flat Yld%", "ignored", None, None),
        ("We Buy (mm)", "size", "bid", None),
        ("B x A (MM)", "size", None, None),
        ("Payup vs TBA", "level", None, "payup_32"),
        ("Issue Yield", "ignored", None, None),
        ("+25bp", "ignored", None, None),
        ("Rendite (G/B)", "level", "both", "yield_pct"),
        ("Dealer Program", "issuer", None, None),
        ("# bids", "ignored", None, None),
        ("Number of bids", "ignored", "bid", None),
        ("Gross Yield Bid", "level", "bid", "yield_pct"),
        ("We Receive", "level", "ask", None),
    ],
)
def test_a_heading_gives_a_column_its_role(text: str, role: str, side: str | None, measure: str | None) -> None:
    found = column(0, (text,))
    assert (found.role, found.side, found.measure) == (role, side, measure)


def test_a_spread_over_a_named_curve_is_a_spread_over_a_benchmark() -> None:
    found = column(0, ("Sprd (T+)", "Bid"))
    assert (found.measure, found.benchmark, found.side) == ("spread_bench_bp", "UST", "bid")


def test_the_title_of_a_column_of_options_is_the_pair_alone() -> None:
    found = column(0, ("USDBRL ATM",))
    assert (found.title, found.option_struct) == ("USDBRL", "atm")


def test_unknown_words_above_a_known_heading_are_its_title() -> None:
    found = column(0, ("UKRPI (GBP)", "Bid"))
    assert (found.title, found.currency, found.clear) == ("UKRPI", "GBP", True)


def test_unknown_words_in_the_heading_itself_make_it_unclear() -> None:
    assert not column(0, ("Bid Frobnication",)).clear


def test_the_unit_of_a_size_is_its_multiplier() -> None:
    assert column(0, ("Volumen (Mio. €)",)).unit == Fraction(1_000_000)


def test_last_is_a_trade_and_close_is_a_mark() -> None:
    assert column(0, ("Last",)).kind is QuoteKind.trade
    assert column(0, ("Close",)).kind is QuoteKind.mark


def test_both_letters_are_both_sides() -> None:
    assert column(0, ("B Yld/A Yld",)).side == "both"


def test_a_percent_sign_may_stick_to_its_word() -> None:
    assert (column(0, ("Cpn%",)).role, column(0, ("Bid Yld%",)).measure) == ("coupon", "yield_pct")


def test_a_pair_of_currencies_is_what_its_column_quotes() -> None:
    found = column(0, ("EUR/USD 25RR",))
    assert (found.title, found.option_struct, found.currency) == ("EUR/USD", "rr25", None)
    assert column(0, ("EUR/USD ATM", "Bid")).clear


def test_an_index_in_brackets_only_says_over_what() -> None:
    swapped = column(0, ("ASW (SONIA)",))
    assert (swapped.measure, swapped.clear) == ("spread_asw_bp", True)


def test_talk_has_no_side_whoever_it_is_for() -> None:
    talk = column(0, ("Offer Talk",))
    assert (talk.kind, talk.side) == ("talk", None)


def test_a_spread_says_over_whose_bonds_it_is() -> None:
    over = column(0, ("Spd vs T (b/o)",))
    assert (over.measure, over.benchmark, over.side, over.clear) == ("spread_bench_bp", "UST", "both", True)


def test_payer_and_receiver_of_swaps_are_bid_and_ask_in_other_languages() -> None:
    assert [column(0, (text,)).side for text in ("Payeur", "Receveur", "Paga", "Riceve")] == [
        "bid",
        "ask",
        "bid",
        "ask",
    ]


def test_headings_of_offers_in_other_languages_are_understood_whole() -> None:
    offer, spread, worst = (column(0, (text,)) for text in ("Precio of.", "T-spread bid", "Rdt pire"))
    assert (offer.side, offer.measure, offer.role) == ("ask", "price", "level")
    assert (spread.side, spread.measure, spread.benchmark) == ("bid", "spread_bench_bp", "UST")
    assert (worst.measure, worst.clear) == ("yield_pct", True)


def test_clean_prices_are_prices_and_short_coupons_are_coupons() -> None:
    clean = column(0, ("Precio limpio compra",))
    assert (clean.role, clean.side, clean.measure, clean.clear) == ("level", "bid", "price", True)
    assert column(0, ("Ced. %",)).role == "coupon"


def test_a_number_that_nobody_knows_names_no_curve() -> None:
    assert [column(0, (text,)).title for text in ("Upf (500)", "Bid (c)", "USDBRL Bid")] == [None, None, "USDBRL"]


def test_a_last_close_is_a_mark() -> None:
    assert [column(0, (text,)).kind for text in ("Last", "Últ. cierre")] == [QuoteKind.trade, QuoteKind.mark]


def test_an_identifier_under_a_word_for_all_that_names_a_bond_stays_one() -> None:
    stacked = [("Anleihe", "ISIN"), ("Anleihe", "Name"), ("Security", "CUSIP"), ("Benchmark", "ISIN")]
    assert [column(0, parts).role for parts in stacked] == ["isin", "description", "cusip", "benchmark"]


def test_the_wings_of_a_surface_are_no_tenors() -> None:
    assert (column(1, ("25D Put",)).role, column(1, ("10 delta call",)).role) == ("ignored", "ignored")


def test_stk_in_brackets_counts_pieces_and_is_no_stock() -> None:
    assert column(1, ("Volumen Geld (Stk)",)).counted == "shares"


def test_the_index_that_a_spread_is_over_is_no_tenor_of_its_own() -> None:
    assert (column(1, ("ASW vs 6m",)).measure, column(1, ("ASW vs 6m",)).tenor) == ("spread_asw_bp", None)


@pytest.mark.parametrize("text", ["T+", "Bid T", "Ask T", "Spread UST", "Sprd T"])
def test_a_lone_t_is_the_curve_of_a_spread(text: str) -> None:
    assert (column(1, (text,)).measure, column(1, (text,)).benchmark) == ("spread_bench_bp", "UST")


@pytest.mark.parametrize(
    ("text", "side", "measure"),
    [
        ("Clean B", "bid", "price"),
        ("Spread ü. MS (G/B)", "both", "spread_asw_bp"),
        ("10Y vs DBR", None, "spread_bench_bp"),
    ],
)
def test_what_a_level_is_over_or_clean_of_says_what_it_is(text: str, side: str | None, measure: str) -> None:
    assert (column(1, (text,)).side, column(1, (text,)).measure) == (side, measure)


@pytest.mark.parametrize(
    ("text", "role", "measure"),
    [
        ("Bid sprd (G)", "level", "spread_g_bp"),
        ("B/E vs nominal", "level", "breakeven_pct"),
        ("Sobretasa compra", "level", "spread"),
        ("Tasa ref", "ignored", None),
        ("Price Type", "axe", None),
    ],
)
def test_headings_of_few_desks_are_known_too(text: str, role: str, measure: str | None) -> None:
    assert (column(1, (text,)).role, column(1, (text,)).measure) == (role, measure)


@pytest.mark.parametrize(
    ("text", "side", "measure", "benchmark"),
    [
        ("Pta. compra", "bid", None, None),
        ("Spread s/T", None, "spread_bench_bp", "UST"),
        ("Spread c/ Bund", None, "spread_bench_bp", "DBR"),
        ("Marge z. Swap", None, "spread_asw_bp", None),
    ],
)
def test_abbreviated_words_of_a_side_or_a_curve_are_known(
    text: str, side: str | None, measure: str | None, benchmark: str | None
) -> None:
    found = column(1, (text,))
    assert (found.side, found.measure, found.benchmark, found.clear) == (side, measure, benchmark, True)


@pytest.mark.parametrize("text", ["6m Euribor", "3M STIBOR", "3m BBSW"])
def test_the_tenor_of_a_fixing_is_none_of_the_rows(text: str) -> None:
    assert (column(1, (text,)).role, column(1, (text,)).tenor) == ("level", None)


def test_what_is_current_in_millions_is_a_size() -> None:
    assert [column(0, (text,)).role for text in ("Current (mm)", "Curr (mm)", "Orig (mm)")] == [
        "size",
        "size",
        "orig_face",
    ]


@pytest.mark.parametrize("parts", [("Bid", "(SONIA)"), ("Bid", "vs 3m"), ("USD", "/EUR Bid"), ("EUR/", "USD")])
def test_an_index_or_a_pair_across_two_cells_is_heard_as_in_one(parts: tuple[str, ...]) -> None:
    assert column(0, parts).side == column(0, (" ".join(parts),)).side


@pytest.mark.parametrize(
    ("text", "role", "unit"),
    [
        ("Volume", IGNORED, None),
        ("Volume (US$ mil)", SIZE, 1000),
        ("Volume (M)", SIZE, None),
        ("Volume venda", SIZE, None),
    ],
)
def test_a_volume_is_a_size_where_its_money_or_side_is_said(text: str, role: str, unit: int | None) -> None:
    found = column(0, (text,))
    assert (found.role, found.unit) == (role, unit)


@pytest.mark.parametrize("text", ["Bid % (without ACI)", "Ask (ohne ACI)", "Offer [excl. XYZ]"])
def test_words_in_brackets_that_nobody_knows_leave_a_known_heading_clear(text: str) -> None:
    found = column(0, (text,))
    assert (found.role, found.clear, found.title) == ("level", True, None)
    assert not column(0, (text.replace("(", "").replace("[", ""),)).clear
