from __future__ import annotations

from datetime import date, datetime, time
from time import process_time

import pytest

from parsers.documents.workbooks.dateformat import shown_date

MOMENT = datetime(2026, 11, 8, 14, 5, 9)  # noqa: DTZ001 -- a workbook has no zones


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("dd/mm/yyyy", "08/11/2026"),
        ("m/d/yy", "11/8/26"),
        (r"dd\-mmm\-yyyy", "08-Nov-2026"),
        ("mmmm d, yyyy", "November 8, 2026"),
        ("dddd", "Sunday"),
        ("hh:mm:ss", "14:05:09"),
        ("h:mm AM/PM", "2:05 PM"),
        ("mm:ss", "05:09"),
        ("[$-409]d-mmm-yy;@", "8-Nov-26"),
        (None, "2026-11-08 14:05:09"),
        ("General", "2026-11-08 14:05:09"),
    ],
)
def test_a_moment_is_shown_as_its_format_says(code: str | None, shown: str) -> None:
    assert shown_date(MOMENT, code) == shown


def test_dates_and_times_alone_are_shown_in_iso_where_the_reader_decides() -> None:
    assert shown_date(date(2034, 5, 15), None) == "2034-05-15"
    assert shown_date(time(8, 30), None) == "08:30:00"


@pytest.mark.parametrize("code", ["y" + "[" * 200_000, "y" + '"' * 200_001, "y" + "x" * 200_000])
@pytest.mark.slow
def test_a_format_that_opens_what_it_never_closes_takes_no_time(code: str) -> None:
    began = process_time()
    shown_date(date(2034, 5, 15), code)
    assert process_time() - began < 2
