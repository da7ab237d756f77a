from __future__ import annotations

from collections.abc import Callable

from parsers.quote import Quote

Read = Callable[..., list[Quote]]
HEAD = "ISIN | Security"
ROW = "XS2621001002 | ACME 4.375 03/31"


def test_prices_and_margins_in_one_column_of_talk_are_told_apart(read: Read) -> None:
    found = read(
        "CUSIP | Bond | Talk\n037833100 | ABCLO 2019-1A A | VH99s\n | CIFC 2019-4A DR | MH 600s\n | X 2018-1A E | 650a",
        "CLO BWIC",
    )
    assert [(quote.quote_type, str(quote.talk_low)) for quote in found] == [
        ("price_pct", "99.9"),
        ("dm_bp", "650"),
        ("dm_bp", "650"),
    ]


def test_a_price_and_a_margin_in_one_cell_are_records_of_their_own(read: Read) -> None:
    found = read(f"{HEAD} | Px Talk | Cvr\n{ROW} | 99.9 area | 100.02 / 136dm", "CLO BWIC")
    assert [(quote.quote_type, quote.quote_kind, quote.bid and float(quote.bid)) for quote in found] == [
        ("price_pct", "talk", None),
        ("price_pct", "cover", 100.02),
        ("dm_bp", "cover", 136),
    ]


def test_talk_above_any_price_has_the_width_of_spreads(read: Read) -> None:
    rows = "MSC 2018-H4 A4 | mid 140s | 142\nBANK 2020-BNK26 B | low 110s | 112"
    first = read(f"Security | Talk | Cover\n{rows}", "CMBS BWIC results")[0]
    assert first.quote_type == "spread_swap_bp"
    assert [first.talk_low, first.talk_high] == [144, 146]


def test_two_margins_in_one_cell_are_the_sides_of_a_market(read: Read) -> None:
    (found,) = read(f"{HEAD} | DM\n{ROW} | 135/130dm", "CLO")
    assert (str(found.quote_type), str(found.bid), str(found.ask)) == ("dm_bp", "135", "130")
