from __future__ import annotations

from time import process_time

import pytest
from lxml import etree
from lxml.etree import _Element

from parsers.documents.html.style import Styles
from parsers.documents.html.tables import Tables

PRICES = "<table id=prices><tr><td>A<td>98</tr><tr><td>B<td>97</tr></table>"


def page(markup: str) -> tuple[_Element, Tables]:
    root = etree.fromstring(f"<html><body>{markup}</body></html>", etree.HTMLParser(huge_tree=True))
    return root, Tables(root, Styles([]))


def data_tables(markup: str) -> list[str | None]:
    root, tables = page(markup)
    return [table.get("id") for table in root.iter("table") if tables.rows(table) is not None]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        pytest.param(PRICES, ["prices"], id="alone"),
        pytest.param("<table id=a><tr><td>x</tr><tr><td>y</tr></table>", [], id="one column"),
        pytest.param(f"<table id=a><tr><td>x<td>y</tr><tr><td>{PRICES}</tr></table>", ["prices"], id="arranged"),
        pytest.param(
            f"<table id=a><tr><td>logo<td></tr>{'<tr><td><td></tr>' * 9}<tr><td>{PRICES}</tr></table>",
            ["prices"],
            id="arranged with much space",
        ),
        pytest.param(
            f"<table id=a>{'<tr><td>A<td>98</tr>' * 3}<tr><td>{PRICES}<td>x</tr></table>", ["a", "prices"], id="both"
        ),
    ],
)
def test_a_table_holds_data_where_its_own_cells_are_most(markup: str, found: list[str]) -> None:
    assert data_tables(markup) == found


def test_rows_are_its_own_and_those_that_can_be_seen() -> None:
    root, tables = page(
        "<table><caption>x</caption><tr><td>1<td>2</tr><tbody hidden><tr><td>3<td>4</tr></tbody>"
        "<tbody><form><tr><td>5<td>6<table><tr><td>7</tr></table></tr></form></tbody></table>"
    )
    table = next(root.iter("table"))
    rows = tables.rows(table)
    assert rows is not None
    assert [row[0].text for row in rows] == ["1", "5"]
    assert not tables.has_inner(table)


def test_blank_cells_around_a_table_deep_inside_are_looked_at_once() -> None:
    around = 150
    blanks = "<p> </p>" * 10_000
    markup = "<table><tr><td> <td>" * around + blanks + PRICES + "</table>" * around
    began = process_time()
    assert data_tables(markup) == ["prices"]
    assert process_time() - began < 3
