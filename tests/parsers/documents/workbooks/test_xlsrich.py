from __future__ import annotations

import struct

import pytest

from parsers.documents.workbooks.looks import Font
from parsers.documents.workbooks.xlsrich import font_at, rich_strings

PLAIN, STRUCK, RAISED = Font(), Font(struck=True), Font(raised=True)
FONTS = [PLAIN, STRUCK, RAISED]


def string(text: str, *runs: tuple[int, int], wide: bool = False, extension: bytes = b"") -> bytes:
    flags = (8 if runs else 0) | (4 if extension else 0) | wide
    head = struct.pack("<HB", len(text), flags)
    head += struct.pack("<H", len(runs)) if runs else b""
    head += struct.pack("<L", len(extension)) if extension else b""
    body = text.encode("utf-16-le" if wide else "latin-1")
    return head + body + b"".join(struct.pack("<HH", *run) for run in runs) + extension


def table(*strings: bytes) -> bytes:
    return struct.pack("<LL", len(strings), len(strings)) + b"".join(strings)


def shown(*records: bytes) -> dict[int, tuple[str, bool]]:
    return {number: text.standing(struck=False) for number, text in rich_strings(records, FONTS).items()}


def test_strings_with_struck_and_raised_parts_are_found_by_their_number() -> None:
    data = table(
        string("ISIN"),
        string("98.251", (5, 2)),
        string("97.25 98.25", (0, 1), (5, 0), extension=b"phonetic"),
        string("98\u00bd\u20ac", (2, 0), wide=True),
        string("97", (0, 1)),
    )
    assert shown(data) == {1: ("98.25¹", False), 2: ("  98.25", False), 4: ("97", True)}


INSIDE = {**dict.fromkeys([*range(11, 15), *range(20, 26)], b"\0"), **dict.fromkeys(range(35, 59, 2), b"\1")}  # a text
TORN = range(36, 59, 2)  # a character, which no writer does


@pytest.mark.parametrize("cut", [cut for cut in range(8, 63) if cut not in TORN])
def test_a_table_goes_on_in_another_record_wherever_the_first_is_full(cut: int) -> None:
    whole = table(string("ISIN"), string("98.251", (5, 2)), string("Kurs\u20ac 97.251", (11, 2), wide=True))
    assert shown(whole[:cut], INSIDE.get(cut, b"") + whole[cut:]) == {
        1: ("98.25¹", False),
        2: ("Kurs\u20ac 97.25¹", False),
    }


def test_a_table_that_breaks_off_has_the_strings_before() -> None:
    data = table(string("98.251", (5, 2)), string("99.251", (5, 2)))
    assert [list(shown(data[:end])) for end in (8, 20, len(data) - 1, len(data))] == [[], [], [0], [0, 1]]


def test_a_workbook_may_have_no_table() -> None:
    assert rich_strings([], FONTS) == rich_strings([b"no table"], FONTS) == {}


def test_there_is_no_font_of_the_number_4() -> None:
    fonts = [Font(), Font(), Font(), Font(), STRUCK]
    assert [font_at(fonts, number) for number in (4, 5, 6)] == [STRUCK, STRUCK, None]
