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
    ],
)
def test_a_market_that_is_not_read_is_refused(runs: Runs, text: str, lost: list[str]) -> None:
    found = runs(text, "USD IG")
    assert len(found.drafts) == 1
    assert [(reject.code, reject.detail) for reject in found.rejects] == [
        (Code.ROW_AMBIGUOUS_NUMBER, one) for one in lost
    ]


def test_the_account_of_a_line_tells_what_of_it_was_not_read(part: Callable[..., PartContext]) -> None:
    told = account(list(text_lines("XYZ 5 33 T+85/80 F 6 34 T+92/88")), part("USD IG"), 1)
    assert "`92/88` is printed, and was not read" in told
