from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.tables.grids.turned import MAX_TURNED_ROWS, upright


def test_a_table_on_its_side_is_turned_and_keeps_its_true_rows(grid: Callable[..., Grid]) -> None:
    rows = grid("""
        ISIN | XS2621001002 | XS2622002009
        Security | BNP | SANTAN
        Bid | 98 | 97
        Ask | 99 | 98""").rows
    found = upright(rows, 3)
    assert found is not None
    assert found.turned == (1, 2, 3, 4)
    assert [cell.text for cell in found.body[1].cells] == ["XS2622002009", "SANTAN", "97", "98"]


def test_a_table_that_stands_upright_is_left_so(grid: Callable[..., Grid]) -> None:
    assert upright(grid("ISIN | Bid | Ask\nXS2621001002 | 98 | 99\nXS2622002009 | 97 | 98").rows, 3) is None


def test_tenors_across_the_top_are_the_points_of_what_their_corner_names(grid: Callable[..., Grid]) -> None:
    found = upright(grid("EURUSD | 1M | 3M | 6M\nBid | 10.1 | 30.2 | 60.3\nAsk | 10.4 | 30.6 | 60.9").rows, 4)
    assert found is not None
    assert found.header is not None
    assert (found.header.columns[0].role, found.header.columns[0].title) == ("tenor", "EURUSD")


def test_no_instrument_has_so_many_fields(grid: Callable[..., Grid]) -> None:
    assert upright(grid("ISIN | XS2621001002 | XS2622002009\nBid | 98 | 97\n" * MAX_TURNED_ROWS).rows, 3) is None
