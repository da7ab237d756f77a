from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quotes.tables.grids.headers import best_header, header_at


def test_what_nobody_knows_names_the_rows_where_they_are_bonds(grid: Callable[..., Grid]) -> None:
    found = best_header(
        grid("Convertible | ISIN | Bid\nSTM 0 08/27 | XS2621001002 | 96\nSAF 1 05/27 | XS2622002009 | 98").rows
    )
    assert found is not None
    assert found.columns[0].role == "description"


def test_what_is_left_of_the_original_face_is_the_size(grid: Callable[..., Grid]) -> None:
    found = best_header(
        grid("CUSIP | Orig | Factor | Current | Talk\n912810TX6 | 6,000,000 | 0.5 | 3,000,000 | 80s").rows
    )
    assert found is not None
    assert found.columns[3].role == "size"


def test_a_letter_is_the_side_that_the_desk_abbreviates(grid: Callable[..., Grid]) -> None:
    def sides(header: str) -> list[str | None]:
        found = header_at(grid(header).rows, 0)
        assert found is not None
        return [column.side for column in found.columns[1:]]

    assert sides("ISIN | Denaro | Lettera | Rend. (L)") == ["bid", "ask", "ask"]
    assert sides("ISIN | Geld | Brief | Rendite B") == ["bid", "ask", "ask"]
    assert sides("ISIN | Kurs G | Kurs B") == ["bid", "ask"]
    assert sides("ISIN | Px A | Px V") == ["bid", "ask"]
    assert sides("ISIN | Achat | Vente | Taux A | Taux V") == ["bid", "ask", "bid", "ask"]
    assert sides("ISIN | B | A | Price B | Price A") == ["bid", "ask", "bid", "ask"]
    assert sides("ISIN | Spread B | Spread A") == ["bid", "ask"]
    assert sides("ISIN | Spread A | Spread B | Ask Yield") == [None, None, "ask"]
    assert sides("ISIN | Bid | Ask | AAA | B | A") == ["bid", "ask", None, None, None]
    assert sides("ISIN | Geldkurs | Briefkurs | Rendite (G/B)") == ["bid", "ask", "both"]
    assert sides("ISIN | Écart c. (pb) | Écart v. (pb)") == ["bid", "ask"]
    assert sides("ISIN | B Px | A Px | Px B | Px A") == ["bid", "ask", "bid", "ask"]


def test_stock_names_gilts_where_nothing_else_does(grid: Callable[..., Grid]) -> None:
    for header in ("Stock | T/N Bid | T/N Offer", "Stock | ISIN | Redemption | Clean Price"):
        found = header_at(grid(header).rows, 0)
        assert found is not None
        assert found.columns[0].role == "description"


def test_the_same_heading_twice_is_bid_and_ask(grid: Callable[..., Grid]) -> None:
    found = header_at(grid("ISIN | Price | Price").rows, 0)
    assert found is not None
    assert [(column.side, column.side_assumed) for column in found.columns[1:]] == [("bid", True), ("ask", True)]


def test_rec_is_the_ask_beside_pay_and_a_recovery_elsewhere(grid: Callable[..., Grid]) -> None:
    swaps = header_at(grid("Tenor | Pay | Rec").rows, 0)
    curves = header_at(grid("Entity | Rec | 1Y | 5Y").rows, 0)
    assert swaps is not None
    assert curves is not None
    assert (swaps.columns[2].role, swaps.columns[2].side) == ("level", "ask")
    assert curves.columns[1].role == "ignored"


@pytest.mark.parametrize("header", ["Tenor | Q4 26 | Q1 27", "Tenor | Vega | Limit"])
def test_columns_of_nobody_knows_what_make_no_header(grid: Callable[..., Grid], header: str) -> None:
    assert header_at(grid(f"{header}\n1Y | 3.91 | 2.01").rows, 0) is None


def test_countries_name_the_rows_where_nothing_else_does(grid: Callable[..., Grid]) -> None:
    curves = header_at(grid("Country | 5Y Bid | 5Y Ask").rows, 0)
    bonds = header_at(grid("Country | Bond | Bid | Ask").rows, 0)
    assert curves is not None
    assert bonds is not None
    assert (curves.columns[0].role, bonds.columns[0].role) == ("description", "ignored")


def test_an_unknown_word_names_the_rows_beside_both_sides_in_one(grid: Callable[..., Grid]) -> None:
    for header in ("Perps & PIBS | Cpn | Bid-Offer", "Case | Claim | Bid | Offer"):
        found = header_at(grid(header).rows, 0)
        assert found is not None
        assert found.columns[0].role == "description"


def test_a_clients_best_bid_is_no_market_of_the_dealer(grid: Callable[..., Grid]) -> None:
    alone = best_header(grid("CUSIP | Bond | Best Bid | Cover\n037833100 | A | 99 | 98").rows)
    market = best_header(grid("Bond | Best Bid | Best Offer\nA | 99 | 98").rows)
    assert alone is not None
    assert market is not None
    assert [column.role for column in alone.columns] == ["cusip", "description", "ignored", "level"]
    assert [column.side for column in market.columns] == [None, "bid", "ask"]


def test_a_letter_in_front_is_the_side_too(grid: Callable[..., Grid]) -> None:
    header = best_header(grid("Anleihe | G-Kurs | B-Kurs\nA 3 2030 | 99 | 98").rows)
    assert header is not None
    assert [column.side for column in header.columns] == [None, "bid", "ask"]


def test_bids_beside_a_cover_are_counted(grid: Callable[..., Grid]) -> None:
    header = best_header(grid("Bond | Traded | Cover | Bids\nA | 99 | 98 | 6").rows)
    assert header is not None
    assert header.columns[-1].role == "ignored"


def test_a_yield_p_a_is_of_no_side(grid: Callable[..., Grid]) -> None:
    header = best_header(grid("Bez. | Ankaufskurs | Verkaufskurs | Rend. p.a.\nA 3 2030 | 99 | 98 | 3").rows)
    assert header is not None
    assert [column.side for column in header.columns] == [None, "bid", "ask", None]
