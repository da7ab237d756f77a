from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.tables.grids.headers import best_header, header_at


def test_what_stands_over_tenors_names_the_curve(grid: Callable[..., Grid]) -> None:
    vols = best_header(grid("USDMXN | ATM Bid | ATM Ask\nON | 9.1 | 11.6\n1W | 9.85 | 11.05").rows)
    assert vols is not None
    assert (vols.columns[0].role, vols.columns[0].title) == ("tenor", "USDMXN")


def test_pairs_of_currencies_beside_tenors_are_levels(grid: Callable[..., Grid]) -> None:
    basis = best_header(grid("Tenor | EUR/USD | GBP/USD\n1Y | -14.5/-12.5 | -3/-1").rows)
    assert basis is not None
    assert [column.role for column in basis.columns] == ["tenor", "level", "level"]


def test_names_under_a_blank_corner_have_markets_by_tenor(grid: Callable[..., Grid]) -> None:
    curves = header_at(grid("  | 1Y | 5Y\nVodafone | 18/23 | 58/61\nCasino | - | 640/680").rows, 0)
    assert curves is not None
    assert [column.role for column in curves.columns] == ["description", "level", "level"]


def test_indices_beside_tenors_are_levels_of_their_curves(grid: Callable[..., Grid]) -> None:
    rates = best_header(grid("Tenor | USD SOFR | EUR €STR | GBP\n1Y | 3.91 | 2.01 | 3.85").rows)
    assert rates is not None
    assert [(column.role, column.title) for column in rates.columns[1:]] == [
        ("level", "USD SOFR"),
        ("level", "EUR €STR"),
        ("level", "GBP"),
    ]


def test_a_blank_corner_names_the_rows_of_a_market(grid: Callable[..., Grid]) -> None:
    def lead(table: str) -> tuple[str, str]:
        found = header_at(grid(table).rows, 0)
        assert found is not None
        return found.columns[0].text, found.columns[0].role

    assert lead(" | Cpn | Bid | Ask\nBFCM | 3.875 | 101 | 102\nRABOBK | 4 | 102 | 103") == ("", "description")
    assert lead(" | Bid | Ask\n5Y | 2.1 | 2.2\n10Y | 2.5 | 2.6") == ("", "tenor")
    assert lead(" | ISIN | Bid | Ask\nx | XS2621001002 | 98 | 99\ny | XS2622002009 | 97 | 98") == ("ISIN", "isin")
    assert header_at(grid(" | Price | Change\nGold | 98 | 1\nTin | 99 | 2").rows, 0) is None


def test_structures_of_options_under_a_blank_corner_name_the_rows_of_a_grid(grid: Callable[..., Grid]) -> None:
    header = best_header(grid(" | 1W | 1M\nATM | 6.1/6.6 | 6.5/6.8\n25D RR | -0.1/0.1 | -0.2/0.1").rows)
    assert header is not None
    assert [column.role for column in header.columns] == ["option_struct", "level", "level"]


def test_changes_beside_indices_leave_them_levels(grid: Callable[..., Grid]) -> None:
    close = best_header(grid("Tenor | SOFR | Chg | ESTR | Chg\n2Y | 3.412 | +1.2 | 2.105 | -0.4").rows)
    assert close is not None
    assert [column.role for column in close.columns] == ["tenor", "level", "ignored", "level", "ignored"]


def test_an_index_and_its_tenor_in_the_corner_of_a_market_name_the_rows(grid: Callable[..., Grid]) -> None:
    tranches = best_header(grid("Main S44 5Y | Bid | Offer\n0-3% | 31.25 | 31.75").rows)
    assert tranches is not None
    assert tranches.columns[0].role == "description"


@pytest.mark.parametrize("corner", ["", "Tenor"])
def test_curves_of_several_currencies_stand_over_markets_by_tenor(grid: Callable[..., Grid], corner: str) -> None:
    rows = "2Y | 2.131/2.136 | 3.512/3.519\n5Y | 2.298/2.303 | 3.604/3.611"
    found = best_header(grid(f"{corner} | EUR 6m | GBP SONIA\n{rows}").rows)
    assert found is not None
    assert [(column.role, column.tenor) for column in found.columns] == [("tenor", None), *[("level", None)] * 2]


def test_names_stand_over_markets_by_tenor_under_a_blank_corner(grid: Callable[..., Grid]) -> None:
    found = best_header(grid("  | Ford | GM\n3Y | 88/92 | 77/80\n5Y | 120/124 | 101/104").rows)
    assert found is not None
    assert [column.title for column in found.columns] == [None, "Ford", "GM"]
    assert best_header(grid("  | Fund A | Fund B\n1M | 0.3 | 0.5\n1Y | 3.9 | 4.6").rows) is None
