from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.grids.headers import best_header
from parsers.quotes.tables.grids.worded import worded


@pytest.mark.parametrize(
    ("table", "role"),
    [
        (
            "ISIN | Mortgage paper | Bid | Ask\nXS2621001002 | AAA 3 2030 | 98 | 99\nXS2622002009 | BBB 4 31 | 97 | 98",
            "description",
        ),
        (
            "ISIN | Frob | Bid | Ask\nXS2621001002 | Danone Senior | 98 | 99\nXS2622002009 | Orange Bank | 97 | 98",
            "description",
        ),
        ("ISIN | Whatever | Bid | Ask\nXS2621001002 | axe | 98 | 99\nXS2622002009 | axe | 97 | 98", "unknown"),
    ],
)
def test_names_beside_identifiers_need_no_known_heading(grid: Callable[..., Grid], table: str, role: str) -> None:
    found = best_header(grid(table).rows)
    assert found is not None
    assert found.columns[1].role == role


@pytest.mark.parametrize(
    ("table", "role"),
    [
        ("Case | Claim | Mkt\nFTX | Customer | 122/124\nGenesis | GGC | 95/98", "description"),
        ("Gilt repo | Bid | Offer\nO/N GC | 3.98 | 3.93\n1W GC | 3.99 | 3.94", "description"),
        ("5Y CDS | Bid | Ask\nIberdrola SA | 48 | 51\nLanxess AG | 171 | 179", "description"),
        ("Market | Last | Chg\nSPX | 5980 | 3\nVIX | 14 | 1", "unknown"),
    ],
)
def test_a_first_column_names_the_rows_by_what_stands_in_it(grid: Callable[..., Grid], table: str, role: str) -> None:
    rows = grid(table).rows
    columns = tuple(column(at, (cell.text,)) for at, cell in enumerate(rows[0].cells))
    found = worded(columns, rows[1:])
    assert {one.tenor for one in found[1:]} == {"5Y" if "5Y" in table else None}
    assert (found[0].role == "description") == (role == "description")
