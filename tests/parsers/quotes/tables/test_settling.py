from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Grid
from parsers.quote import Quote
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.columns.settling import by_values

LOTS = "1 | X | 5\n2 | Y | 5\n3 | Z | 7"


@pytest.mark.parametrize(
    ("header", "rows", "at", "role"),
    [
        ("Bond | Curr | Px", "X | 5 | 99", 1, "size"),
        ("Bond | Curr | Px", "X | USD | 99", 1, "currency"),
        ("Index | Fin Bid | Fin Offer", "X | SOFR-15 | SOFR+20", 1, "level"),
        ("Index | Fin Bid | Fin Offer", "X | 5 | 10", 1, "size"),
        ("Issuer | Bid | Ref", "Sony 0 29 | 104 | 2,951", 2, "ref_price"),
        ("Issuer | Bid | Ref", "Sony 0 29 | 104 | @ 2,951", 2, "ref_price"),
        ("Bond | Bid | Ref", "FRTR 3 34 | 98 | DBR 2.6 08/33", 2, "benchmark"),
        ("Par | Plazo | Compra", "USDMXN | 1M | 18.25", 0, "description"),
        ("Laufzeit | Geld", "5Y | 2.1", 0, "tenor"),
        ("Laufzeit | Geld", "15.05.2030 | 98.1", 0, "maturity"),
        ("Bono | Mon. | Bid", "A | USD | 98\nB | UYU | 97", 1, "currency"),
        ("Bono | Frob | Bid", "A | XS2621001002 | 98\nB | XS2622002009 | 97", 1, "isin"),
        ("Bono | Frob | Bid", "A | XS2621001002 | 98\nB | none | 97", 1, "unknown"),
        ("IG47 5Y | Ref | Bid", "0-3% | 51 | 31\n3-7% | 51 | 5", 0, "description"),
        ("Bond | Bid | Réf.", "FRTR 3 34 | 98 | DBR 2.6 08/33", 2, "benchmark"),
        (
            "Bond | GoC | Bid",
            "ONT 4.15 06/34 | CAN 3.25 06/34 | 62\nQUE 4.4 12/33 | CAN 2.75 12/33 | 64",
            1,
            "benchmark",
        ),
        ("Bond | GoC | Bid", "ONT 4.15 06/34 | 62 | 62\nQUE 4.4 12/33 | 64 | 64", 1, "unknown"),
        ("Bond | Frob | Px", "F 6.1 08/32 | bid | 101.5\nCHTR 4.5 05/32 | offer | 86.5", 1, "axe"),
        ("Bond | Frob | Px", "F 6.1 08/32 | bid | 101.5\nCHTR 4.5 05/32 | TMT | 86.5", 1, "unknown"),
        ("Lot | Bond | Px", LOTS, 0, "ignored"),
        ("Lot | Bond | Px", LOTS.replace("3 |", "4 |"), 0, "size"),
    ],
)
def test_values_say_what_a_heading_of_two_meanings_means(
    grid: Callable[..., Grid], header: str, rows: str, at: int, role: str
) -> None:
    columns = [column(index, (text.strip(),)) for index, text in enumerate(header.split("|"))]
    assert by_values(columns, grid(rows).rows)[at].role == role


def test_a_price_of_the_stock_is_no_name_beside_names_without_a_heading(read: Callable[..., list[Quote]]) -> None:
    found = read(" | bid | ask | ref\nCELLNEX 0.75 31 | 88.25 | 88.75 | 31.20\nSAFRAN 0 28 | 101.25 | 101.75 | 95.40")
    assert [quote.description for quote in found] == ["CELLNEX 0.75 31", "SAFRAN 0 28"]


def test_an_amount_in_billions_is_what_was_issued(read: Callable[..., list[Quote]]) -> None:
    found = read("Bond | Amt (bn) | Bid | Ask\nMUFG 5.354 09/28 | 1.25 | 101.88 | 101.95", "HY")
    assert [quote.bid_size for quote in found] == [None]


def test_a_lot_that_counts_beside_a_size_is_none(read: Callable[..., list[Quote]]) -> None:
    found = read("Lot | Par ($000) | Bond | Bid\n1 | 250 | A 5 34 | 99\n2 | 100 | B 5 36 | 98", "HY")
    assert [quote.bid_size for quote in found] == [250_000, 100_000]


def test_the_volume_of_a_portuguese_table_is_a_size(read: Callable[..., list[Quote]]) -> None:
    (found,) = read(
        "Papel | Vencimento | Compra | Venda | Volume\nLTN | 01/01/2028 | 13,12 | 13,08 | 2.500.000", "Títulos"
    )
    assert found.bid_size == found.ask_size == 2_500_000
    (found,) = read("Security | Bid | Ask | Volume\nACME 4.375 03/31 | 98 | 99 | 2,500,000", "HY")
    assert found.bid_size is None
