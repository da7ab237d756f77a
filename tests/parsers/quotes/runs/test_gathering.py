from __future__ import annotations

import pytest

from parsers.quotes.lexer.token import LEVEL, Token
from parsers.quotes.runs.levels.gathering import gathered
from parsers.quotes.runs.marked.reading import Mark


def mark(text: str, side: str | None = None, *, prefix: str | None = None, unit: str | None = None) -> Mark:
    return Mark(Token(LEVEL, 0, len(text), text, prefix=prefix, unit=unit), side=side)


@pytest.mark.parametrize(
    ("marks", "asset_class", "expected"),
    [
        ([mark("98.5", "bid"), mark("99", "ask")], "corp_hy", ["98.5 / 99"]),
        ([mark("98 1/2", "bid"), mark("99 1/4", "ask")], "corp_hy", ["98 1/2 / 99 1/4"]),
        ([mark("1.9"), mark("98.5", "bid")], "abs", ["98.5"]),
        ([mark("12.5", "bid"), mark("14", "ask")], "clo", ["12.5 / 14"]),
        ([mark("100.25 / 345", "ask", unit="dm")], "clo", ["100.25", "345"]),
        ([mark("99.25 / 655", unit="dm")], "clo", ["99.25", "655"]),
        ([mark("62/58", unit="dm")], "frn", ["62/58"]),
        ([mark("95.625/96.125"), mark("0.25", prefix="")], "corp_hy", ["95.625/96.125"]),
        ([mark("50", prefix=""), mark("90.5/92")], "swaption", ["90.5/92"]),
    ],
)
def test_a_line_has_as_many_levels_as_it_states(marks: list[Mark], asset_class: str, expected: list[str]) -> None:
    assert [found.token.text for found in gathered(marks, asset_class)] == expected
