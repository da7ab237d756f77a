from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import QuoteType
from parsers.quotes.answers.measuring import (
    Measured,
    Sample,
    if_fitting,
    in_class,
    of_class,
    of_sign,
    price_of,
    spread_of,
    titled,
)
from parsers.quotes.classes import rules_of


def sample(*values: str, low: int = 0, high: int = 0) -> Sample:
    return Sample([Fraction(value) for value in values], low, high)


def settled(
    word: str | None, asset_class: str, given: Sample, *, title: str | None = None, by_unit: bool = False
) -> Measured | None:
    rules = rules_of(asset_class)
    if word is not None:
        return in_class(word, rules, by_unit=by_unit)
    found = if_fitting(titled(title, rules, None, is_list=False), rules, lambda _: given)
    return found or of_class(rules, lambda _: given, by_unit=by_unit)


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
    yields = settled(None, "govt_us", sample("3.79", "3.76"), title="discount_rate_pct")
    prices = settled(None, "govt_us", sample("99.5", "98.5", low=2), title="discount_rate_pct")
    assert yields is not None
    assert prices is not None
    assert yields.quote_type is QuoteType.discount_rate_pct
    assert prices.quote_type is QuoteType.price_pct


def test_prices_of_pieces_are_per_piece() -> None:
    found = settled(None, "structured_note", sample("198.45", low=1), by_unit=True)
    assert found is not None
    assert found.quote_type is QuoteType.price_unit


def test_a_title_of_cross_currency_basis_says_what_bare_levels_are() -> None:
    given = sample("-14.5", "-12.5", "1", "3", low=2)
    assert settled(None, "irs", given, title="basis_bp") == Measured(QuoteType.basis_bp)


def test_the_premium_of_options_on_swaps_is_in_basis_points() -> None:
    given = sample("28", "110", "195")
    assert settled(None, "swaption", given, title="premium_pct") == Measured(QuoteType.premium_bp)


def test_a_swap_spread_of_a_bond_is_its_asset_swap() -> None:
    found = settled("swap_spread_bp", "covered_bond", sample())
    assert found == Measured(QuoteType.spread_asw_bp)


def test_each_class_has_its_price_and_its_spread() -> None:
    prices = [price_of(rules_of(name).types) for name in ("preferred", "corp_ig", "private_equity_secondary")]
    assert prices == [QuoteType.price_unit, QuoteType.price_pct, QuoteType.pct_nav]
    assert spread_of(rules_of("clo")) == Measured(QuoteType.dm_bp)
    assert spread_of(rules_of("repo")) == Measured(QuoteType.spread_unspecified_bp, assumed=True)


@pytest.mark.parametrize(
    ("asset_class", "given", "expected"),
    [
        ("corp_ig", sample("120"), Measured(QuoteType.spread_bench_bp, assumed=True)),
        ("corp_ig", sample("145"), Measured(QuoteType.spread_bench_bp)),
        ("corp_ig", sample("97.5"), Measured(QuoteType.price_pct)),
        ("financial_sub", sample("102.5"), Measured(QuoteType.price_pct)),
        ("unknown", sample("101.50", "100.75", high=1), Measured(QuoteType.price_pct, assumed=True)),
        ("unknown", sample("101", "98", high=1), Measured(QuoteType.spread_unspecified_bp, assumed=True)),
    ],
)
def test_what_is_near_par_is_a_price_with_decimals_and_else_a_spread_that_is_assumed(
    asset_class: str, given: Sample, expected: Measured
) -> None:
    assert settled(None, asset_class, given) == expected


@pytest.mark.parametrize(
    ("title", "asset_class", "given", "is_that"),
    [
        ("yield_pct", "em_hard_ccy", sample("5.1", "5.2", low=1), True),
        ("yield_pct", "em_hard_ccy", sample("20.1", "20.2", low=1), False),
        ("spread_asw_bp", "corp_ig", sample("107.9"), False),
        ("fx_rate", "fx_forward", sample("-18.4", "-17.9", low=1), False),
        ("payup_32", "tba_mbs", sample("98", "99", low=1), False),
        ("price_pct", "cds_index", sample("322", "326", low=1), False),
    ],
)
def test_what_a_title_or_a_name_says_holds_where_the_values_can_be_that(
    title: str, asset_class: str, given: Sample, is_that: bool
) -> None:
    found = if_fitting(QuoteType(title), rules_of(asset_class), lambda _: given)
    assert (found is not None) is is_that


@pytest.mark.parametrize(
    ("asset_class", "title", "currency", "expected"),
    [
        ("corp_ig", None, "USD", Measured(QuoteType.spread_bench_bp)),
        ("corp_ig", None, "EUR", Measured(QuoteType.spread_unspecified_bp, assumed=True)),
        ("corp_ig", "spread_z_bp", "EUR", Measured(QuoteType.spread_z_bp)),
        ("us_muni", None, None, Measured(QuoteType.spread_mmd_bp)),
        ("govt_latam_local", None, None, None),
    ],
)
def test_a_bare_plus_is_a_spread_where_signs_are_not_the_numbers(
    asset_class: str, title: str | None, currency: str | None, expected: Measured | None
) -> None:
    assert of_sign(rules_of(asset_class), title, currency) == expected


@pytest.mark.parametrize(("value", "quote_type"), [("49", QuoteType.spread_bench_bp), ("98.5", QuoteType.price_pct)])
def test_beside_the_bonds_that_they_are_over_levels_of_one_side_are_spreads_but_near_par(
    value: str, quote_type: QuoteType
) -> None:
    given = Sample([Fraction(value)], is_over_bond=True)
    found = of_class(rules_of("provincial_canada"), lambda _: given)
    assert found is not None
    assert found.quote_type is quote_type
