from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid, Line
from parsers.quotes.context import PartContext
from parsers.quotes.tables.account import account, rows_around


def test_a_cell_is_told_of_by_its_heading_and_the_words_around(
    grid: Callable[..., Grid], context: Callable[..., PartContext]
) -> None:
    given = grid("EUR HY levels | | \nISIN | Bid | Ask\nXS2641318121 | 98 | 99\nUS0378331005 | 97 | 98")
    told = account(given, context("HY run"), [Line(1, "Offers", 0)], (3, 2))
    assert "its heading `Bid` says: role level, side bid" in told
    assert "above the table stands: EUR HY levels" in told
    assert any("currency EUR" in reason for reason in told)
    assert account(given, context("HY run"), [], (9, 2)) == ()


def test_columns_that_were_not_read_are_told_of_beside_those_that_were(
    grid: Callable[..., Grid], context: Callable[..., PartContext]
) -> None:
    given = grid("ISIN | Name | Bid plus Zorg | Ask plus Zorg | Yield\nXS2621001002 | BNP 4 31 | 98 | 99 | 4.2")
    told = account(given, context("Bonds"), [], (2, 5))
    assert "beside it the column `Bid plus Zorg` is printed, and was not read" in told


def test_the_rows_around_have_their_numbers_and_the_cell_arrows(grid: Callable[..., Grid]) -> None:
    given = grid("ISIN | Bid\nXS2641318121 | 98\nUS0378331005 | 97")
    assert list(rows_around(given, 2, 2, 1)) == [
        "      1  ISIN ¦ Bid",
        ">     2  XS2641318121 ¦ »98«",
        "      3  US0378331005 ¦ 97",
    ]
    assert list(rows_around(given, 9, 2, 1)) == []
