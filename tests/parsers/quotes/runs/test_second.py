from __future__ import annotations

import pytest

from parsers.quotes.lexer.conventions import Conventions
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.quoted.second import further_instruments, second_instrument


@pytest.mark.parametrize(
    ("text", "curves", "expected"),
    [
        ("F 5y 182/188 GM 5y 121/126", True, "GM 5y 121/126"),
        ("10y OTR 4.10/4.00 GC 4.35/4.32", True, "GC 4.35/4.32"),
        ("BAC 5 03/34 T+85/80 JPM 4.9 07/33 T+72/69", False, "JPM 4.9 07/33 T+72/69"),
        ("XYZ 5 03/34 98/99 YTC 6.41/6.26", False, None),
        ("XYZ 5 03/34 98/99 Z+412/402 5x5 Call", False, None),
        ("F 5y 182/188", True, None),
        ("MEX 34 98.5/99 COLOM 33 101/102", False, "COLOM 33 101/102"),
        ("Bobl 117.20/22 Bund 131.40/42", False, "Bund 131.40/42"),
        ("Ford 98.5/99 Spread 101.5/102", False, None),
    ],
)
def test_a_second_instrument_begins_behind_a_level(text: str, curves: bool, expected: str | None) -> None:
    at = second_instrument(tokens(text, [], Conventions(tenors=curves)), curves=curves)
    assert (text[at:] if at is not None else None) == expected


def test_of_a_long_line_all_further_instruments_are_found_at_once() -> None:
    each = [f"AB{letter} 5y {at + 45}/{at + 46}" for at, letter in enumerate("CDEFGHIJKLMNOPQRSTUV")]
    text = " ".join(each)
    starts = further_instruments(tokens(text, [], Conventions(tenors=True)), curves=True)
    assert [text[at:].startswith(one) for at, one in zip(starts, each[1:], strict=True)] == [True] * 19
    short = " ".join(each[:3])
    assert len(further_instruments(tokens(short, [], Conventions(tenors=True)), curves=True)) == 1
