from __future__ import annotations

from collections.abc import Callable

from parsers.documents.text import text_lines
from parsers.quotes.context import PartContext
from parsers.quotes.runs.account import account


def test_only_the_line_asked_for_is_told_of(part: Callable[..., PartContext]) -> None:
    lines = list(text_lines("HY RUN\nXYZ 5 03/15/34 98/99\nABC 4 01/15/30 YTW 5.1/5.0\n"))
    first, second = (account(lines, part(), number) for number in (2, 3))
    assert "class corp_hy by a heading over the line names corp_hy" in first
    assert "`98/99`: no word beside it says what it is" in first
    assert "`5.1/5.0`: beside it stand measure yield_pct" in second
    assert account(lines, part(), 1) == ()
