"""ops.shipping.export"""

from __future__ import annotations

import pytest

from ops.shipping.export import Export
from ops.shipping.lines import LINE_BYTES
from tests.ops.shipping.exported import field

VALUE = b"a\n\n\0=\n__CURSOR=forged\n\n"
STREAM = (
    field("__CURSOR", b"c1") + field("MESSAGE", VALUE) + field("EMPTY", b"") + b"\n\n"
    + field("__CURSOR", b"c2") + field("MESSAGE", b"=x=") + field("BINARY", b"\xff") + b"\n"
    + field("__CURSOR", b"c3") + field("MESSAGE", b"of lines alone") + field("MESSAGE", b"=") + b"\n"
)  # fmt: skip
ENTRIES = [
    {b"__CURSOR": b"c1", b"MESSAGE": VALUE, b"EMPTY": b""},
    {b"__CURSOR": b"c2", b"MESSAGE": b"=x=", b"BINARY": b"\xff"},
    {b"__CURSOR": b"c3", b"MESSAGE": b"="},
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 20, 1000])
def test_entries_are_the_same_in_whatever_pieces_they_come(size: int) -> None:
    export = Export()
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert [entry for piece in pieces for entry in export.feed(piece)] == ENTRIES


@pytest.mark.parametrize("byte", [b"x", b"\n"], ids=["of a line", "of many"])
def test_of_a_long_value_the_beginning_is_kept(byte: bytes) -> None:
    export, value = Export(), byte * (40 * LINE_BYTES)
    stream = field("LONG", value) + field("NEXT", b"1") + b"\n"
    step = 50_000
    found = [entry for at in range(0, len(stream), step) for entry in export.feed(stream[at : at + step])]
    assert found == [{b"LONG": value[:LINE_BYTES], b"NEXT": b"1"}]


def test_an_entry_that_is_not_whole_is_none() -> None:
    assert Export().feed(STREAM[:-1]) == ENTRIES[:2]
    assert Export().feed(b"-- No entries --\n") == []
