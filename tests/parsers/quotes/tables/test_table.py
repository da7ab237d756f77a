from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.table import Table, table_of
from parsers.values.separators import Locale


def table(grid: Grid, *headings: str) -> Table:
    return table_of([column(at, (text,)) for at, text in enumerate(headings)], grid.rows, headed=True)


def test_the_locale_of_a_table_is_told_from_its_own_numbers(grid: Callable[..., Grid]) -> None:
    assert table(grid("XS1 | 98,25 | 1.000"), "ISIN", "Geld", "Volumen").locale is Locale.comma
    assert table(grid("XS1 | 98.25 | 1,000"), "ISIN", "Bid", "Size").locale is Locale.point


def test_three_plusses_make_a_table_of_32nds(grid: Callable[..., Grid]) -> None:
    rows = [f"X{at} | 99-1{at}+ | 99-18" for at in range(3)]
    assert table(grid("\n".join(rows)), "Security", "Bid", "Ask").plus_ticks
    assert not table(grid("\n".join(rows[:2])), "Security", "Bid", "Ask").plus_ticks


def test_the_only_currency_of_the_headings_is_that_of_the_table(grid: Callable[..., Grid]) -> None:
    rows = grid("X | 1 | 99 | 2")
    assert table(rows, "Security", "Size (EUR)", "Bid", "Size (EUR)").currency == "EUR"
    assert table(rows, "Security", "Size (EUR)", "Bid", "Size (USD)").currency is None


def test_a_table_without_a_naming_column_says_so(grid: Callable[..., Grid]) -> None:
    assert table(grid("X | 99"), "Security", "Bid").is_named
    assert not table(grid("98 | 99"), "Bid", "Ask").is_named


def test_terms_to_maturity_are_tenors_where_the_values_are(grid: Callable[..., Grid]) -> None:
    for heading in ("Laufzeit", "Échéance"):
        assert table(grid("EUR 3s | 3Y | 2,3"), "Index", heading, "Geld").fields.at["tenor"] == (1,)
        assert table(grid("BUND 2 | 12.05.34 | 99,3"), "Titel", heading, "Geld").fields.at["maturity"] == (1,)


def test_a_reference_is_a_benchmark_where_the_values_are_bonds(grid: Callable[..., Grid]) -> None:
    bonds = table(grid("ONT 4 06/34 | 62 | CAN 3 1/4 06/34"), "Titre", "Acheteur", "Référence")
    assert bonds.fields.at["benchmark"] == (2,)
    assert "benchmark" not in table(grid("F | 62"), "Reference", "Bid").fields.at
    assert "benchmark" not in table(grid("CAN 3 1/4 06/34 | 99"), "Reference", "Bid").fields.at


def test_a_currency_over_one_of_several_curves_is_its_own(grid: Callable[..., Grid]) -> None:
    rows = grid("2Y | 3.31 | 1.78")
    assert table(rows, "Term", "UK RPI Bid", "EUR HICPxT Bid").currency is None


def test_pairs_in_a_cell_tell_the_locale_by_their_parts(grid: Callable[..., Grid]) -> None:
    assert table(grid("Orange | 96,41 / 96,63 | 1.000"), "Émetteur", "Px", "Taille").locale is Locale.comma


def test_a_change_on_the_day_is_no_point_of_a_curve(grid: Callable[..., Grid]) -> None:
    assert not table(grid("Main S46 5Y | 51.9 | 52.1 | -0.4"), "Index", "Bid", "Ask", "Chg on day").has_tenors
