from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.document import Cell, Document, Grid, Line, Row
from parsers.quotes.context import PartContext
from parsers.quotes.finding import find_quotes

Part = Callable[..., PartContext]

TABLE = Grid(
    tuple(
        Row(number, tuple(Cell(text=text, column=at) for at, text in enumerate(cells, 1)))
        for number, cells in enumerate((("Bond", "Bid", "Ask"), ("ABC 5 33", "98", "99"), ("XYZ 4 31", "97", "98")), 1)
    ),
    table_idx=1,
)


@pytest.mark.parametrize(
    ("above", "below", "currency"),
    [
        ("HY", "All prices in EUR, indicative.", "EUR"),
        ("HY in GBP", "All prices in EUR, indicative.", "GBP"),
        ("HY", "Our EUR desk is around.", "USD"),  # assumed
    ],
)
def test_a_line_below_a_table_states_its_currency_where_nothing_above_does(
    above: str, below: str, currency: str, part: Part
) -> None:
    found = find_quotes(Document((Line(1, above, 0), TABLE, Line(2, below, 20)), parser="html"), part())
    assert {quote.currency for quote in found.quotes} == {currency}
