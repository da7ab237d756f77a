"""What stands behind figures rules out what they cannot be."""

from __future__ import annotations

import pytest

from parsers.quotes.runs.behind import BEHIND, forms_before, may_be


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("5 bid", ("word", "struct", "size")),
        ("5s 34", ("date", "series", "reference")),
        ("25 delta RR", ("date", "struct")),
        ("15.03.2034 bid", ("word", "date", "struct", "size")),
        ("03/34", ("date", "month")),
        ("0-3%", ("word", "date", "tranche")),
        ("10:30", ("word", "date", "time", "series", "struct", "tranche", "tenor", "size", "month", "reference")),
        ("98.25", ()),
    ],
)
def test_the_letter_or_mark_behind_figures_says_which_forms_they_can_have(text: str, forms: tuple[str, ...]) -> None:
    behind = BEHIND.match(text)
    assert behind is not None
    assert forms_before(behind["next"] or "", behind["figures"].count(".") > 1) == forms


@pytest.mark.parametrize(
    ("text", "pair", "size", "tenor"),
    [
        ("98.25/75", True, True, False),
        ("98.25 98.75", True, False, False),
        ("101h/102", True, False, False),
        ("98.25,98.75 bid", True, True, False),
        ("98.25 bid", False, True, False),
        ("10y", False, False, True),
        ("5mm", False, True, True),
        ("2,500,000", True, True, False),
        ("98.25", False, False, False),
    ],
)
def test_figures_are_tried_as_what_can_have_that_behind_it_alone(
    text: str,
    pair: bool,
    size: bool,
    tenor: bool,
) -> None:
    assert may_be(BEHIND.match(text)) == (pair, size, tenor)


def test_of_what_is_no_figures_nothing_is_ruled_out() -> None:
    assert may_be(None) == (True, True, True)
