from __future__ import annotations

from collections.abc import Callable

from parsers.document import Cell, Grid, Row
from parsers.quotes.tables.grids.headers import best_header


def texts(header: object) -> list[str]:
    return [column.text for column in header.columns]  # type: ignore[attr-defined]


def test_headings_over_groups_combine_with_those_below(grid: Callable[..., Grid]) -> None:
    rows = grid("ISIN | Bid | | | Ask | |\n | Px | Sprd | Size | Px | Sprd | Size").rows
    found = best_header(rows)
    assert found is not None
    assert texts(found) == ["ISIN", "Bid Px", "Bid Sprd", "Bid Size", "Ask Px", "Ask Sprd", "Ask Size"]


def test_a_heading_centred_over_its_group_belongs_to_the_whole_group(grid: Callable[..., Grid]) -> None:
    rows = grid("ISIN | | Price | | Sprd\n | Bid | Ask | Bid | Ask").rows
    found = best_header(rows)
    assert found is not None
    assert texts(found) == ["ISIN", "Price Bid", "Price Ask", "Sprd Bid", "Sprd Ask"]


def test_a_merged_heading_belongs_to_every_column_it_spans() -> None:
    upper = Row(1, (Cell("ISIN", column=1), Cell("Price", column=2, col_span=2), Cell(column=3, origin=(1, 2))))
    lower = Row(2, (Cell(column=1, origin=(1, 1)), Cell("Bid", column=2), Cell("Ask", column=3)))
    found = best_header((upper, lower))
    assert found is not None
    assert texts(found) == ["ISIN", "Price Bid", "Price Ask"]


def test_what_stands_over_a_bid_stands_over_its_ask(grid: Callable[..., Grid]) -> None:
    found = best_header(grid("Bond | Yield | Spread | |Chg\n | B / A | Bid | Ask |").rows)
    assert found is not None
    assert texts(found) == ["Bond", "Yield B / A", "Spread Bid", "Spread Ask", "Chg"]
