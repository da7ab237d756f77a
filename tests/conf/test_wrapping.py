"""conf.wrapping"""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from conf.wrapping import wrapped

TEXTS = (
    "",
    "  ",
    "a line of plain words",
    "x" * 90,
    "日本国債 " * 9,
    "a" * 30 + "日" * 30 + " b",
    "a  b" + " " * 50 + "c",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("head", ["", "mail    "])
def test_no_line_is_wider_and_nothing_but_blanks_between_lines_is_lost(text: str, head: str) -> None:
    for width in range(len(head) + 2, 100):
        lines = list(wrapped(text, width, head))
        assert max(map(cell_len, lines)) <= width
        assert lines[0].startswith(head)
        assert all(line.startswith(" " * len(head)) for line in lines[1:])
        whole = "".join(line[len(head) :] for line in lines)
        assert re.sub(r"\s", "", whole) == re.sub(r"\s", "", text)


def test_lines_end_at_blanks_and_go_on_below_their_text() -> None:
    assert list(wrapped("one two  three", 12, "text  ")) == ["text  one", "      two", "      three"]
    assert list(wrapped("one two  three", 14, "text  ")) == ["text  one two", "      three"]


def test_without_an_edge_a_text_is_one_line() -> None:
    assert list(wrapped("word " * 100, None, "text  ")) == ["text  " + "word " * 100]


def test_carets_stand_below_their_characters_in_whichever_line_these_come() -> None:
    text, carets = "at 98.25/98.75 日本 99", "   ^^^^^ ^^^^^    ^^"
    assert list(wrapped(text, None, "> ", carets)) == ["> " + text, "     ^^^^^ ^^^^^      ^^"]
    assert list(wrapped(text, 16, "> ", carets)) == [
        "> at 98.25/98.75",
        "     ^^^^^ ^^^^^",
        "  日本 99",
        "       ^^",
    ]
