from __future__ import annotations

from parsers.quotes.headings.columns import Column, column
from parsers.quotes.tables.together import by_money, of_curves, without_changes


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
