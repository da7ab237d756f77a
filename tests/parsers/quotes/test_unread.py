"""What looks like a quote where none was found is told, whatever the rules of tables and runs know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell, Document, Grid, Row
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.unread import unread

Part = Callable[..., PartContext]


@pytest.mark.parametrize(
    "text",
    [
        "HU0000403118 | MÁK 2030/A | 98,25 | 98,75 | 10",
        "XS2641318121 OTP 7.35 2026   101.10/101.60",
        "912810TM0 T 4 11/15/42  99-16+",
        "46625HJT8 kötvény 98 1/4",
        "US0378331005 hozam 3,955 3,945",
        "LX131555 Acme 99.25",
    ],
)
def test_a_valid_identifier_beside_a_price_or_a_market_looks_like_a_quote(part: Part, text: str) -> None:
    assert unread(Document(tuple(text_lines(f"Jegyzések\n{text}\n")), parser="text"), part("jegyzés")) == text


@pytest.mark.parametrize(
    "text",
    [
        "HU0000403119 | MÁK 2030/A | 98,25 | 98,75",  # a wrong check digit
        "MÁK 2030/A | 98,25 | 98,75",
        "XS2641318121 coupon 7.35 due 15.03.2034",
        "XS2641318121 weight 98.25%",
        "US0378331005 call +44 20 7946 0958",
        "67092LB18 OCTW 2021-1A D 3.5mm 1.000",
        "> XS2641318121 98.25 98.75",
    ],
)
def test_other_numbers_beside_an_identifier_do_not(part: Part, text: str) -> None:
    assert unread(Document(tuple(text_lines(f"Notes\n{text}\n")), parser="text"), part("notes")) is None


def test_a_list_of_bids_wanted_has_identifiers_and_no_prices(part: Part) -> None:
    lines = Document(tuple(text_lines("67092LB18 OCTW 2021-1A D 25.5 0.9\n")), parser="text")
    assert unread(lines, part("list")) is not None
    assert unread(lines, part("CLO BWIC")) is None


@pytest.mark.parametrize(
    ("subject", "above"),
    [
        ("Trade confirmation 8812", ""),
        ("RE: your order", "We hereby confirm your purchase as follows"),
        ("Depotauszug 20.11.2026", ""),
        ("Your portfolio", "Statement of holdings"),
        ("Invoice INV-2026-118", ""),
        ("Daily P&L", ""),
    ],
)
def test_what_stands_below_a_notice_of_what_is_done_is_no_quote(part: Part, subject: str, above: str) -> None:
    lines = Document(tuple(text_lines(f"{above}\nXS2641318121 OTP 7.35 2026   101.10\n")), parser="text")
    assert unread(lines, part(subject)) is None


def test_what_stands_above_such_a_notice_may_be_one(part: Part) -> None:
    text = "XS2641318121 OTP 7.35 2026   101.10/101.60"
    lines = Document(tuple(text_lines(f"{text}\nYou sold XS2641318121 at 101.00\n")), parser="text")
    assert unread(lines, part("jegyzés")) == text


def test_the_row_of_a_grid_is_told_as_its_cells(part: Part) -> None:
    rows = (("Kód", "Vétel"), ("XS2641318121", "98,25"))
    cells = (tuple(Cell(text=text, column=at) for at, text in enumerate(row, 1)) for row in rows)
    grid = Grid(tuple(Row(number, row) for number, row in enumerate(cells, 1)))
    assert unread(Document((grid,), parser="html"), part("x")) == "XS2641318121\t98,25"
