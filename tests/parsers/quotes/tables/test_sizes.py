from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from parsers.document import Grid
from parsers.quote import Quote

Read = Callable[..., list[Quote]]
Changed = Callable[[Grid, dict[tuple[int, int], dict[str, Any]]], Grid]


def whole(value: Decimal | None) -> int | None:
    return None if value is None else int(value)


def sizes(quotes: list[Quote]) -> list[tuple[int | None, int | None]]:
    return [(whole(quote.bid_size), whole(quote.ask_size)) for quote in quotes]


@pytest.mark.parametrize(
    ("heading", "text", "expected"),
    [
        ("Size (mm)", "5", (5_000_000, 5_000_000)),
        ("Size (mm)", "5 x 10", (5_000_000, 10_000_000)),
        ("Size", "5mm x 10mm", (5_000_000, 10_000_000)),
        ("Size", "5x10", (5_000_000, 10_000_000)),
        ("Amt (000s)", "10,000", (10_000_000, 10_000_000)),
        ("Bid Size (mm)", "3", (3_000_000, None)),
        ("Nominal", "2 000 000", (2_000_000, 2_000_000)),
    ],
)
def test_a_size_is_in_units_of_its_heading(
    read: Read, heading: str, text: str, expected: tuple[int | None, int | None]
) -> None:
    found = read(f"ISIN | Security | Bid | Ask | {heading}\nXS2621001002 | ACME 4 31 | 98 | 99 | {text}", "HY")
    assert sizes(found) == [expected]


def test_one_size_of_a_one_sided_row_is_that_sides(read: Read) -> None:
    found = read("ISIN | Security | Offer | Size (mm)\nXS2621001002 | ACME 4 31 | 98 | 5", "HY")
    assert sizes(found) == [(None, 5_000_000)]


def test_two_sizes_stay_with_a_one_sided_record(read: Read) -> None:
    table = "ISIN | Bid | Ask | B Sz (mm) | A Sz (mm)\nXS2621001002 | 98 | #N/A | 5 | 3"
    assert sizes(read(table, "HY")) == [(5_000_000, 3_000_000)]


def test_quantities_of_munis_are_thousands(read: Read) -> None:
    found = read("Qty | CUSIP | Security | Ask YTW\n500 | 70914PA10 | PENNSYLVANIA ST GO | 3.28", "Muni offerings")
    assert sizes(found) == [(None, 500_000)]


def test_pieces_are_counted_and_priced_per_piece(read: Read) -> None:
    table = "ISIN | Bezeichnung | Geld | Brief | Stück Geld | Stück Brief\nDE000SQ7ABC8 | Discount-Zertifikat DAX | 198,45 | 198,65 | 1.000 | 500"
    (found,) = read(table, "Zertifikate")
    assert (str(found.quote_type), found.size_unit, sizes([found])) == ("price_unit", "shares", [(1000, 500)])


def test_par_is_the_unit_of_a_preferred_and_a_size_elsewhere(read: Read) -> None:
    (preferred,) = read("CUSIP | Issue | Par | Bid | Ask\n48128BX14 | JPM SER EE | 25 | 25.31 | 25.38", "Preferreds")
    assert (str(preferred.unit_par), preferred.bid_size) == ("25", None)
    (muni,) = read("Par(000) | CUSIP | Security | Ask Px\n250 | 70914PA10 | PENNSYLVANIA ST GO | 110.4", "Munis")
    assert whole(muni.ask_size) == 250_000


def test_original_face_is_never_a_size(read: Read) -> None:
    (found,) = read("CUSIP | Deal | OF (mm) | CF (mm) | Bid\n67590BAG5 | OCT 2019-42A AR | 25 | 20.5 | 99.6", "CLO run")
    assert (whole(found.orig_face), whole(found.bid_size)) == (25_000_000, 20_500_000)


def test_a_remark_on_sizes_holds_for_the_table(read: Read) -> None:
    table = "ISIN | Bid | Ask | Size\nXS2621001002 | 98 | 99 | 500"
    assert sizes(read(table, "HY", lines=["Levels in EUR, sizes in thousands."])) == [(500_000, 500_000)]


def test_the_text_of_sizes_is_as_printed(read: Read, grid: Callable[..., Grid], change: Changed) -> None:
    table = grid("ISIN | Bid | Ask | B Sz (mm) | A Sz (mm)\nXS2621001002 | 98 | 99 | 5 | 5")
    assert [quote.size_text for quote in read(table, "HY")] == ["5 x 5"]
    typed = change(
        grid("ISIN | Bid | Ask | Size\nXS2621001002 | 98 | 99 | 5,000,000"), {(2, 4): {"value": Decimal("5E+6")}}
    )
    (found,) = read(typed, "HY")
    assert (found.size_text, sizes([found])) == ("5,000,000", [(5_000_000, 5_000_000)])


def test_the_symbol_at_a_size_is_a_currency(read: Read) -> None:
    def money(size: str, subject: str) -> list[str | None]:
        found = read(f"Bond | Bid | Ask | Size\nXYZ 5 34 | 98 | 99 | {size}", subject)
        return [quote.currency for quote in found]

    assert money("€5m", "HY") == ["EUR"]
    assert money("$5m", "HY") == ["USD"]
    assert money("$5m", "Provincials") == ["CAD"]
    assert money("US$5m", "Provincials") == ["USD"]


def test_of_stacked_rows_each_has_the_size_of_its_side(read: Callable[..., list[Quote]]) -> None:
    rows = "Bond | Side | Price | Qty\nBNP 4.125 33 | BID | 100.12 | 2mm\n | OFFER | 100.37 | 1mm"
    assert sizes(read(rows, "EUR IG")) == [(2_000_000, 1_000_000)]


@pytest.mark.parametrize(("subject", "expected"), [("OWIC list", (None, 5_000_000)), ("BWIC list", (5_000_000, None))])
def test_the_client_of_a_list_sells_what_is_bid_for_and_buys_what_is_offered(
    read: Callable[..., list[Quote]], subject: str, expected: tuple[int | None, int | None]
) -> None:
    (found,) = read("Bond | Size | Talk\nF 6.1 08/32 | 5mm | 98", subject)
    assert (found.bid_size, found.ask_size) == expected
