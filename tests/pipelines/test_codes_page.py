"""docs/codes.md: every code that a column may hold, and which of them no row is accepted with."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from parsers.codes import EXPECTED_CODES, AssetClass, Code, Flag, QuoteKind, QuoteType
from parsers.quotes.trust.trust import AT_MOST_REVIEW

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


def test_the_page_says_which_flags_keep_a_row_from_being_accepted() -> None:
    told = PAGE.partition("Three doubts no sum\noutweighs: rows that are ")[2].partition(" are never accepted")[0]
    assert {f"flag.{flag}" for flag in re.findall(r"`(\w+)`", told)} == AT_MOST_REVIEW - {
        "heading.unheaded",
        "digits.day",
    }
