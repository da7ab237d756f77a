from __future__ import annotations

from collections.abc import Callable
from datetime import date

from parsers.document import Cell, Grid
from parsers.quotes.tables.grids.headers import best_header, header_at, is_identifier, is_numeric


def texts(header: object) -> list[str]:
    return [column.text for column in header.columns]  # type: ignore[attr-defined]


def test_a_title_above_the_header_is_not_part_of_it(grid: Callable[..., Grid]) -> None:
    rows = grid("US HY (USD) | | |\nCUSIP | Bond | Bid | Ask\n345397X16 | F 6.8 05/28 | 103 | 104").rows
    found = best_header(rows)
    assert found is not None
    assert (found.first, found.end) == (1, 2)


def test_rows_of_data_are_no_header(grid: Callable[..., Grid]) -> None:
    rows = grid("XS2621001002 | BNP 7.375 PERP | 106.25 | 106.75\nXS2622002009 | SANTAN 7 PERP | 104 | 104.5").rows
    assert best_header(rows) is None


def test_a_header_needs_something_that_names_and_something_that_prices(grid: Callable[..., Grid]) -> None:
    assert header_at(grid("ISIN | Issuer | Rating | Maturity").rows, 0) is None
    assert header_at(grid("Bid | Ask | Bid Size | Ask Size").rows, 0) is None


def test_numbers_dates_and_identifiers_are_told_from_words() -> None:
    assert all(is_numeric(Cell(text)) for text in ("99.5", "1.234,5", "98 1/4", "(12)", "12/05/2030", "99-16+"))
    assert not any(is_numeric(Cell(text)) for text in ("Bid", "5Y", "10x", ""))
    assert is_identifier("XS2621001002")
    assert not is_identifier("XS2621001003")


def test_a_typed_day_that_is_shown_as_its_month_may_head_a_column() -> None:
    day = date(2026, 12, 1)
    shown = [Cell(text=text, value=day) for text in ("Dec-26", "déc. 2026", "2026-12-01", "01-Dec-26")]
    assert [is_numeric(cell) for cell in shown] == [False, False, True, True]


def test_sides_printed_again_are_told_apart_by_what_stands_above(grid: Callable[..., Grid]) -> None:
    found = best_header(grid(" | USD/BRL | | USD/CLP |\nTenor | Bid | Offer | Bid | Offer").rows)
    assert found is not None
    assert [column.title for column in found.columns] == [None, "USD/BRL", "USD/BRL", "USD/CLP", "USD/CLP"]


def test_a_level_over_what_names_the_rows_names_the_curve(grid: Callable[..., Grid]) -> None:
    found = best_header(grid("EUR basis | 3s6s | | xccy |\nMat | Bid | Ask | Bid | Ask\n1Y | 6.1 | 6.6 | -9 | -8").rows)
    assert found is not None
    assert [(column.role, column.title) for column in found.columns[:2]] == [
        ("maturity", "EUR basis"),
        ("level", "3s6s"),
    ]


def test_sides_under_a_row_of_headings_belong_to_it_whatever_nobody_knows_in_it(grid: Callable[..., Grid]) -> None:
    rows = grid("Entity | DC | 1Y | 1Y | 5Y | 5Y\n | | Bid | Ask | Bid | Ask\nFord | XR14 | 62 | 72 | 182 | 188").rows
    header = best_header(rows)
    assert header is not None
    assert [(column.tenor, column.side) for column in header.columns if column.is_level] == [
        ("1Y", "bid"),
        ("1Y", "ask"),
        ("5Y", "bid"),
        ("5Y", "ask"),
    ]


def test_measures_under_tenors_that_come_twice_belong_to_the_header(grid: Callable[..., Grid]) -> None:
    rows = grid("Country | 2Y | 2Y | 5Y | 5Y\n | Yield | vs DBR | Yield | vs DBR\nItaly | 2.31 | 28 | 2.78 | 46").rows
    header = best_header(rows)
    assert header is not None
    assert [(column.tenor, column.measure) for column in header.columns] == [
        (None, None),
        ("2Y", "yield_pct"),
        ("2Y", "spread_bench_bp"),
        ("5Y", "yield_pct"),
        ("5Y", "spread_bench_bp"),
    ]


def test_a_rate_of_a_quantity_until_a_day_makes_a_header(grid: Callable[..., Grid]) -> None:
    assert best_header(grid("Bank | Rate | Maturity | Qty (M)\nAlly Bank | 4.05 | 11/18/2027 | 500").rows) is not None
    assert best_header(grid("Bank | Rate | Maturity\nAlly Bank | 4.05 | 11/18/2027").rows) is None


def test_names_are_levels_over_points_of_a_curve_and_none_over_other_names(grid: Callable[..., Grid]) -> None:
    curve = header_at(grid("Tenor | Ford | GM\n1Y | 18/23 | 20/25\n5Y | 45/50 | 48/53").rows, 0)
    assert curve is not None
    assert [column.role for column in curve.columns] == ["tenor", "level", "level"]
    assert header_at(grid("Acme | Ford | GM\nNissan | 18/23 | 20/25\nVolvo | 45/50 | 48/53").rows, 0) is None
