from __future__ import annotations

import struct

import pytest

from parsers.documents.word.docstyles import PARAGRAPH_STYLE, TEXT_STYLE, Styles, is_on, sprms
from tests.parsers.documents.wordstyles import sheet, style

STRIKE, TWICE, HIDDEN = 0x0837, 0x2A53, 0x083C
STRUCK = (STRIKE, TWICE)


def operand(kind: int, value: int) -> bytes:
    return struct.pack("<HB", kind, value)


def told(paragraph: int, text: int | None = None) -> tuple[dict[int, bytes], dict[int, bytes]]:
    number = struct.pack("<H", paragraph)
    return {PARAGRAPH_STYLE: number}, {} if text is None else {TEXT_STYLE: struct.pack("<H", text)}


def test_sprms_of_all_sizes_follow_each_other() -> None:
    run = operand(STRIKE, 1) + struct.pack("<HI", 0x6A03, 7) + struct.pack("<HBH", 0xCA47, 2, 9) + operand(HIDDEN, 0)
    assert dict(sprms(run)) == {STRIKE: b"\1", 0x6A03: b"\7\0\0\0", 0xCA47: b"\2\t\0", HIDDEN: b"\0"}


@pytest.mark.parametrize(
    ("value", "by_style", "found"),
    [
        (1, False, True),
        (0, True, False),
        (0x80, True, True),
        (0x80, False, False),
        (0x81, True, False),
        (0x81, False, True),
    ],
)
def test_an_operand_says_on_off_as_the_style_or_its_opposite(value: int, by_style: bool, found: bool) -> None:
    assert is_on({STRIKE: bytes([value])}, STRUCK, by_style=by_style) is found


def test_what_says_nothing_is_as_its_style() -> None:
    assert (is_on({}, STRUCK, by_style=True), is_on({HIDDEN: b"\1"}, STRUCK)) == (True, False)


def test_a_style_says_what_the_one_it_is_based_on_says_unless_it_says_otherwise() -> None:
    styles = Styles(
        sheet(
            style("a", told=operand(STRIKE, 1)),
            b"",
            style("child of a", base=0),
            style("not so", base=0, told=operand(STRIKE, 0x81)),
            style("gone", told=operand(TWICE, 1)),
        )
    )
    assert [styles.is_on(STRUCK, *told(number)) for number in range(6)] == [True, False, True, False, True, False]


def test_styles_of_paragraph_and_text_turn_each_other_round() -> None:
    styles = Styles(
        sheet(style("p", told=operand(STRIKE, 1)), style("t", kind=2, told=operand(STRIKE, 1)), style("plain"))
    )
    assert [styles.is_on(STRUCK, *told(*names)) for names in ((0, 1), (2, 1), (0,))] == [False, True, True]


@pytest.mark.parametrize("cut", [0, 5, 17, 30, 40, 60])
def test_a_sheet_that_is_cut_off_or_in_circles_says_nothing(cut: int) -> None:
    whole = sheet(style("a", base=1), style("b", base=0, told=operand(HIDDEN, 0)))
    assert not Styles(whole).is_on((HIDDEN,), *told(0))
    assert not Styles(whole[:cut]).is_on((HIDDEN,), *told(0))
