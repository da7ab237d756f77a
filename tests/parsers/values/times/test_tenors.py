from __future__ import annotations

import pytest

from parsers.values.times.tenors import tenor, tenor_first, tenor_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5y", "5Y"),
        ("10yr", "10Y"),
        ("3M", "3M"),
        ("18 mo", "18M"),
        ("1y10y", "1Y10Y"),
        ("1Y x 10Y", "1Y10Y"),
        ("O/N", "ON"),
        ("tom/next", "TN"),
        ("10 Jahre", "10Y"),
        ("5 ans", "5Y"),
        ("2 años", "2Y"),
        ("1W", "1W"),
        ("10a", "10Y"),
    ],
)
def test_a_tenor_is_written_one_way(text: str, expected: str) -> None:
    assert tenor(text) == expected


@pytest.mark.parametrize("text", ["", "98.25", "y", "5x5", "year", "1" * 30, "144A", "99.5a"])
def test_what_is_no_tenor_is_none(text: str) -> None:
    assert tenor(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("single names, 5y unless stated", "5Y"),
        ("3 Jahre", "3Y"),
        ("alles 5J Senior", "5Y"),
        ("5y and 10y", None),
        ("no point", None),
    ],
)
def test_a_heading_names_a_tenor_by_its_only_point_or_as_a_whole(text: str, expected: str | None) -> None:
    assert tenor_in(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5y USD, 23-Nov 09:00", "5Y"), ("5Y, USD", "5Y"), ("1M NDF outrights", "1M"), ("1M of colour", None)],
)
def test_a_heading_is_a_tenor_up_to_its_comma_or_to_the_forwards_of_it(text: str, expected: str | None) -> None:
    assert tenor_first(text) == expected


@pytest.mark.parametrize("text", ["5 yearſ", "1 dayſ 5 year"])
def test_a_unit_with_letters_that_only_a_pattern_folds_is_none(text: str) -> None:
    assert tenor(text) is None
