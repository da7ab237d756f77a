from __future__ import annotations

from datetime import date

import pytest

from parsers.values.times.dates import DateOrder, is_date, maturity, month_year


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("05/06/34", DateOrder.mdy, date(2034, 5, 6)),
        ("05/06/34", DateOrder.dmy, date(2034, 6, 5)),
        ("15/05/2034", DateOrder.mdy, date(2034, 5, 15)),
        ("15.08.2033", DateOrder.mdy, date(2033, 8, 15)),
        ("2034-05-15", DateOrder.dmy, date(2034, 5, 15)),
        ("03-Jun-27", DateOrder.mdy, date(2027, 6, 3)),
        ("27-nov-2031", DateOrder.dmy, date(2031, 11, 27)),
        ("15 août 2030", DateOrder.dmy, date(2030, 8, 15)),
        ("Aug 15, 2034", DateOrder.dmy, date(2034, 8, 15)),
        ("Jun 2/33", DateOrder.mdy, date(2033, 6, 2)),
        ("15AUG34", DateOrder.mdy, date(2034, 8, 15)),
        ("20340815", DateOrder.mdy, date(2034, 8, 15)),
    ],
)
def test_a_whole_date_is_read_in_the_blocks_order(text: str, order: DateOrder, expected: date) -> None:
    found = maturity(text, order)
    assert found is not None
    assert found.date == expected


@pytest.mark.parametrize(
    "text",
    [
        "05/34",
        "04/2033",
        "ago/50",
        "abr-29",
        "Mai 26",
        "févr. 28",
        "dic 30",
        "PERP",
        "PERP c28",
        "'34",
        "2034",
        "12/13",
    ],
)
def test_a_month_a_year_or_a_perpetual_keeps_its_text_and_has_no_date(text: str) -> None:
    found = maturity(text, DateOrder.dmy)
    assert found is not None
    assert (found.date, found.text) == (None, text)


@pytest.mark.parametrize("text", ["98.25", "13/45", "99/00", "5y", "", "31/02/2034", "x" * 40])
def test_what_is_no_maturity_is_none(text: str) -> None:
    assert maturity(text, DateOrder.dmy) is None


def test_a_date_that_reads_both_ways_is_ambiguous() -> None:
    found = maturity("05/06/34", DateOrder.mdy)
    certain = maturity("05/15/34", DateOrder.mdy)
    assert found is not None
    assert certain is not None
    assert (found.ambiguous, certain.ambiguous) == (True, False)


def test_dates_are_told_from_prices() -> None:
    assert is_date("15/08/2034")
    assert not is_date("98.25")


def test_a_benchmark_needs_month_and_year_alone() -> None:
    assert month_year("06/34") == (6, 2034)
    assert month_year("Jun-34") == (6, 2034)
    assert month_year("PERP") is None


@pytest.mark.parametrize("text", ["15 aprıl 2034", "15 ſep 2034", "aprıl 15, 2034", "ſep 34"])
def test_a_month_with_letters_that_only_a_pattern_folds_is_none(text: str) -> None:
    found = maturity(text, DateOrder.dmy)
    assert found is None or found.date is None
    assert month_year(text) is None
