from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from parsers.document import Cell
from parsers.quotes.tables.plans.units import stated_unit

Levels = Callable[..., list[tuple[str | None, ...]]]


@pytest.mark.parametrize(("text", "unit"), [("88 bp", "bp"), ("28.75pts", "pts"), ("105dm", "dm"), ("98.5", None)])
def test_the_unit_behind_a_number_is_told(text: str, unit: str | None) -> None:
    assert stated_unit(Cell(text)) == unit


def test_a_workbooks_own_number_has_no_unit() -> None:
    assert stated_unit(Cell("88 bp", value=Decimal(88))) is None


def test_points_and_basis_points_of_one_column_are_told_apart(levels: Levels) -> None:
    found = levels(
        "Index | Tranche | Bid | Ask\nIG 47 5Y | 0-3% | 28.75 pts | 29.25 pts\nIG 47 5Y | 7-15% | 88 bp | 91 bp",
        "CDX tranches",
    )
    assert [level[1:4] for level in found] == [("upfront_pts", "28.75", "29.25"), ("cds_spread_bp", "88", "91")]


def test_a_plus_before_a_number_is_of_basis_points(levels: Levels) -> None:
    found = levels("Bond | Traded\nDRIVE 2024-2 D | +141\nAMCAR 2024-1 C | 99.12\nAMCAR 2024-1 B | 98.12", "ABS")
    assert [level[1] for level in found] == ["spread_i_bp", "price_pct", "price_pct"]
