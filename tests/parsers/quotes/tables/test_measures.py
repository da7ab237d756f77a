from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import QuoteType
from parsers.quotes.classes import rules_of
from parsers.quotes.tables.measures import Sample, Settled, settle


def sample(*values: str, low: int = 0, high: int = 0) -> Sample:
    return Sample([Fraction(value) for value in values], low, high)


def settled(
    measure: str | None, asset_class: str, given: Sample, *, hint: str | None = None, by_unit: bool = False
) -> Settled | None:
    return settle(measure, rules_of(asset_class), given, hint=hint, by_unit=by_unit)


@pytest.mark.parametrize(
    ("measure", "asset_class", "quote_type"),
    [
        ("price", "corp_hy", QuoteType.price_pct),
        ("price", "preferred", QuoteType.price_unit),
        ("price", "convertible", QuoteType.price_vs_ref),
        ("price", "private_equity_secondary", QuoteType.pct_nav),
        ("spread", "corp_ig", QuoteType.spread_bench_bp),
        ("spread", "covered_bond", QuoteType.spread_asw_bp),
        ("spread", "cmbs", QuoteType.spread_swap_bp),
        ("spread", "clo", QuoteType.dm_bp),
        ("rate", "cd", QuoteType.rate_pct),
        ("rate", "repo", QuoteType.repo_rate_pct),
        ("rate", "commercial_paper", QuoteType.discount_rate_pct),
        ("rate", "inflation_linked", QuoteType.real_yield_pct),
        ("vol", "swaption", QuoteType.vol_normal_bp),
        ("vol", "fx_option", QuoteType.vol_pct),
        ("yield_pct", "inflation_linked", QuoteType.real_yield_pct),
        ("spread_z_bp", "corp_hy", QuoteType.spread_z_bp),
    ],
)
def test_a_word_means_what_its_class_is_quoted_in(measure: str, asset_class: str, quote_type: QuoteType) -> None:
    found = settled(measure, asset_class, sample("100"))
    assert found is not None
    assert found.quote_type is quote_type


def test_a_word_too_common_means_nothing_outside_its_class() -> None:
    assert settled("fx_rate", "corp_hy", sample("100")) is None


@pytest.mark.parametrize(
    ("asset_class", "given", "quote_type"),
    [
        ("corp_ig", sample("7.35", "7.31", high=1), QuoteType.yield_pct),
        ("corp_ig", sample("7.5", "7.25", high=1), QuoteType.spread_bench_bp),
        ("corp_ig", sample("99.1", "98.25", low=2), QuoteType.price_pct),
        ("corp_ig", sample("85", "120", high=2), QuoteType.spread_bench_bp),
        ("govt_latam_local", sample("9.32", "8.62", high=2), QuoteType.yield_pct),
        ("govt_canada", sample("100.12", "99.5", low=2), QuoteType.price_pct),
        ("us_muni", sample("3.45", "3.4", high=1), QuoteType.yield_pct),
        ("distressed_debt", sample("3", "7.25", low=2), QuoteType.price_pct),
        ("clo", sample("99.8", "100.1", low=2), QuoteType.price_pct),
        ("clo", sample("135", "150", high=2), QuoteType.dm_bp),
        ("cds_single", sample("182", "92", low=2), QuoteType.cds_spread_bp),
    ],
)
def test_a_bare_side_is_what_its_values_look_like_in_its_class(
    asset_class: str, given: Sample, quote_type: QuoteType
) -> None:
    found = settled(None, asset_class, given)
    assert found is not None
    assert found.quote_type is quote_type


def test_a_title_decides_only_what_the_values_can_be() -> None:
    yields = settled(None, "govt_us", sample("3.79", "3.76"), hint="discount_rate_pct")
    prices = settled(None, "govt_us", sample("99.5", "98.5", low=2), hint="discount_rate_pct")
    assert yields is not None
    assert prices is not None
    assert yields.quote_type is QuoteType.discount_rate_pct
    assert prices.quote_type is QuoteType.price_pct


def test_prices_of_pieces_are_per_piece() -> None:
    found = settled(None, "structured_note", sample("198.45", low=1), by_unit=True)
    assert found is not None
    assert found.quote_type is QuoteType.price_unit


def test_without_values_a_bare_side_is_nothing() -> None:
    assert settled(None, "corp_hy", sample()) is None


def test_a_title_of_cross_currency_basis_says_what_bare_levels_are() -> None:
    given = sample("-14.5", "-12.5", "1", "3", low=2)
    assert settled(None, "irs", given, hint="basis_bp") == Settled(QuoteType.basis_bp)


def test_the_premium_of_options_on_swaps_is_in_basis_points() -> None:
    given = sample("28", "110", "195")
    assert settled(None, "swaption", given, hint="premium_pct") == Settled(QuoteType.premium_bp)


def test_a_title_of_swap_spreads_makes_none_of_rates(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    found = levels(
        "Tenor | Swap Bid | Swap Ask | SS Bid | SS Ask\n2Y | 3.412 | 3.417 | -20.1 | -19.5\n5Y | 3.442 | 3.447 | -28.4 | -27",
        "USD swap spreads & rates",
    )
    assert [level[1] for level in found] == ["rate_pct", "swap_spread_bp"] * 2


def test_of_no_known_class_bids_above_all_asks_are_no_prices(
    levels: Callable[..., list[tuple[str | None, ...]]],
) -> None:
    rows = "Issuer | Bid | Ask\nJPM 5 34 | 92 | 89\nBAC 5 33 | 95 | 92\nC 5 32 | 104 | 100"
    assert [level[1] for level in levels(rows)] == ["spread_unspecified_bp"] * 3
    assert [level[1] for level in levels(rows, "HY")] == ["price_pct"] * 3


def test_a_title_of_payups_says_what_bare_ticks_are(levels: Callable[..., list[tuple[str | None, ...]]]) -> None:
    rows = "Cpn | LLB Bid | LLB Ask\nFN 5.0 | 28 | 31\nFN 5.5 | 22 | 25"
    assert [level[1] for level in levels(rows, "Specified pools run (payups in ticks)")] == ["payup_32"] * 2


def test_a_swap_spread_of_a_bond_is_its_asset_swap() -> None:
    found = settled("swap_spread_bp", "covered_bond", sample())
    assert found == Settled(QuoteType.spread_asw_bp)
