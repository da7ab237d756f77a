from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.tables.headers import best_header


@pytest.mark.parametrize(
    ("table", "role"),
    [
        (
            "ISIN | Mortgage paper | Bid | Ask\nXS2621001002 | AAA 3 2030 | 98 | 99\nXS2622002009 | BBB 4 31 | 97 | 98",
            "description",
        ),
        ("ISIN | Whatever | Bid | Ask\nXS2621001002 | axe | 98 | 99\nXS2622002009 | axe | 97 | 98", "unknown"),
    ],
)
def test_names_beside_identifiers_need_no_known_heading(grid: Callable[..., Grid], table: str, role: str) -> None:
    found = best_header(grid(table).rows, 0)
    assert found is not None
    assert found.columns[1].role == role
