from __future__ import annotations

import pytest

from parsers.document import Line
from parsers.quotes.answers.told import Told
from parsers.quotes.runs.lines.joined import Joined
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.quoted.parting import parts_of
from parsers.quotes.runs.quoted.understanding import Understood


@pytest.mark.parametrize(
    ("text", "others", "expected"),
    [
        ("F 5y 182/188 GM 5y 121/126", [13], ["F 5y 182/188", "GM 5y 121/126"]),
        ("IPTs: F 5y T+150a, GM 10y T+180a", [19], []),
        ("F 5y 182/188", [], []),
    ],
)
def test_a_line_parts_where_its_second_quote_begins(text: str, others: list[int], expected: list[str]) -> None:
    parts = parts_of(
        Joined(Line(1, text, 0), text, ((0, 0),)), Understood(Reading(), "cds_single", "heading", Told(()), others)
    )
    assert [part.text.strip() for part in parts] == expected


def test_the_clauses_of_a_long_line_are_all_parted_at_once() -> None:
    each = [f"XY{letter} 5 03/34 98.25/98.75" for letter in "ABCDEFGHIJKLM"]
    text = ", ".join(each)
    parts = parts_of(Joined(Line(1, text, 0), text, ((0, 0),)), Understood(Reading(), "corp_hy", "heading", Told(())))
    assert [part.text for part in parts[:3]] == each[:3]
    assert ", ".join(part.text for part in parts) == text
