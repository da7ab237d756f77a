from __future__ import annotations

from collections.abc import Callable

from parsers.quote import Quote

Read = Callable[..., list[Quote]]


def test_a_column_of_classes_goes_before_the_subject(read: Read) -> None:
    table = (
        "Type | Bond | Bid | Ask\nTier 2 | ABC 4 33 | 98 | 99\nHigh Yield | DEF 6 31 | 101 | 102\n| GHI 3 32 | 97 | 98"
    )
    quotes = read(table, "EUR credit")
    assert [(quote.asset_class, quote.class_source) for quote in quotes] == [
        ("financial_sub", "column"),
        ("corp_hy", "column"),
        ("corp_ig", "subject"),
    ]


def test_one_sector_changes_no_class_that_is_known(read: Read) -> None:
    table = "Sector | Deal | Bid | Ask\nSubprime | AMCAR 2024-1 C | 95 | 90"
    assert [quote.asset_class for quote in read(table, "Auto ABS")] == ["abs"]


def test_sectors_over_default_swaps_are_those_of_names(read: Read) -> None:
    table = "Sector | Name | 5Y Bid | 5Y Ask\nHY | Ford | 160 | 164\nIG | Boeing | 60 | 62"
    assert {quote.asset_class for quote in read(table, "Single name CDS")} == {"cds_single"}
