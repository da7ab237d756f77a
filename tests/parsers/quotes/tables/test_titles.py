"""The title that names what a grid is of."""

from __future__ import annotations

import pytest

from parsers.document import Grid, Line
from parsers.quotes.headings.columns import column
from parsers.quotes.tables.around.titles import name_between, title_of

NAMES = (("sheet", None), ("file", None), ("subject", "EUR swaptions, ATM"))
TENOR = (column(0, ("Expiry",)),)


@pytest.mark.parametrize("title", ["bp/annum, mids", "as of 09:30", "Levels in bp"])
def test_a_title_that_only_says_what_levels_are_names_nothing(title: str) -> None:
    assert title_of(TENOR, (title,), "subject", NAMES) == "EUR swaptions, ATM"


@pytest.mark.parametrize("title", ["EUR", "Telecom Italia", "USD SOFR OIS"])
def test_a_title_above_a_grid_names_it(title: str) -> None:
    assert title_of(TENOR, (title,), "subject", NAMES) == title


def test_a_sheet_that_is_named_as_a_curve_names_it() -> None:
    assert title_of(TENOR, (), "subject", (("sheet", "USDMXN"), ("subject", "Vols"))) == "USDMXN"


@pytest.mark.parametrize(
    ("text", "named"), [("Stellantis", ("Stellantis",)), ("Source: our desk.", ()), ("* subject", ())]
)
def test_a_line_between_two_grids_names_the_second_if_it_is_no_note(text: str, named: tuple[str, ...]) -> None:
    line = Line(2, text, 10)
    assert name_between([Line(1, "CDS curves", 0), Grid(()), line]) == named
    assert name_between([line]) == ()
