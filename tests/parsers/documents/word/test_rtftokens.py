from __future__ import annotations

from itertools import groupby

import pytest

from parsers.documents.word.rtftokens import Token, tokens


def read(rtf: bytes) -> list[Token]:
    return list(tokens(rtf))


def text(rtf: bytes) -> str:
    return "".join(token.value for token in tokens(rtf) if token.kind == "text")


def test_groups_control_words_and_text_are_told_apart() -> None:
    assert read(rb"{\rtf1\b0 98.25\par}") == [
        Token("open"),
        Token("word", "rtf", 1),
        Token("word", "b", 0),
        Token("text", "98.25"),
        Token("word", "par"),
        Token("close"),
    ]


@pytest.mark.parametrize(
    ("rtf", "expected"),
    [
        pytest.param(rb"98\'bd", "98½", id="a byte of the code page"),
        pytest.param(rb"\ansicpg1250 za\'bf", "zaż", id="of the page that the file names"),
        pytest.param(rb"\ansicpg932 \'83\'41", "ア", id="two bytes, one character"),
        pytest.param(rb"\ansicpg99999 98\'bd", "98½", id="a page that nobody knows"),
        pytest.param(rb"\u189?99", "½99", id="one character stands in"),
        pytest.param(rb"\uc2\u8211 ab1", "–1", id="two stand in"),
        pytest.param(rb"{\uc0\u189}\u189?9", "½½9", id="until the group ends"),
        pytest.param(rb"\u-3913 ?", "\uf0b7", id="numbers are signed"),
        pytest.param(rb"\u-10179 ?", "\ufffd", id="half a surrogate"),
        pytest.param(rb"98\~1\_2\-3\{\}\\", "98\u00a01-23{}\\", id="symbols"),
        pytest.param(b"98\r\n.25", "98.25", id="line ends of the file are none of the text"),
    ],
)
def test_characters_are_decoded(rtf: bytes, expected: str) -> None:
    assert text(rtf) == expected


def test_binary_data_is_stepped_over() -> None:
    assert text(rb"a{\bin5 {{{{{}b") == "ab"
    assert text(rb"a\bin99999999 x") == "a"


def test_groups_deeper_than_any_file_has_open_no_more() -> None:
    kinds = [token.kind for token in tokens(b"{" * 100_000 + b"}" * 100_000)]
    (opened, closed) = [(kind, len(list(group))) for kind, group in groupby(kinds)]
    assert (opened[0], closed[0]) == ("open", "close")
    assert opened[1] == closed[1] < 1_000


@pytest.mark.parametrize("rtf", [b"\\", b"", b"}}}", b"\\'", b"\\'zz"])
def test_damage_at_the_end_gives_no_text_and_no_error(rtf: bytes) -> None:
    assert text(rtf) in {"", "zz"}
