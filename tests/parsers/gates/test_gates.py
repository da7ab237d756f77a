"""With which characters a match can begin, and how far what reads along with a pattern comes."""

from __future__ import annotations

import re

import pytest

from parsers.gates.gates import Beginning, Figured, reached


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


@pytest.mark.parametrize("pattern", [r"\d", r"a[0-9]+b", r"(?:x\d|y[57]|z3)?\d{1,2}", r"(?<=a)(?:8|9)"])
def test_a_gate_of_figures_takes_patterns_of_which_every_match_has_a_digit(pattern: str) -> None:
    gate = Figured.of(re.compile(pattern))
    assert gate.passes("at 5")
    assert gate.passes("٣")
    assert not gate.passes("five ½")


@pytest.mark.parametrize("pattern", [r"\d?a", r"\d|a", r"[\dx]", r"\w", r"[^a]", r"(?=\d)\w", r"[½\d]"])
def test_a_gate_of_figures_refuses_a_pattern_that_can_match_without(pattern: str) -> None:
    with pytest.raises(ValueError, match="needs no digit"):
        Figured.of(re.compile(pattern))
