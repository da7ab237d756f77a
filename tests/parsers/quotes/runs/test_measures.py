from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import QuoteType
from parsers.quotes.answers.measuring import Measured
from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.levels.case import Case
from parsers.quotes.runs.levels.measures import measure
from parsers.quotes.runs.marked.reading import Mark


def judged(level: str, asset_class: str, *, name: str = "XYZ 5 03/34", hint: str | None = None, label: str | None = None,
           heading: QuoteType | None = None) -> Measured | None:  # fmt: skip
    (token,) = tokens(level, [])
    return measure(Case(Mark(token, label=label), name, Ground(asset_class, measure=heading), hint))


@pytest.mark.parametrize(
    ("level", "asset_class", "expected"),
    [
        ("85/80", "corp_ig", QuoteType.spread_bench_bp),
        ("98.25/98.75", "corp_ig", QuoteType.price_pct),
        ("98.25/75", "corp_ig", QuoteType.price_pct),
        ("4.45/4.40", "corp_ig", QuoteType.yield_pct),
        ("3.45/3.40", "us_muni", QuoteType.yield_pct),
        ("102.5/103", "us_muni", QuoteType.price_pct),
        ("62/60", "provincial_canada", QuoteType.spread_bench_bp),
        ("3.385/3.379", "provincial_canada", QuoteType.yield_pct),
        ("99.5/100", "clo", QuoteType.price_pct),
        ("345/330", "clo", QuoteType.dm_bp),
        ("62/58dm", "frn", QuoteType.dm_bp),
        ("2.5/3.5", "distressed_debt", QuoteType.price_pct),
        ("7.25/7.55 v", "fx_option", QuoteType.vol_pct),
        ("95/97 nvol", "swaption", QuoteType.vol_normal_bp),
        ("88/91 bp run", "cds_tranche", QuoteType.cds_spread_bp),
        ("+120/115", "corp_hy", QuoteType.spread_bench_bp),
        ("-2.4/-1.6", "irs", QuoteType.rate_pct),
    ],
)
def test_a_bare_level_is_what_its_class_and_its_values_say(level: str, asset_class: str, expected: QuoteType) -> None:
    found = judged(level, asset_class)
    assert found is not None
    assert found.quote_type is expected


def test_a_label_goes_before_the_header_and_the_header_before_the_class() -> None:
    labelled = judged("6.4/6.2", "corp_hy", label="yield_pct", hint="price")
    headed = judged("85/80", "corp_hy", hint="spread_z_bp")
    assert labelled is not None
    assert headed is not None
    assert (labelled.quote_type, headed.quote_type) == (QuoteType.yield_pct, QuoteType.spread_z_bp)


def test_a_name_says_what_it_is_quoted_in() -> None:
    found = judged("-2.4/-1.6", "irs", name="EUR 10y swap spread")
    index = judged("107.25/107.5", "cds_index", name="CDX HY 43")
    assert found is not None
    assert index is not None
    assert (found.quote_type, index.quote_type) == (QuoteType.swap_spread_bp, QuoteType.price_pct)


def test_one_side_beside_a_benchmark_bond_is_a_spread_unless_near_par() -> None:
    for level, expected in (("49.5/--", QuoteType.spread_bench_bp), ("98.5/--", QuoteType.price_pct)):
        (token,) = tokens(level, [])
        found = measure(Case(Mark(token), "ONT 4 06/34", Ground("provincial_canada"), has_bond=True))
        assert found == Measured(expected)


def test_a_bill_named_by_its_date_is_on_discount() -> None:
    for name in ("B 07/01/27", "B 0 07/01/27", "US T-bill 07/01/27"):
        assert judged("3.235/3.215", "govt_us", name=name) == Measured(QuoteType.discount_rate_pct)


def test_a_headings_yield_is_not_believed_of_prices() -> None:
    found = judged("98/99", "corp_hy", heading=QuoteType.yield_pct)
    assert found is not None
    assert found.quote_type is QuoteType.price_pct


def test_the_yield_of_a_linker_is_a_real_one() -> None:
    found = judged("1.92/1.90 yld", "inflation_linked")
    assert found is not None
    assert found.quote_type is QuoteType.real_yield_pct


def test_what_nothing_tells_is_assumed_and_flagged() -> None:
    found = judged("+120/115", "unknown")
    assert found == Measured(QuoteType.spread_unspecified_bp, assumed=True)


def test_a_level_that_fits_no_reading_of_its_class_is_none() -> None:
    assert judged("5512-88", "us_muni") is None


def case(text: str, asset_class: str, *, name: str = "X", behind: bool = False, bond: bool = False) -> Case:
    mark = Mark(Token(LEVEL, 0, len(text), text))
    return Case(mark, name, Ground(asset_class), price=Fraction(100) if behind else None, has_bond=bond)


@pytest.mark.parametrize(
    ("level", "asset_class", "expected"),
    [
        ("85/80", "corp_ig", "spread_bench_bp"),
        ("98.25/98.75", "corp_ig", "price_pct"),
        ("par", "agency_ssa", "price_pct"),
    ],
)
def test_the_first_reading_of_a_class_that_fits_holds(level: str, asset_class: str, expected: str) -> None:
    found = measure(case(level, asset_class))
    assert found is not None
    assert found.quote_type == expected


def test_what_stands_beside_a_level_may_say_what_it_is() -> None:
    spread = measure(case("49,0/--", "provincial_canada", bond=True))
    yields = measure(case("7.95/7.90", "corp_hy", behind=True))
    points = measure(case("212/218", "fx_forward", name="USDBRL 1M"))
    assert [found.quote_type for found in (spread, yields, points) if found is not None] == [
        QuoteType.spread_bench_bp,
        QuoteType.yield_pct,
        QuoteType.fwd_points,
    ]


@pytest.mark.parametrize("level", ["98 1/4 - 1/2", "98 1/4-3/4", "99.1/.3", "98½-¾", "98-1/4"])
def test_a_price_in_shorthand_is_no_spread_that_falls_to_an_ask_nobody_printed(level: str) -> None:
    found = measure(case(level, "corp_ig"))
    assert found is not None
    assert found.quote_type is QuoteType.price_pct


def test_a_price_in_32nds_is_no_spread_but_the_shorthand_of_one_is() -> None:
    assert measure(case("98-16", "corp_ig")) is None
    found = measure(case("120-15", "corp_ig"))
    assert found is not None
    assert found.quote_type is QuoteType.spread_bench_bp


@pytest.mark.parametrize(
    ("level", "expected"),
    [("101.50/100.75", "price_pct"), ("101/98", "spread_unspecified_bp"), ("320.5/310.5", "spread_unspecified_bp")],
)
def test_decimals_near_par_the_wrong_way_round_are_a_crossed_price_where_no_class_is_known(
    level: str, expected: str
) -> None:
    found = measure(case(level, "unknown"))
    assert found is not None
    assert found.quote_type == expected
