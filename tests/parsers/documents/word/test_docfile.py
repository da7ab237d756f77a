from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.documents.word import docfile
from parsers.documents.word.docfile import Paragraph, paragraphs
from parsers.documents.word.docstyles import PARAGRAPH_STYLE, TEXT_STYLE
from tests.parsers.documents.wordstyles import sheet, style

TEXT_AT = 0x800  # where the text stands in the stream; its formatted disk pages stand before it
PAGE_NUMBER = 3


def streams(
    pieces: list[tuple[str, bool]],
    looks: list[tuple[int, bytes]] | None = None,
    fonts: list[tuple[int, bytes]] | None = None,
    styles: bytes = b"",
) -> tuple[bytes, bytes]:
    """The streams of a file as Word writes it, by [MS-DOC].

    Args:
        pieces: texts in their order, and whether each is stored with one byte a character.
        looks: of paragraphs, in bytes from the text's begin: the first byte, and the sprms.
        fonts: of characters, in the same way.
        styles: the style sheet.
    """
    text, ends, descriptors = b"", [0], b""
    for piece, is_narrow in pieces:
        at = TEXT_AT + len(text)
        descriptors += struct.pack("<HIH", 0, at * 2 | 0x40000000 if is_narrow else at, 0)
        text += piece.encode("cp1252") if is_narrow else piece.encode("utf-16-le")
        ends.append(ends[-1] + len(piece))
    plc = struct.pack(f"<{len(ends)}I", *ends) + descriptors
    properties = b"\x01" + struct.pack("<H", 3) + b"abc"  # of a piece: to be passed over
    clx = properties + b"\x02" + struct.pack("<I", len(plc)) + plc
    papx = struct.pack("<III", 0, 2**20, PAGE_NUMBER)
    document = bytearray(TEXT_AT)
    struct.pack_into("<HH", document, 0, 0xA5EC, 0x00C1)
    struct.pack_into("<I", document, 0x4C, ends[-1])
    chpx = struct.pack("<III", 0, 2**20, PAGE_NUMBER - 1)
    struct.pack_into("<II", document, 0xFA, len(clx) + len(papx), len(chpx))
    struct.pack_into("<II", document, 0x102, len(clx), len(papx))
    struct.pack_into("<II", document, 0x1A2, 0, len(clx))
    struct.pack_into("<II", document, 0xA2, len(clx) + len(papx) + len(chpx), len(styles))
    document[PAGE_NUMBER * 512 : PAGE_NUMBER * 512 + 512] = page(looks or [(0, b"")])
    return bytes(document[: 512 * PAGE_NUMBER - 512]) + font_page(fonts or [(0, b"")]) + bytes(
        document[512 * PAGE_NUMBER :]
    ) + text, clx + papx + chpx + styles


def font_page(fonts: list[tuple[int, bytes]]) -> bytes:
    """A formatted disk page of characters; the FIB is before it."""
    made, at = bytearray(512), 510
    made[511] = len(fonts)
    firsts = [TEXT_AT + first for first, _ in fonts] + [TEXT_AT + 10_000]
    struct.pack_into(f"<{len(firsts)}I", made, 0, *firsts)
    for number, (_, sprms) in enumerate(fonts):
        if sprms:
            at -= 2 * (len(sprms) // 2 + 1)
            made[at : at + len(sprms) + 1] = bytes([len(sprms)]) + sprms
            made[4 * len(firsts) + number] = at // 2
    return bytes(made)


def page(looks: list[tuple[int, bytes]]) -> bytes:
    """A formatted disk page of paragraphs."""
    made, at = bytearray(512), 510
    made[511] = len(looks)
    firsts = [TEXT_AT + first for first, _ in looks] + [TEXT_AT + 10_000]
    struct.pack_into(f"<{len(firsts)}I", made, 0, *firsts)
    for number, (_, sprms) in enumerate(looks):
        if not sprms:
            continue
        content = b"\0\0" + sprms  # a style, then the sprms
        if sprms[:2] == struct.pack("<H", PARAGRAPH_STYLE):
            content = sprms[2:]
        content = struct.pack("BB", 0, (len(content) + 1) // 2) + content
        at -= len(content) + len(content) % 2
        made[at : at + len(content)] = content
        made[4 * len(firsts) + 13 * number] = at // 2
    return bytes(made)


CELL = struct.pack("<HB", 0x2416, 1)
ROW_END = struct.pack("<HB", 0x6649 & 0xFFFF, 1) + bytes(3) + CELL + struct.pack("<HB", 0x2417, 1)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Paragraph]]:
    def from_streams(*given: object) -> list[Paragraph]:
        monkeypatch.setattr(docfile, "_streams", lambda _: streams(*given))  # type: ignore[arg-type]
        return list(paragraphs(b""))

    return from_streams


def test_pieces_of_either_width_are_joined_to_paragraphs(read: Callable[..., list[Paragraph]]) -> None:
    found = read([("XS1 98", True), ("½ – 99\rnext", False), (" one", True)])
    assert found == [Paragraph("XS1 98½ – 99"), Paragraph("next one")]


def test_cells_and_rows_end_where_the_pages_say_so(read: Callable[..., list[Paragraph]]) -> None:
    text = "over\r" + "A\x07" + "\x07" + "\x07" + "under\r"
    looks = [(0, b""), (5, CELL), (8, ROW_END), (9, b"")]
    assert read([(text, True)], looks) == [
        Paragraph("over"),
        Paragraph("A", in_table=True, ends_cell=True),
        Paragraph("", in_table=True, ends_cell=True),
        Paragraph("", in_table=True, ends_cell=True, ends_row=True),
        Paragraph("under"),
    ]


def test_a_paragraph_inside_a_cell_is_in_the_table(read: Callable[..., list[Paragraph]]) -> None:
    found = read([("one\rtwo\x07", True)], [(0, CELL)])
    assert found == [Paragraph("one", in_table=True), Paragraph("two", in_table=True, ends_cell=True)]


def test_what_is_struck_through_is_marked_and_what_is_hidden_or_deleted_left_out(
    read: Callable[..., list[Paragraph]],
) -> None:
    struck, hidden, deleted = (struct.pack("<HB", kind, 1) for kind in (0x0837, 0x083C, 0x0800))
    text = "98 gone\r" + "98 99\r"
    fonts = [(0, struck), (3, struck + hidden), (8, b""), (10, deleted), (13, b"")]
    for is_narrow in (True, False):
        scaled = [(at if is_narrow else 2 * at, sprms) for at, sprms in fonts]
        found = read([(text, is_narrow)], None, scaled)
        assert found == [Paragraph("98 ", struck=True), Paragraph("98")]


def test_a_style_strikes_through_and_hides_unless_the_text_says_otherwise(
    read: Callable[..., list[Paragraph]],
) -> None:
    struck, shown, hidden = (struct.pack("<HB", kind, value) for kind, value in ((0x0837, 1), (0x0837, 0), (0x083C, 1)))
    styles = sheet(style("Normal"), style("Gone", told=struck), style("Unseen", kind=2, told=hidden))
    gone, unseen = struct.pack("<HH", PARAGRAPH_STYLE, 1), struct.pack("<HH", TEXT_STYLE, 2)
    fonts = [(0, b""), (3, shown), (6, unseen), (8, b"")]
    found = read([("98\r99\rx 1\ry\r", True)], [(0, gone), (6, b""), (10, gone)], fonts, styles)
    assert [(one.text, one.struck) for one in found] == [("98", True), ("99", False), ("1", False), ("y", True)]


@pytest.mark.parametrize("cut", [0, 40, 200, 0x1A4])
def test_a_file_that_ends_in_its_head_is_corrupt(cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document, table = streams([("text\r", True)])
    monkeypatch.setattr(docfile, "_streams", lambda _: (document[:cut], table))
    with pytest.raises(Unreadable) as refused:
        list(paragraphs(b""))
    assert refused.value.code is Code.CORRUPT_PART


def test_of_a_text_that_is_cut_off_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    document, table = streams([("one\rtwo\r", True)])
    monkeypatch.setattr(docfile, "_streams", lambda _: (document[:-3], table))
    assert list(paragraphs(b"")) == [Paragraph("one"), Paragraph("t")]


@pytest.mark.parametrize(
    ("pattern", "code"),
    [("*PasswordProtected.doc", Code.PASSWORD_PROTECTED), ("*Word95.doc", Code.UNSUPPORTED_TYPE)],
)
def test_real_files_that_cannot_be_read_have_their_code(
    shared: Callable[[str], Path], pattern: str, code: Code
) -> None:
    (file,) = shared("odd").glob(f"doc/{pattern}")
    with pytest.raises(Unreadable) as refused:
        list(paragraphs(file.read_bytes()))
    assert refused.value.code is code


def test_what_is_no_ole_file_is_corrupt() -> None:
    with pytest.raises(Unreadable) as refused:
        list(paragraphs(io.BytesIO(b"no Word file" * 500).getvalue()))
    assert refused.value.code is Code.CORRUPT_PART


def test_of_a_paragraph_that_is_struck_in_part_that_part_is_gone(read: Callable[..., list[Paragraph]]) -> None:
    struck = struct.pack("<HB", 0x0837, 1)
    (found,) = read([("98 97\r", True)], None, [(0, struck), (2, b""), (6, b"")])
    assert (found.text.strip(), found.struck) == ("97", False)


def test_a_raised_or_lowered_number_is_a_footnotes_mark_also_by_a_style(read: Callable[..., list[Paragraph]]) -> None:
    raised, lowered, named = (
        struct.pack("<HB", 0x2A48, 1),
        struct.pack("<HB", 0x2A48, 2),
        struct.pack("<HH", TEXT_STYLE, 1),
    )
    styles = sheet(style("Normal"), style("Note", kind=2, told=raised))
    fonts = [(0, b""), (5, raised), (6, b""), (7, named), (8, lowered), (9, named + struct.pack("<HB", 0x2A48, 0))]
    (found,) = read([("98.251/2345\r", True)], None, fonts, styles)
    assert found.text == "98.25¹/²³45"
