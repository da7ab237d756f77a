from __future__ import annotations

import pytest

from parsers.quotes.answers.describing import described
from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Medline (Mozart) TL", ["Medline (Mozart) TL"]),
        ("SAMI 2006-AR7 A1A 12mm cf", ["SAMI 2006-AR7 A1A"]),
        ("USDMXN 1M 25RR", ["USDMXN 1M 25RR"]),
        ("of ACME 5 NOTES at", ["ACME 5 NOTES"]),
    ],
)
def test_a_name_is_as_written_without_sizes_and_fillers(text: str, expected: list[str]) -> None:
    assert described(text, tokens(text, [], Conventions(tenors=True))) == expected
