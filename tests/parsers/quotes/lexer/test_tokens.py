from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.quotes.lexer.conventions import PLAIN, Conventions
from parsers.quotes.lexer.token import Token
from parsers.quotes.lexer.tokens import tokens
from parsers.values.finding import find

IN_32NDS = Conventions(thirty_seconds=True)


def cut(text: str, conventions: Conventions = PLAIN) -> list[Token]:
    return tokens(text, find(text, priced=True), conventions)


def kinds(text: str, conventions: Conventions = PLAIN) -> list[tuple[str, str]]:
    return [(token.kind.value, token.text) for token in cut(text, conventions)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "CHTR 4 1/2 05/32  86 1/4 - 3/4 2x2",
            [("word", "CHTR"), ("number", "4 1/2"), ("month", "05/32"), ("level", "86 1/4 - 3/4"), ("size", "2x2")],
        ),
        (
            "CALIF ST 5s of '34 3.45/3.40",
            [("word", "CALIF"), ("word", "ST"), ("series", "5s of '34"), ("level", "3.45/3.40")],
        ),
        ("OCP 2016-11X AR2 8mm", [("word", "OCP"), ("word", "2016-11X"), ("word", "AR2"), ("size", "8mm")]),
        (
            "FN 5.5 85k max 38/42",
            [("word", "FN"), ("number", "5.5"), ("word", "85k"), ("word", "max"), ("level", "38/42")],
        ),
        ("IG45 5y 0-3% 32.5/33.5", [("word", "IG45"), ("tenor", "5y"), ("tranche", "0-3%"), ("level", "32.5/33.5")]),
        ("X 104/105 vs 42.10 55d", [("word", "X"), ("level", "104/105"), ("reference", "42.10"), ("delta", "55d")]),
        (
            "ONT 62 / 60  5 x 5  CAN 3 1/4 06/34",
            [("word", "ONT"), ("level", "62 / 60"), ("size", "5 x 5"), ("bond", "CAN 3 1/4 06/34")],
        ),
        ("X 20.41 x 20.49", [("word", "X"), ("level", "20.41 / 20.49")]),
        ("FNCL 98/99 (+01)", [("word", "FNCL"), ("level", "98/99"), ("change", "(+01)")]),
        ("at 10:30 14h05", [("word", "at"), ("time", "10:30"), ("time", "14h05")]),
        ("A-1 P-1", [("word", "A-1"), ("word", "P-1")]),
    ],
)
def test_a_line_is_cut_into_its_parts(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_32nds_join_handle_and_ticks_only_when_told() -> None:
    assert kinds("99-16+/17", IN_32NDS) == [("level", "99-16+/17")]
    assert kinds("85-88") == [("level", "85-88")]
    assert kinds("99-16", IN_32NDS) == [("number", "99-16")]


def test_a_yields_word_between_two_values_belongs_to_the_second() -> None:
    price, label, yields = cut("102.40/102.80 YTC 6.41/6.26")
    assert (price.unit, label.key, yields.text) == (None, "yield_pct", "6.41/6.26")
    assert cut("3.933/3.925 yld 5x5")[0].unit == "yld"


def test_talk_takes_the_phrase_behind_it() -> None:
    assert [(token.key, token.text) for token in cut("talk LM600s dm")] == [("talk", "talk"), ("talk", "LM600s dm")]


@pytest.mark.parametrize(
    ("text", "conventions", "taken", "else_taken"),
    [
        ("T 99-16", IN_32NDS, ("number", "99-16", None), ("level", "99-16", None)),
        ("USDBRL 3M 5.47/5.48", Conventions(tenors=True), ("tenor", "3M", None), ("size", "3M", None)),
        ("ON 4.30/4.35", Conventions(tenors=True), ("tenor", "ON", None), ("word", "ON", None)),
        ("ATM +25 payer", Conventions(tenors=True), ("word", "+25", None), ("level", "25", None)),
        ("BUMP 98a", Conventions(talk=True), ("level", "98a", "talk"), ("level", "98", "ask")),
        ("BUMP sub 98", Conventions(talk=True), ("level", "sub 98", "talk"), ("label", "sub", "subject")),
        ("X 99,80 G", Conventions(geld_brief=True), ("label", "G", "bid"), ("word", "G", None)),
    ],
)
def test_what_reads_in_two_ways_has_the_reading_that_its_convention_takes(
    text: str, conventions: Conventions, taken: tuple[str, str, str | None], else_taken: tuple[str, str, str | None]
) -> None:
    for told, expected in ((conventions, taken), (PLAIN, else_taken)):
        assert expected in [(token.kind.value, token.text, token.key) for token in cut(text, told)]


def test_no_convention_changes_what_reads_in_one_way() -> None:
    line = "CHTR 4 1/2 05/32  86 1/4 / 86 3/4  2x2  vs 42.10  (+01)"
    every = Conventions(thirty_seconds=True, tenors=True, talk=True, geld_brief=True)
    assert cut(line, every) == cut(line)


def test_geld_and_brief_are_sides_in_german() -> None:
    german = Conventions(geld_brief=True)
    assert [token.key for token in cut("G 99,80 B 99,92", german)] == ["bid", None, "ask", None]


@given(st.text(max_size=200))
def test_every_stretch_belongs_to_one_token_and_nothing_raises(text: str) -> None:
    for conventions in (IN_32NDS, PLAIN):
        found = cut(text, conventions)
        assert all(0 <= token.start < token.end <= len(text) for token in found)
        assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("piece", ["1", "1.", "1/", "98.25/", "T+", "5x", "a ", "(", "½", "--", "1 1/2 "])
def test_a_long_line_is_cut_in_linear_time(piece: str) -> None:
    start = time.process_time()
    cut(piece * (5000 // len(piece)))
    assert time.process_time() - start < 5
