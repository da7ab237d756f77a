from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.runs.cutting.ground import Ground
from parsers.quotes.runs.levels.halved import halved
from parsers.quotes.runs.marked.reading import Mark
from parsers.values.numbers import Ticks


def mark(text: str, unit: str | None = None) -> Mark:
    return Mark(Token(LEVEL, 0, len(text), text, unit=unit))


@pytest.mark.parametrize(
    ("asset_class", "halves", "text", "expected"),
    [
        ("corp_ig", ("price", "spread_asw_bp"), "98.5 / 45", [("98.5", "price"), ("45", "spread_asw_bp")]),
        ("corp_ig", ("price", "spread_asw_bp"), "98.5/99", [("98.5/99", "price")]),
        ("corp_ig", ("price", "spread"), "85/80", [("85/80", "spread_bench_bp")]),
        ("cds_single", ("spread", "upfront_pts"), "182/188", [("182/188", "cds_spread_bp")]),
        ("cds_single", ("spread", "upfront_pts"), "12.5/13.5", []),
        ("corp_hy", ("price", "yield_pct"), "98.25/75", [("98.25/75", None)]),
    ],
)
def test_under_a_heading_of_two_measures_a_level_is_a_market_of_one_or_a_value_of_each(
    asset_class: str, halves: tuple[str, str], text: str, expected: list[tuple[str, str | None]]
) -> None:
    found = halved([mark(text)], Ground(asset_class, halves=halves))
    assert [(one.token.text, one.label) for one in found] == expected


def test_a_level_that_says_what_it_is_needs_no_heading() -> None:
    marks = [mark("12.5/13.5", "pts")]
    assert halved(marks, Ground("cds_single", halves=("spread", "upfront_pts"))) == marks


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["98-02/98-05", "1.93/1.92", "2.28"], ["price", "real_yield_pct", "breakeven_pct"]),
        (["1.93/1.92", "98-02/98-05", "2.28"], [None] * 3),
        (["98-02/98-05", "1.93/1.92"], [None] * 2),
    ],
)
def test_under_a_list_of_measures_each_level_is_of_the_one_in_its_place(
    texts: list[str], expected: list[str | None]
) -> None:
    ground = Ground("inflation_linked", ticks=Ticks.cash, listed=("price", "real_yield_pct", "breakeven_pct"))
    assert [one.label for one in halved([mark(text) for text in texts], ground)] == expected
