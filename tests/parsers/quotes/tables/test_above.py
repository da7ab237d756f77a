from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid, Line
from parsers.documents.text import text_lines
from parsers.quotes.tables.around.above import lines_above


def test_a_table_right_below_another_is_of_the_same_section(grid: Callable[..., Grid]) -> None:
    table = grid("ISIN | Bid\nXS2621001002 | 98")
    blocks: list[Line | Grid] = [Line(1, "Bills", 0), table, Line(2, "European HY", 9), table]
    assert list(lines_above(blocks)) == ["European HY"]
    blocks = [Line(1, "Bills", 0), table, Line(2, "European HY", 9), Line(3, "Bids", 30), table, Line(4, "Offers", 40)]
    assert list(lines_above(blocks)) == ["European HY", "Offers"]


def test_a_run_above_the_heading_of_a_table_is_not_about_it() -> None:
    run = "Good morning\nUST run, in 32nds\nT 4 11/29 100-10/100-11\nT 4.25 36 99-30/100-01\n"
    assert list(lines_above(text_lines(f"{run}Preferreds\n"))) == ["Good morning", "Preferreds"]


def test_a_heading_without_a_run_below_it_is_of_all(grid: Callable[..., Grid]) -> None:
    lines = text_lines("Rates and credit, in USD\nAgencies\n")
    assert list(lines_above([*lines, grid("ISIN | Bid\nXS2621001002 | 98")])) == [line.text for line in lines]
