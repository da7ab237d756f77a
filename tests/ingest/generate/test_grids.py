from __future__ import annotations

from datetime import date
from random import Random

import pytest

from ingest.generate.books import Book, books
from ingest.generate.dealers import Dealer, dealers, writers
from ingest.generate.grids import grid
from ingest.generate.notation import printed

GRIDS = [(dealer, book) for dealer, book in writers()[0] if book.grid]
DAY = date(2026, 11, 18)


@pytest.mark.parametrize(("dealer", "book"), GRIDS, ids=lambda one: getattr(one, "key", None) or one.domain)
def test_every_cell_of_a_grid_is_a_market_in_its_tenor(dealer: Dealer, book: Book) -> None:
    sheet = grid(Random(1), 5, dealer, book, lines=4, day=DAY)
    assert len(sheet.levels) == sum(len(row) for row in sheet.rows) - len({row for row, *_ in sheet.levels}) * (
        len(sheet.header) - len({column for _, column, *_ in sheet.levels})
    )
    for row, column, _, level, shown in sheet.levels:
        assert level.bid is not None
        assert level.ask is not None
        both = "/".join(printed(side, level.measure, dealer.decimal) for side in (level.bid, level.ask))
        assert sheet.rows[row][column].text == both
        assert shown.tenor is not None
        assert shown.tenor in (
            sheet.header[column],
            sheet.rows[row][0].text,
            sheet.rows[row][0].text + sheet.header[column],
        )


def test_a_curve_has_a_quote_a_tenor_and_no_sizes_and_no_name_twice() -> None:
    dealer = next(dealer for dealer in dealers() if "cds" in dealer.books)
    lines = grid(Random(1), 5, dealer, books()["cds"], lines=4, day=DAY).truth(
        lambda row, column: {"row": row, "col": column}
    )
    assert [line["tenor"] for line in lines[:5]] == ["1Y", "3Y", "5Y", "7Y", "10Y"]
    assert not any("bid_size" in line or "maturity" in line for line in lines)
    assert len({line["description"] for line in lines}) == len(lines) // 5
