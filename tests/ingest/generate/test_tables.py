from __future__ import annotations

from random import Random

import pytest

from ingest.generate.kinds import Kind
from ingest.generate.market import Dealer, dealers
from ingest.generate.notation import printed
from ingest.generate.tables import Table, table

QUOTED = [(dealer, dealer.kind(code)) for dealer in dealers() for code in dealer.classes]


def made(dealer: Dealer, kind: Kind) -> Table:
    return table(Random(1), 5, dealer, kind, 40)


@pytest.mark.parametrize(("dealer", "kind"), QUOTED, ids=lambda one: getattr(one, "code", None) or one.domain)
def test_each_level_stands_in_the_cell_that_is_told(dealer: Dealer, kind: Kind) -> None:
    sheet = made(dealer, kind)
    assert {len(row) for row in sheet.rows} == {len(sheet.header)}
    assert len(sheet.rows) == 40
    for row, column, _, level in sheet.levels:
        text = sheet.rows[row][column].text
        if kind.tenors:
            assert text == f"{level.bid}/{level.ask}"
        else:
            assert text == printed(level.bid, level.kind, dealer.language)
            asked = sheet.rows[row][column + 1].text
            assert asked == ("" if level.ask is None else printed(level.ask, level.kind, dealer.language))


def test_some_rows_have_one_side_and_their_truth_says_so() -> None:
    dealer = dealers()[0]
    sheet = made(dealer, dealer.kind("govt_us"))
    sides = [line["side"] for line in sheet.truth(lambda row, column: {"row": row, "col": column})]
    assert {"bid", "two_way"} == set(sides)


def test_days_are_printed_as_the_dealers_desk_does() -> None:
    german = next(dealer for dealer in dealers() if dealer.language == "de")
    american = next(dealer for dealer in dealers() if dealer.offset == "-0500")
    a_german = made(german, german.kind("corp_ig"))
    an_american = made(american, american.kind("govt_us"))
    assert a_german.rows[0][a_german.header.index("Fälligkeit")].text.count(".") == 2
    month_first = [row[an_american.header.index("Maturity")].text for row in an_american.rows]
    assert {text[3:5] for text in month_first} == {"15"}
