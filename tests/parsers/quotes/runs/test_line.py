from __future__ import annotations

from parsers.quotes.answers.named import Habits
from parsers.quotes.lexer.tokens import tokens
from parsers.quotes.runs.marked.line import read
from parsers.values.finding import find
from parsers.values.separators import Locale


def test_a_line_says_instrument_levels_sizes_and_remarks() -> None:
    text = "XS2641318121 ENEL 3.375 07/28 98.25/98.75 G+105/100 5x10 firm"
    reading = read(text, tokens(text, find(text)), Locale.point, Habits())
    assert [found.value for found in reading.named.identifiers] == ["XS2641318121"]
    assert (reading.named.name, reading.named.is_certain) == ("ENEL 3.375 07/28", True)
    assert [mark.token.text for mark in reading.marks] == ["98.25/98.75", "105/100"]
    assert (reading.sizes, reading.firmness) == (["5x10"], "firm")


def test_levels_take_the_instrument_of_another_line() -> None:
    one = read("98/99", tokens("98/99", []), Locale.point, Habits())
    other = "XYZ 5 03/34 notes"
    named = read(other, tokens(other, []), Locale.point, Habits()).named
    assert one.of(named).named.name == named.name
