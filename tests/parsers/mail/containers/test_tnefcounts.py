from __future__ import annotations

import struct

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.tnefcounts import RECIPIENTS, check_counts

MANY = b"\xff\xff\xff\xff"
SHORT, SHORTS, TEXT = (struct.pack("<HH", kind, 0x3001) for kind in (0x0002, 0x1002, 0x001E))
NAMED = struct.pack("<HH", 0x0003, 0x8001) + bytes(16) + struct.pack("<II", 1, 6) + b"n\0a\0\0\0\0\0"
WHOLE = (
    struct.pack("<I", 4) + SHORT + b"\7\0\0\0" + SHORTS + struct.pack("<I", 2) + bytes(8)
    + TEXT + struct.pack("<II", 1, 3) + b"run\0" + NAMED + bytes(4)
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param(0x9003, MANY + SHORT, id="properties of a mail"),
        pytest.param(0x9005, MANY + SHORT, id="properties of an attachment"),
        pytest.param(0x9003, struct.pack("<I", 5) + WHOLE[4:] + SHORTS + MANY, id="values behind whole properties"),
        pytest.param(RECIPIENTS, MANY, id="recipients"),
        pytest.param(RECIPIENTS, struct.pack("<I", 2) + WHOLE + MANY, id="properties of a second recipient"),
    ],
)
def test_more_properties_than_bytes_are_damage(name: int, data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        check_counts(name, data)
    assert refused.value.code is Code.TNEF_CORRUPT


@pytest.mark.parametrize(
    ("name", "data"),
    [(0x9003, WHOLE), (RECIPIENTS, struct.pack("<I", 1) + WHOLE), (0x9003, WHOLE[:30]), (0x800F, MANY)],
)
def test_whole_properties_those_cut_off_and_other_attributes_are_left_to_the_library(name: int, data: bytes) -> None:
    check_counts(name, data)
