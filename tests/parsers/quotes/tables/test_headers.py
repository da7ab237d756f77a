from __future__ import annotations

from collections.abc import Callable

from parsers.document import Cell, Grid, Row
from parsers.quotes.tables.headers import best_header, header_at, is_identifier, is_numeric


def texts(header: object) -> list[str]:
    return [column.text for column in header.columns]  # type: ignore[attr-defined]


def test_a_title_above_the_header_is_not_part_of_it(grid: Callable[..., Grid]) -> None:
    rows = grid("US HY (USD) | | |\nCUSIP | Bond | Bid | Ask\n345397X16 | F 6.8 05/28 | 103 | 104").rows
    found = best_header(rows, 0)
    assert found is not None
    assert (found.first, found.end) == (1, 2)


def test_headings_over_groups_combine_with_those_below(grid: Callable[..., Grid]) -> None:
    rows = grid("ISIN | Bid | | | Ask | |\n | Px | Sprd | Size | Px | Sprd | Size").rows
    found = best_header(rows, 0)
    assert found is not None
    assert texts(found) == ["ISIN", "Bid Px", "Bid Sprd", "Bid Size", "Ask Px", "Ask Sprd", "Ask Size"]


def test_a_heading_centred_over_its_group_belongs_to_the_whole_group(grid: Callable[..., Grid]) -> None:
    rows = grid("ISIN | | Price | | Sprd\n | Bid | Ask | Bid | Ask").rows
    found = best_header(rows, 0)
    assert found is not None
    assert texts(found) == ["ISIN", "Price Bid", "Price Ask", "Sprd Bid", "Sprd Ask"]


def test_a_merged_heading_belongs_to_every_column_it_spans() -> None:
    upper = Row(1, (Cell("ISIN", column=1), Cell("Price", column=2, col_span=2), Cell(column=3, origin=(1, 2))))
    lower = Row(2, (Cell(column=1, origin=(1, 1)), Cell("Bid", column=2), Cell("Ask", column=3)))
    found = best_header((upper, lower), 0)
    assert found is not None
    assert texts(found) == ["ISIN", "Price Bid", "Price Ask"]


def test_rows_of_data_are_no_header(grid: Callable[..., Grid]) -> None:
    rows = grid("XS2621001002 | BNP 7.375 PERP | 106.25 | 106.75\nXS2622002009 | SANTAN 7 PERP | 104 | 104.5").rows
    assert best_header(rows, 0) is None


def test_a_header_needs_something_that_names_and_something_that_prices(grid: Callable[..., Grid]) -> None:
    assert header_at(grid("ISIN | Issuer | Rating | Maturity").rows, 0) is None
    assert header_at(grid("Bid | Ask | Bid Size | Ask Size").rows, 0) is None


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


def test_numbers_dates_and_identifiers_are_told_from_words() -> None:
    assert all(is_numeric(Cell(text)) for text in ("99.5", "1.234,5", "98 1/4", "(12)", "12/05/2030", "99-16+"))
    assert not any(is_numeric(Cell(text)) for text in ("Bid", "5Y", "10x", ""))
    assert is_identifier("XS2621001002")
    assert not is_identifier("XS2621001003")


def test_what_stands_over_tenors_names_the_curve(grid: Callable[..., Grid]) -> None:
    vols = best_header(grid("USDMXN | ATM Bid | ATM Ask\nON | 9.1 | 11.6\n1W | 9.85 | 11.05").rows, 0)
    assert vols is not None
    assert (vols.columns[0].role, vols.columns[0].title) == ("tenor", "USDMXN")


def test_pairs_of_currencies_beside_tenors_are_levels(grid: Callable[..., Grid]) -> None:
    basis = best_header(grid("Tenor | EUR/USD | GBP/USD\n1Y | -14.5/-12.5 | -3/-1").rows, 0)
    assert basis is not None
    assert [column.role for column in basis.columns] == ["tenor", "level", "level"]


def test_a_letter_is_the_side_that_the_desk_abbreviates(grid: Callable[..., Grid]) -> None:
    def sides(header: str) -> list[str | None]:
        found = header_at(grid(header).rows, 0)
        assert found is not None
        return [column.side for column in found.columns[1:]]

    assert sides("ISIN | Denaro | Lettera | Rend. (L)") == ["bid", "ask", "ask"]
    assert sides("ISIN | Geld | Brief | Rendite B") == ["bid", "ask", "ask"]
    assert sides("ISIN | Kurs G | Kurs B") == ["bid", "ask"]
    assert sides("ISIN | Px A | Px V") == ["bid", "ask"]
    assert sides("ISIN | B Px | A Px | Px B | Px A") == ["bid", "ask", "bid", "ask"]


def test_stock_names_gilts_where_nothing_else_does(grid: Callable[..., Grid]) -> None:
    found = header_at(grid("Stock | T/N Bid | T/N Offer").rows, 0)
    assert found is not None
    assert found.columns[0].role == "description"
