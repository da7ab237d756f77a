from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.document import Line
from parsers.documents.text import read_text, text_lines


def test_lines_have_numbers_and_offsets_and_blank_ones_count() -> None:
    document = read_text(b"HY run\r\n\r\nCHTR 4.5 32 86/87\rT 4 34\n")
    assert [(line.number, line.text, line.char_start) for line in document.blocks] == [  # type: ignore[union-attr]
        (1, "HY run", 0),
        (2, "", 8),
        (3, "CHTR 4.5 32 86/87", 10),
        (4, "T 4 34", 28),
    ]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_line_stands_at_its_offset(text: str) -> None:
    for line in text_lines(text):
        assert text[line.char_start : line.char_start + len(line.text)] == line.text
        assert "\n" not in line.text
        assert "\r" not in line.text


def test_quoted_lines_say_so() -> None:
    assert [line.quoted for line in text_lines("mine\n> theirs\n>> older\n")] == [False, True, True]


def test_soft_breaks_of_flowed_text_are_undone_and_the_first_line_gives_the_number() -> None:
    document = read_text(b"CHTR 4 1/2 32 \r\n86 1/4 - 3/4\r\nnext\r\n-- \r\nRemy\r\n", flowed=True)
    assert [(line.number, line.text) for line in document.blocks] == [  # type: ignore[union-attr]
        (1, "CHTR 4 1/2 32 86 1/4 - 3/4"),
        (3, "next"),
        (4, "-- "),
        (5, "Remy"),
    ]


def test_flowed_text_joins_only_lines_of_one_quote_depth() -> None:
    document = read_text(b"> a \r\n> b\r\nc \r\n> d\r\n", flowed=True)
    assert [line.text for line in document.blocks] == ["> a b", "c ", "> d"]  # type: ignore[union-attr]


def test_with_delsp_the_space_belongs_to_the_break() -> None:
    document = read_text(b"99.1 \r\n25\r\n", flowed=True, delsp=True)
    assert [line.text for line in document.blocks] == ["99.125"]  # type: ignore[union-attr]


def test_a_paragraph_of_many_soft_lines_takes_no_longer_than_its_text_is_long() -> None:
    began = process_time()
    (line,) = read_text(b"word \n" * 100_000, flowed=True).blocks
    assert isinstance(line, Line)
    assert len(line.text) == 500_000
    assert process_time() - began < 5


def test_a_text_of_more_lines_than_are_read_says_that_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parsers.documents.text.MAX_LINES", 3)
    assert not read_text(b"a\nb\nc").truncated
    document = read_text(b"a\nb\nc\nd")
    assert [block.text for block in document.blocks if isinstance(block, Line)] == ["a", "b", "c"]
    assert document.truncated


def test_characters_without_width_are_no_text_and_part_no_number() -> None:
    document = read_text("HY\u200b run\nCHTR 4.5 32 8\u00ad6/8\ufeff7\n".encode())
    assert [(line.text, line.char_start) for line in document.blocks] == [  # type: ignore[union-attr]
        ("HY run", 0),
        ("CHTR 4.5 32 86/87", 7),
    ]
