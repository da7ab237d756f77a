from __future__ import annotations

import pytest

from parsers.document import Line
from parsers.quotes.runs.joined import Joined
from parsers.quotes.runs.parting import parts_of
from parsers.quotes.runs.reading import Reading
from parsers.quotes.runs.understanding import Understood


@pytest.mark.parametrize(
    ("text", "second", "expected"),
    [
        ("F 5y 182/188 GM 5y 121/126", 13, ["F 5y 182/188", "GM 5y 121/126"]),
        ("IPTs: F 5y T+150a, GM 10y T+180a", 19, []),
        ("F 5y 182/188", None, []),
    ],
)
def test_a_line_parts_where_its_second_quote_begins(text: str, second: int | None, expected: list[str]) -> None:
    parts = parts_of(Joined(Line(1, text, 0), text, ((0, 0),)), Understood(Reading(), "cds_single", "heading", second))
    assert [part.text.strip() for part in parts] == expected
