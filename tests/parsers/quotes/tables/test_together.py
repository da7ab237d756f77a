from __future__ import annotations

from parsers.document import Cell, Row
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.tables.columns.together import by_money, of_curves, over_benchmarks, without_changes


def columns(*headings: str) -> list[Column]:
    return [column(at, (text,)) for at, text in enumerate(headings)]


def test_days_alone_beside_a_market_are_its_changes() -> None:
    found = without_changes(columns("Bond", "Bid", "Ask", "1d", "1w"))
    assert [one.role for one in found] == ["description", "level", "level", "ignored", "ignored"]
    curve = columns("Name", "1Y", "5Y")
    assert without_changes(curve) == curve


def test_a_curve_names_its_points_where_nothing_else_does() -> None:
    assert [one.role for one in of_curves(columns("Curve", "Tenor", "Bid"))] == ["description", "tenor", "level"]
    bonds = columns("Bond", "Curve", "Tenor", "Bid")
    assert of_curves(bonds) == bonds


def test_levels_of_several_currencies_over_tenors_are_of_their_curves() -> None:
    assert [one.title for one in by_money(columns("Tenor", "AUD Bid", "NZD Bid"))] == [None, "AUD", "NZD"]


def test_bare_bids_above_asks_beside_benchmarks_are_spreads() -> None:
    bonds = columns("Bond", "Bid", "Ask", "Bmk")

    def rows(*pairs: tuple[str, str]) -> list[Row]:
        return [Row(1, (Cell(text="F 6 34"), Cell(text=bid), Cell(text=ask), Cell(text="10Y"))) for bid, ask in pairs]

    assert [one.measure for one in over_benchmarks(bonds, rows(("198", "192"), ("48.5", "44")))][1:3] == ["spread"] * 2
    for pairs in ([("98", "99"), ("101", "100")], [("4.52", "4.50"), ("4.11", "4.09")], [("98", "97")]):
        assert over_benchmarks(bonds, rows(*pairs)) == bonds
