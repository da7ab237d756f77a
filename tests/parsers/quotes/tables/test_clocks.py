from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time

from parsers.document import Cell
from parsers.quotes.tables import TableResult
from parsers.quotes.tables.cells.clocks import clock_of
from parsers.values.times.moments import Printed


def test_day_and_time_stand_in_columns_of_their_own_or_in_one() -> None:
    both = Printed((date(2026, 11, 20),), (), time(9, 45))
    assert clock_of((0, 1), (Cell(text="20-Nov-2026"), Cell(text="09:45"))) == both
    assert clock_of((0, 1), (Cell(text="09:45"), Cell(text="20-Nov-2026"))) == both
    typed = Cell(text="20/11 9:45", value=datetime(2026, 11, 20, 9, 45))  # noqa: DTZ001 -- a workbook knows no zones
    assert clock_of((1,), (Cell(text="x"), typed)) == both


def test_an_empty_cell_says_nothing() -> None:
    assert clock_of((0,), (Cell(),)) is None
    assert clock_of((), (Cell(text="09:45"),)) is None


def test_the_time_column_of_a_run_is_its_quotes_and_that_of_a_list_the_auctions(
    result: Callable[..., TableResult],
) -> None:
    table = "ISIN | Bid | Ask | Time\nXS2641318121 | 98.25 | 98.75 | 09:45\nUS0378331005 | 99.5 | 100 | 09:50"
    assert [draft.printed for draft in result(table, "HY run").drafts] == [
        Printed(time=time(9, 45)),
        Printed(time=time(9, 50)),
    ]
    talk = "CUSIP | Talk | Time\n037833100 | mid 90s | 09:45\n46625HJT8 | low 90s | 09:50"
    assert {draft.printed for draft in result(talk, "CLO BWIC").drafts} == {None}


def test_the_date_of_a_call_is_none_of_the_quotes(result: Callable[..., TableResult]) -> None:
    table = "ISIN | Bid | Ask | Call Date\nXS2641318121 | 98.25 | 98.75 | 20-Nov-2026\nUS0378331005 | 99.5 | 100 | x"
    assert {draft.printed for draft in result(table, "HY run").drafts} == {None}
