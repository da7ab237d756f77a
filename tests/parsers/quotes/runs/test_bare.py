from __future__ import annotations

from fractions import Fraction

import pytest

from parsers.codes import QuoteType
from parsers.quotes.runs.bare import by_bond, by_class, by_price, by_spot
from parsers.quotes.runs.case import Case
from parsers.quotes.runs.ground import Ground
from parsers.quotes.runs.reading import Mark
from parsers.quotes.runs.token import LEVEL, Token


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
    found = by_class(case(level, asset_class))
    assert found is not None
    assert found.quote_type == expected


def test_what_stands_beside_a_level_may_say_what_it_is() -> None:
    spread = by_bond(case("49,0/--", "provincial_canada", bond=True))
    yields = by_price(case("7.95/7.90", "corp_hy", behind=True))
    points = by_spot(case("212/218", "fx_forward", name="USDBRL 1M"))
    assert [found.quote_type for found in (spread, yields, points) if found is not None] == [
        QuoteType.spread_bench_bp,
        QuoteType.yield_pct,
        QuoteType.fwd_points,
    ]


@pytest.mark.parametrize("level", ["98 1/4 - 1/2", "98 1/4-3/4", "99.1/.3", "98½-¾", "98-1/4"])
def test_a_price_in_shorthand_is_no_spread_that_falls_to_an_ask_nobody_printed(level: str) -> None:
    found = by_class(case(level, "corp_ig"))
    assert found is not None
    assert found.quote_type is QuoteType.price_pct


def test_a_price_in_32nds_is_no_spread_but_the_shorthand_of_one_is() -> None:
    assert by_class(case("98-16", "corp_ig")) is None
    found = by_class(case("120-15", "corp_ig"))
    assert found is not None
    assert found.quote_type is QuoteType.spread_bench_bp


@pytest.mark.parametrize(
    ("level", "expected"),
    [("101.50/100.75", "price_pct"), ("101/98", "spread_unspecified_bp"), ("320.5/310.5", "spread_unspecified_bp")],
)
def test_decimals_near_par_the_wrong_way_round_are_a_crossed_price_where_no_class_is_known(
    level: str, expected: str
) -> None:
    found = by_class(case(level, "unknown"))
    assert found is not None
    assert found.quote_type == expected
