"""The counts of a TNEF's MAPI properties (MS-OXTNEF 2.1.3.3): the library goes through as many as a file says it has.

A file of 60 bytes that says four billion would take it an hour. What else is wrong with them is its to say.
"""

from __future__ import annotations

import struct
from contextlib import suppress

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

RECIPIENTS, PROPERTIES = 0x9004, frozenset({0x9003, 0x9005})  # attributes: of the mail, and of an attachment
_NAMED, _MULTIPLE = 0x8000, 0x1000
_SIZES = {
    0x02: 4, 0x0B: 4, 0x03: 4, 0x04: 4, 0x0A: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16,
}  # fmt: skip  # of values by type; others have a length each
_NUMBER, _HEAD = struct.Struct("<I"), struct.Struct("<HH")


def check_counts(name: int, data: bytes) -> None:
    """Look at an attribute.

    Raises:
        Unreadable: TNEF_CORRUPT, where there are to be more properties or values than it has bytes.
    """
    with suppress(struct.error):  # it ends amid a property
        if name in PROPERTIES:
            _properties_end(data, 0)
        elif name == RECIPIENTS:
            at = 4
            for _ in range(_counted(data, 0)):
                at = _properties_end(data, at)


def _properties_end(data: bytes, at: int) -> int:
    count, at = _counted(data, at), at + 4
    for _ in range(count):
        kind, name = _HEAD.unpack_from(data, at)
        at += 4
        if name >= _NAMED:
            at = _padded(data, at + 20) if _NUMBER.unpack_from(data, at + 16)[0] else at + 24
        values = 1
        size = _SIZES.get(kind & ~_MULTIPLE)
        if kind & _MULTIPLE or size is None:
            values, at = _counted(data, at), at + 4
        if size is not None:
            at += values * size
        else:
            for _ in range(values):
                at = _padded(data, at)
    return at


def _counted(data: bytes, at: int) -> int:
    count: int = _NUMBER.unpack_from(data, at)[0]
    if count > len(data):
        raise Unreadable(Code.TNEF_CORRUPT, f"{count} properties or values in {len(data)} bytes")
    return count


def _padded(data: bytes, at: int) -> int:
    """Where something ends that has its length before it, filled up to four bytes."""
    length: int = _NUMBER.unpack_from(data, at)[0]
    return at + 4 + length + -length % 4
