"""Lines and tables as desks write them, each with what it states: what was once misread stays read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell, Document, Grid, Row
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes
from parsers.values.decimals import decimal_text
from tests.parsers.quotes.desks.lines import credit, derivatives, foreign, rates, securitised, silent
from tests.parsers.quotes.desks.tables import credit as credit_tables
from tests.parsers.quotes.desks.tables import derivatives as derivatives_tables
from tests.parsers.quotes.desks.tables import foreign as foreign_tables
from tests.parsers.quotes.desks.tables import rates as rates_tables
from tests.parsers.quotes.desks.tables import securitised as securitised_tables
from tests.parsers.quotes.desks.tables import silent as silent_tables

Part = Callable[..., PartContext]

LINES = [*credit.CASES, *rates.CASES, *securitised.CASES, *derivatives.CASES, *foreign.CASES, *silent.CASES]
TABLES = [
    *credit_tables.CASES,
    *rates_tables.CASES,
    *securitised_tables.CASES,
    *derivatives_tables.CASES,
    *foreign_tables.CASES,
    *silent_tables.CASES,
]


def stated(document: Document, part: PartContext, expected: list[str]) -> list[str]:
    """The quotes as texts, each with as many of its facts as were asked for."""
    found = []
    for quote, wanted in zip(find_quotes(document, part).quotes, [*expected, *[""] * 9], strict=False):
        sides = [decimal_text(side) if side is not None else "" for side in (quote.bid, quote.ask)]
        level = "/".join(sides) if any(sides) else decimal_text(quote.mid) if quote.mid is not None else "talk"
        text = f"{quote.instrument_id or quote.description} {quote.quote_type} {level}"
        sizes = "x".join(decimal_text(size) for size in (quote.bid_size, quote.ask_size) if size is not None)
        coupon = f"cpn={decimal_text(quote.coupon)}" if quote.coupon is not None else None
        more = (
            coupon,
            f"due={quote.maturity}",
            quote.tenor,
            sizes,
            quote.currency,
            quote.benchmark,
            quote.quote_kind if quote.quote_kind != "talk" else None,
            quote.asset_class,
            quote.option_struct,
        )
        found.append(" ".join([text, *(fact for fact in more if fact and fact in wanted.split())]))
    return found


@pytest.mark.parametrize(("subject", "text", "expected"), LINES, ids=[text for _, text, _ in LINES])
def test_a_line_of_a_desk_states_what_it_states(subject: str, text: str, expected: list[str], part: Part) -> None:
    document = Document(tuple(text_lines(text)), parser="text")
    assert stated(document, part(subject), expected) == expected


@pytest.mark.parametrize(
    ("subject", "text", "expected"), TABLES, ids=[text.partition("\n")[0] for _, text, _ in TABLES]
)
def test_a_table_of_a_desk_states_what_it_states(subject: str, text: str, expected: list[str], part: Part) -> None:
    rows = [
        Row(number, tuple(Cell(text=cell.strip(), column=at) for at, cell in enumerate(line.split("|"), 1)))
        for number, line in enumerate(text.splitlines(), 1)
    ]
    width = max(len(row.cells) for row in rows)
    filled = [Row(row.number, (*row.cells, *(Cell(text="", column=at) for at in range(len(row.cells) + 1, width + 1)))) for row in rows]  # fmt: skip
    assert stated(Document((Grid(tuple(filled), table_idx=1),), parser="html"), part(subject), expected) == expected
