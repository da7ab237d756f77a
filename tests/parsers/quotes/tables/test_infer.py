from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.tables.grids.infer import inferred

ROWS = """
XS2621001002 | BNP 7.375 PERP | 106.25 | 106.75 | 5 | 5
XS2622002009 | SANTAN 7 PERP | 104.00 | 104.50 | 2 | 3
XS2623003006 | INTESA 9.125 PERP | 112.75 | 113.375 | 1 | 1
"""


def roles(grid: Grid) -> list[tuple[int, str, str | None]] | None:
    found = inferred(grid.rows, 0, len(grid.rows[0].cells))
    return [(column.at, column.role, column.side) for column in found] if found is not None else None


def test_identifiers_names_a_market_and_sizes_are_told_by_their_contents(grid: Callable[..., Grid]) -> None:
    assert roles(grid(ROWS)) == [
        (0, "isin", None),
        (1, "description", None),
        (2, "level", "bid"),
        (3, "level", "ask"),
        (4, "size", "bid"),
        (5, "size", "ask"),
    ]


def test_one_column_of_pairs_is_enough(grid: Callable[..., Grid]) -> None:
    found = roles(grid("F 5.8 27 | x | 98.25/98.75\nGM 6 28 | x | 101/101.5\nCHTR 5 28 | x | 97/97.5"))
    assert found is not None
    assert (2, "level", None) in found


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("A co | 45.21 | 45.21\nB co | 30.18 | 30.18\nC co | 99.06 | 99.06", id="a column and its copy"),
        pytest.param("Gambia | CLI | 1/1\nGambia mobile | CLI | 1/1\nGhana | CLI | 1/1", id="steps of a second"),
        pytest.param("May | 30,000 | 30,515\nJune | 30,000 | 34,328\nJuly | 30,000 | 33,000", id="thousands"),
        pytest.param("LOT | a | 52.16,20.98\nLOT | b | 52.17,20.95\nLOT | c | 52.18,20.91", id="places on a map"),
    ],
)
def test_pairs_that_are_alike_or_far_apart_in_all_rows_are_no_markets(table: str, grid: Callable[..., Grid]) -> None:
    assert roles(grid(table)) is None


def test_two_columns_are_enough_where_one_names_bonds_and_the_other_has_pairs(grid: Callable[..., Grid]) -> None:
    bonds = "CCL 5.75 27 | 98.75 - 99.25\nNCLH 5.875 27 | 97.5 - 98\nRCL 5.5 28 | 99 - 99.5"
    assert roles(grid(bonds)) == [(0, "description", None), (1, "level", None)]
    assert roles(grid("Row A | 98.75 - 99.25\nRow B | 97.5 - 98\nRow C | 99 - 99.5")) is None


def test_prices_of_two_days_are_no_market_that_falls(grid: Callable[..., Grid]) -> None:
    assert (
        roles(grid("F 5.8 27 | x | 98.50 | 97.25\nGM 6 28 | x | 101.75 | 100.50\nCHTR 5 28 | x | 99.20 | 98.10"))
        is None
    )


def test_names_and_pairs_without_headings_are_markets_where_something_says_so(read: Callable[..., list[Quote]]) -> None:
    table = "Soup | 4.50/5.00 | daily\nPasta | 8.50/9.00 | daily\nSalad | 6.00/6.50 | daily"
    assert not read(table)
    assert len(read(table, subject="Swap rates")) == len(ROWS.split("\n")) - 2


def test_two_rows_are_too_few(grid: Callable[..., Grid]) -> None:
    assert roles(grid("\n".join(ROWS.strip().splitlines()[:2]))) is None


def test_a_lone_number_may_be_anything(grid: Callable[..., Grid]) -> None:
    assert roles(grid("ACME | AAA | 98.5\nBETA | AA | 97.5\nGAMMA | A | 96.5")) is None


def test_two_markets_side_by_side_are_not_told_apart(grid: Callable[..., Grid]) -> None:
    assert roles(grid("ACME | 98 | 99 | 97 | 98\nBETA | 97 | 98 | 96 | 97\nGAMMA | 96 | 97 | 95 | 96")) is None


def test_columns_that_agree_too_little_are_nothing(grid: Callable[..., Grid]) -> None:
    table = "A co | 98 | 99\nB co | 97 | 96\nC co | 3 | 97\nD co | 95 | 96\nE co | 9 | 1"
    assert roles(grid(table)) is None


def test_months_of_maturity_are_no_pairs(grid: Callable[..., Grid]) -> None:
    rows = """
    XS2621001002 | BNP | 5.875 | 08/43 | 85.69 | 86.185
    XS2622002009 | SANTAN | 3.5 | 01/35 | 102.05 | 102.335
    XS2623003006 | INTESA | 4 | 11/31 | 111.24 | 112.03
    """
    found = roles(grid(rows)) or []
    assert [place for place in found if place[1] in {"maturity", "level"}] == [
        (3, "maturity", None),
        (4, "level", "bid"),
        (5, "level", "ask"),
    ]


def test_a_column_whose_heading_says_what_it_is_holds_no_sizes(read: Callable[..., list[Quote]]) -> None:
    rows = "FORD 5.8 03/27 | 101.2 | 101.6 | 3\nGM 4.9 10/29 | 99.1 | 99.5 | 1\nF 6.1 08/32 | 100.1 | 100.6 | 2"
    assert {quote.bid_size for quote in read(f"Paper | Indic A | Indic B | Chg\n{rows}")} == {None}
