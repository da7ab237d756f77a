"""A market of a line that no quote is made of is refused beside those that are read, and told of the line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.codes import Code
from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.runs import RunResult
from parsers.quotes.runs.account import account

Runs = Callable[..., RunResult]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("XYZ 5 33 T+85/80 F 6 34 T+92/88", ["`92/88` was not read"]),
        ("XYZ 5 33 T+85/80 98.5/98.75 5.2/5.17", []),
        ("XYZ 5 03/34 98.25/98.75 2x5", []),
        ("XYZ 5 03/34 98.25/98.75 +110/105 +92/88", ["`+92/88` was not read"]),
    ],
)
def test_a_market_that_is_not_read_is_refused(runs: Runs, text: str, lost: list[str]) -> None:
    found = runs(text, "USD IG")
    assert len(found.drafts) == 1
    assert [(reject.code, reject.detail) for reject in found.rejects] == [
        (Code.ROW_AMBIGUOUS_NUMBER, one) for one in lost
    ]


def test_a_bond_has_no_second_market_by_a_tenor(runs: Runs) -> None:
    found = runs("JPM PRD 5.75  24.85/24.95  52wk 23.10-25.90", "$25 par preferreds")
    assert [[str(level.bid_raw) for level in draft.levels] for draft in found.drafts] == [["24.85"]]
    assert [reject.detail for reject in found.rejects] == ["`23.10-25.90` was not read"]


def test_the_account_of_a_line_tells_what_of_it_was_not_read(part: Callable[..., PartContext]) -> None:
    told = account(list(text_lines("XYZ 5 33 T+85/80 F 6 34 T+92/88")), part("USD IG"), 1)
    assert "`92/88` is printed, and was not read" in told


@pytest.mark.parametrize(
    ("text", "subject", "code"),
    [
        ("65481CAC8 NAROT 2025-A A3\n100.18/100.27\n", "ABS run", Code.ROW_NO_INSTRUMENT),
        ("03065WAF2\n100.18/100.27\n", "ABS run", Code.ROW_NO_INSTRUMENT),
        ("T+85/80\n", "run", Code.ROW_NO_INSTRUMENT),
        ("87249CAF8  TICP 2019-13A ER   sub 97\n", "CLO run", Code.ROW_NO_PRICE),
        ("USD Swap 5y, 5.000, 1.607\n", "swaps", Code.ROW_AMBIGUOUS_NUMBER),
        ("67092LB18  OCTW 2021-1A D     3.5\n", "CLO BWIC Thu 10:30", Code.ROW_AMBIGUOUS_NUMBER),
    ],
)
def test_figures_that_make_no_quote_are_refused(text: str, subject: str, code: Code, runs: Runs) -> None:
    found = runs(text, subject)
    assert (found.drafts, [reject.code for reject in found.rejects]) == ((), [code])


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("1993 - 1994\n", "run"),  # years
        ("10/12\n", "run"),
        ("037833100 AAPL 3.5 33\n", "USD IG"),  # its maturity
        ("05875LC28  BALLY 2022-20A CR   5\n", "CLO BWIC"),  # a size
        ("Rocher & Valmy SA, 12 rue imaginaire 69002 Lyon - tel 04 78 00 11 22\n", "USD IG"),
    ],
)
def test_figures_that_are_meant_for_no_level_are_not(text: str, subject: str, runs: Runs) -> None:
    found = runs(text, subject)
    assert (found.drafts, found.rejects) == ((), ())


def test_a_whole_number_in_front_of_a_market_is_no_level_of_its_own(runs: Runs) -> None:
    found = runs("Wolfram 5Y 120 45/50\n", "Single name CDS")
    assert [[str(level.bid_raw) for level in draft.levels] for draft in found.drafts] == [["45"]]
    assert [reject.detail for reject in found.rejects] == ["`120` was not read"]
