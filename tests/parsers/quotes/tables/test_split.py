from __future__ import annotations

from collections.abc import Callable

from parsers.document import Grid
from parsers.quotes.tables.grids.split import MAX_WIDTH, blocks, is_same_header


def test_a_new_header_below_blank_rows_starts_a_new_table_with_its_own_title(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(
            grid("""
            EUR | |
            ISIN | Bid | Ask
            XS2621001002 | 98 | 99
            | |
            USD | |
            CUSIP | Bid Yld | Ask Yld
            345397X16 | 4.1 | 4.0""").rows
        )
    )
    assert [block.titles for block in found] == [("EUR",), ("USD",)]
    assert [[row.number for row in block.body if row.cells[0].text] for block in found] == [[3], [7]]


def test_tables_side_by_side_are_read_on_their_own_with_their_own_titles(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(
            grid("""
            US HY (USD) | | | | EUROPE (EUR) | |
            CUSIP | Bid | Ask | | ISIN | Bid | Ask
            345397X16 | 98 | 99 | | XS2621001002 | 101 | 102""").rows
        )
    )
    assert [block.titles for block in found] == [("US HY (USD)",), ("EUROPE (EUR)",)]
    assert [(block.first, block.last) for block in found] == [(0, 4), (4, 7)]


def test_a_blank_column_inside_one_table_does_not_cut_it(grid: Callable[..., Grid]) -> None:
    found = list(blocks(grid("ISIN | Security | | Bid | Ask\nXS2621001002 | BNP | | 98 | 99").rows))
    assert len(found) == 1


def test_a_header_that_only_repeats_is_recognised(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(grid("ISIN | Bid | Ask\nXS2621001002 | 98 | 99\nISIN | Bid | Ask\nXS2622002009 | 97 | 98").rows)
    )
    assert len(found) == 2
    assert found[0].header is not None
    assert found[1].header is not None
    assert is_same_header(found[0].header, found[1].header)


def test_a_blank_row_may_part_a_title_from_its_headings(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(
            grid("""
            Bond | Bid | Ask
            ACME 5 33 | 98 | 99
            | |
            Munis | |
            as of 18 Nov | |
            | |
            CUSIP | Bid | Ask
            345397X16 | 97 | 98""").rows
        )
    )
    assert [block.titles for block in found] == [(), ("Munis", "as of 18 Nov")]


def test_a_note_right_below_rows_is_no_title_of_the_next_table(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(
            grid("""
            Bond | Bid | Ask
            ACME 5 33 | 98 | 99
            * munis on request | |
            | |
            CUSIP | Bid | Ask
            345397X16 | 97 | 98""").rows
        )
    )
    assert [block.titles for block in found] == [(), ()]


def test_a_table_on_its_side_stands_below_another_and_above_one(grid: Callable[..., Grid]) -> None:
    found = list(
        blocks(
            grid("""
            Bond | Bid | Ask
            ACME 5 33 | 98 | 99
            | |
            SSA | |
            ISIN | XS2621001002 | XS2622002009
            Security | EIB | KFW
            Bid | 98 | 97
            Ask | 99 | 98
            | |
            Bond | Bid | Ask
            ACME 5 33 | 98 | 99""").rows
        )
    )
    assert [(block.titles, block.turned is not None) for block in found] == [((), False), (("SSA",), True), ((), False)]


def test_rows_without_any_header_are_one_block(grid: Callable[..., Grid]) -> None:
    found = list(blocks(grid("a | 1 | 2\nb | 3 | 4").rows))
    assert [block.header for block in found] == [None]


def test_nothing_is_looked_at_beyond_the_widest_table_there_is(grid: Callable[..., Grid]) -> None:
    found = list(blocks(grid(" | ".join(["ISIN", "Bid"] * MAX_WIDTH)).rows))
    assert all(block.last <= MAX_WIDTH for block in found)


def test_a_stretch_that_only_has_benchmarks_shares_the_rows_of_the_table_beside_it(grid: Callable[..., Grid]) -> None:
    rows = " | ONTARIO | | | | QUEBEC | |\nTerm | Bench | Bid | Offer | | Bench | Bid | Offer\n5Y | CAN 5 30 | 28 | 26 | | CAN 5 30 | 29 | 27"
    found = list(blocks(grid(rows).rows))
    assert len(found) == 1
    assert found[0].header is not None
    assert [column.title for column in found[0].header.columns if column.is_level] == ["ONTARIO"] * 2 + ["QUEBEC"] * 2


def test_titles_in_the_row_above_side_by_side_headers_part_them_too(grid: Callable[..., Grid]) -> None:
    rows = grid(
        "USD/BRL | | | | USD/MXN | |\nTenor | Bid | Offer | | Tenor | Bid | Offer\n1M | 5.44 | 5.45 | | 1M | 842 | 856"
    ).rows
    assert [(block.titles, block.first) for block in blocks(rows)] == [(("USD/BRL",), 0), (("USD/MXN",), 4)]


def test_maturities_beside_the_same_two_sides_are_a_table_of_their_own(grid: Callable[..., Grid]) -> None:
    rows = grid(
        "Plazo | Compra | Venta | | Vencimiento | Compra | Venta\n2Y | 7.41 | 7.44 | | May-29 | 8.05 | 8.01"
    ).rows
    assert [block.first for block in blocks(rows)] == [0, 4]
