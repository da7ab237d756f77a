"""With which characters a match can begin, and how far what reads along with a pattern comes."""

from __future__ import annotations

import re

import pytest

from parsers.values.gates import Beginning, reached


@pytest.mark.parametrize(
    ("pattern", "characters"),
    [
        (r"(?:sofr|[ez])\+", "sez"),
        (r"(?i:x)?\d{2}", "xX0123456789"),
        (r"(?:a(?=b)|(?<!q)c){0,2}d", "acd"),
        (r"(?P<one>a)?(?(one)b|c)", "abc"),
        (r"[^\W\d_]{3}", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ],
)
def test_a_match_begins_with_one_of_the_characters_that_its_pattern_allows(pattern: str, characters: str) -> None:
    assert Beginning.of(re.compile(pattern)).characters == set(characters)


def test_beyond_ascii_nothing_is_shut_out() -> None:
    assert Beginning.of(re.compile("a")).passes("ä")
    assert not Beginning.of(re.compile("a")).passes("b")


def test_a_reader_beside_a_pattern_stops_where_it_does_not_go_on() -> None:
    found = reached(re.compile(r"\d{2}(?:x|y?)$"), 0, lambda state, one: state + 1 if one.isdigit() else None)
    assert found.stopped(2) == {"x", "y"}
    assert found.ends == {2}
