from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


def one(runs: Runs, text: str) -> Draft:
    (draft,) = runs(text).drafts
    return draft


def test_dates_currencies_and_tenors_come_from_line_and_heading(runs: Runs) -> None:
    gilt = one(runs, "GILTS\nUKT 4.25 31/07/34 99.61/66\n")
    assert (gilt.instrument.maturity, gilt.instrument.maturity_text) == (date(2034, 7, 31), "31/07/34")
    swap = one(runs, "SWAPS\nEUR 6s 2y 2.1125/75\n")
    assert (swap.instrument.currency, swap.instrument.tenor) == ("EUR", "2Y")
    assert one(runs, "HY RUN, EUR\nXYZ 5 03/34 98/99\n").instrument.currency == "EUR"


def test_a_curve_without_a_name_is_named_by_its_title(runs: Runs) -> None:
    assert one(runs, "SONIA OIS\n1Y 3.84/3.86\n").instrument.description == "SONIA OIS 1Y"
    assert one(runs, "FX forwards EURUSD\n1W 12.5/12.8 pts\n").instrument.description == "EURUSD 1W"


@pytest.mark.parametrize(
    ("lines", "is_unsure"),
    [
        ("XYZ 5 05/06/34 98/99", True),
        ("XYZ 5 05/15/34 98/99", False),
        ("XYZ 5 05/06/34 98/99\nABC 4 15/01/30 97/98", False),  # the block proves its order
        ("XYZ 5 2034-05-06 98/99", False),
        ("XYZ 5 05/34 98/99", False),
    ],
)
def test_a_date_that_reads_both_ways_where_nothing_proves_the_order_is_unsure(
    runs: Runs, lines: str, *, is_unsure: bool
) -> None:
    assert runs(f"HY RUN\n{lines}\n").drafts[0].instrument.is_due_unsure == is_unsure
