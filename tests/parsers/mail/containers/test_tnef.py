from __future__ import annotations

import struct
import time

import pytest

from parsers.codes import Code
from parsers.documents import kinds
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.outlookbody import Body
from parsers.mail.containers.tnef import read_tnef


def attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def tnef(*attributes: bytes) -> bytes:
    return (
        struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x00089006, struct.pack("<I", 0x10000)) + b"".join(attributes)
    )


def attachment(name: bytes, data: bytes) -> bytes:
    return attribute(2, 0x00069002, bytes(14)) + attribute(2, 0x00018010, name + b"\0") + attribute(2, 0x0006800F, data)


def test_body_and_files_come_out() -> None:
    found = read_tnef(
        tnef(attribute(1, 0x0002800C, b"CMBS axes\0"), attachment(b"axes.csv", b"a,b"), attachment(b"b.txt", b"x"))
    )
    assert found.body == Body(kinds.TEXT, b"CMBS axes")
    assert found.files == (("axes.csv", b"a,b"), ("b.txt", b"x"))


@pytest.mark.parametrize("cut", [1, 20, 40, 60])
def test_a_stream_cut_off_is_corrupt(cut: int) -> None:
    data = tnef(attachment(b"axes.csv", b"a,b" * 20))
    with pytest.raises(Unreadable) as refused:
        read_tnef(data[:-cut])
    assert refused.value.code is Code.TNEF_CORRUPT


def test_nothing_but_the_mark_is_corrupt() -> None:
    with pytest.raises(Unreadable):
        read_tnef(struct.pack("<IH", 0x223E9F78, 1))


def test_more_attributes_than_any_message_has_are_refused_before_they_are_read() -> None:
    attributes = (b"\x01" + bytes(10)) * 300_000
    began = time.process_time()
    with pytest.raises(Unreadable, match="more than 4000 attributes") as refused:
        read_tnef(b"\x78\x9f\x3e\x22\0\0" + attributes)
    assert refused.value.code is Code.TNEF_CORRUPT
    assert time.process_time() - began < 1
