"""docs/codes.md: every code that a column may hold, and the confidence's factors as they are."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from parsers.codes import EXPECTED_CODES, AssetClass, Code, Flag, QuoteKind, QuoteType
from parsers.quotes.confidence import ACCEPTED, NO_CLASS, NO_HEADER, NO_IDENTIFIER, REVIEW, WEIGHTS

PAGE = (Path(__file__).parents[2] / "docs" / "codes.md").read_text("utf-8")


def rows(heading: str) -> dict[str, list[str]]:
    """The cells behind the code, by code."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [re.split(r" *\| *", line.strip("| ")) for line in section.splitlines() if line.startswith("| `")]
    return {first.strip("`"): rest for first, *rest in cells}


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Reject codes", Code),
        ("Flags and confidence", Flag),
        ("Quote types", QuoteType),
        ("Quote kinds", QuoteKind),
        ("Asset classes", AssetClass),
    ],
)
def test_the_page_explains_every_code_of_a_list_and_no_other(heading: str, codes: type[StrEnum]) -> None:
    explained = rows(heading)
    assert list(explained) == [str(code) for code in codes]
    assert all(any(cells) for cells in explained.values())


def test_the_page_says_which_codes_need_nobodys_attention() -> None:
    assert {code for code, cells in rows("Reject codes").items() if "yes" in cells} == EXPECTED_CODES


def test_the_page_has_the_factors_of_the_confidence() -> None:
    told = {flag: cells[0] for flag, cells in rows("Flags and confidence").items()}
    assert told == {str(flag): str(WEIGHTS.get(flag, "")) for flag in Flag}
    for number in (NO_CLASS, NO_HEADER, NO_IDENTIFIER, ACCEPTED, REVIEW):
        assert str(number) in PAGE
