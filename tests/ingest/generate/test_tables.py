from __future__ import annotations

from datetime import date
from random import Random

import pytest

from ingest.generate.books import Book, books
from ingest.generate.dealers import Dealer, dealers, writers
from ingest.generate.notation import pair, printed
from ingest.generate.tables import Table, table

LISTED = [(dealer, book) for dealer, book in writers()[0] if not book.grid]
QUOTED = pytest.mark.parametrize(("dealer", "book"), LISTED, ids=lambda one: getattr(one, "key", None) or one.domain)
DAY = date(2026, 11, 18)


def made(dealer: Dealer, book: Book) -> Table:
    return table(Random(1), 5, dealer, book, lines=30, day=DAY)


def quoting(key: str) -> Dealer:
    return next(dealer for dealer in dealers() if key in dealer.books)


@QUOTED
def test_each_level_stands_in_the_cell_that_is_told(dealer: Dealer, book: Book) -> None:
    sheet = made(dealer, book)
    assert {len(row) for row in sheet.rows} == {len(sheet.header)}
    assert len(sheet.parents) in {0, len(sheet.header)}
    for row, column, _, level, _ in sheet.levels:
        text = sheet.rows[row][column].text
        if dealer.pairs and dealer.words["parents"].get(level.measure.head):
            assert text == pair(level.bid, level.ask, level.measure, dealer.decimal, null=dealer.null or "-")
        else:
            both = [text, sheet.rows[row][column + 1].text]
            want = [
                dealer.null if one is None else printed(one, level.measure, dealer.decimal)
                for one in (level.bid, level.ask)
            ]
            assert both == want


@QUOTED
def test_the_truth_of_a_row_is_what_the_row_shows(dealer: Dealer, book: Book) -> None:
    sheet = made(dealer, book)
    for line in sheet.truth(lambda row, column: {"row": row, "col": column}):
        texts = [cell.text for cell in sheet.rows[line["row"]]]
        assert line["description"] in texts
        assert line.get("instrument_id", line["description"]) in texts
        if "maturity" in line and "maturity" in book.columns:
            assert date.fromisoformat(line["maturity"]).strftime(dealer.dates) in texts


def test_two_rows_of_header_put_a_parent_over_each_pair() -> None:
    dealer = next(dealer for dealer in dealers() if dealer.two_rows)
    sheet = made(dealer, books()["govt_us"])
    assert sheet.header_rows == 2
    at = sheet.parents.index("Px 32nds")
    assert (sheet.parents[at + 1], sheet.header[at : at + 2]) == ("Px 32nds", ("Bid", "Ask"))


def test_a_last_row_adds_up_the_sizes_and_quotes_nothing() -> None:
    dealer = next(dealer for dealer in dealers() if dealer.total)
    sheet = made(dealer, books()["munis"])
    assert sheet.rows[-1][0].text == "Total"
    assert max(row for row, *_ in sheet.levels) == len(sheet.rows) - 2


def test_days_are_printed_as_the_dealers_desk_does() -> None:
    german, american = made(quoting("bunds"), books()["bunds"]), made(quoting("govt_us"), books()["govt_us"])
    assert german.rows[0][german.header.index("Fälligkeit")].text.count(".") == 2
    assert {row[american.header.index("Maturity")].text[3:5] for row in american.rows} == {"15"}
    assert german.as_of == "Stand 18.11.2026"
