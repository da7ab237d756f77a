"""A dictionary as bytes that are looked up as they lie: a file of 70,000 instruments is mapped, never read whole.

    magic            8 bytes
    keys, records    2 x u32, how many
    key ends         u32 each: where in the keys' text each ends; keys are sorted
    of keys          u32 each: the record that a key names
    record ends      u32 each
    keys             UTF-8: `isin XS2641318121`
    records          JSON, as `Known`; null of a name that several instruments have

Numbers are little-endian. Equal masters give equal bytes, in whatever order their lines stand.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from itertools import accumulate

import msgspec
from msgspec import Struct

from parsers.securities.known import DESCRIBED, Known

MAGIC = b"otcsec1\n"
_COUNTS = struct.Struct("<II")
_SPAN = struct.Struct("<II")  # the ends of two things beside each other
_NUMBER = struct.Struct("<I")
_HEAD = len(MAGIC) + _COUNTS.size


class Dictionary(Struct, frozen=True):
    """A dictionary within some bytes, and where in them its columns begin."""

    content: bytes | mmap.mmap
    keys: int  # how many
    records: int  # how many
    key_ends: int
    owners: int
    record_ends: int
    key_text: int
    record_text: int

    @classmethod
    def open(cls, content: bytes | mmap.mmap, start: int = 0) -> Dictionary:
        """The dictionary that these bytes hold from `start` to their end. Raises msgspec.DecodeError: there is none."""
        head = start + _HEAD
        if len(content) < head or content[start : start + len(MAGIC)] != MAGIC:
            raise msgspec.DecodeError("no dictionary of instruments")
        keys, records = _COUNTS.unpack_from(content, start + len(MAGIC))
        owners, record_ends = head + keys * _NUMBER.size, head + 2 * keys * _NUMBER.size
        key_text = record_ends + records * _NUMBER.size
        if not (keys and records and len(content) >= key_text):
            raise msgspec.DecodeError("a dictionary of instruments that is cut off")
        record_text = key_text + _number(content, owners - _NUMBER.size)
        if len(content) != record_text + _number(content, key_text - _NUMBER.size):
            raise msgspec.DecodeError("a dictionary of instruments that is cut off")
        return cls(content, keys, records, head, owners, record_ends, key_text, record_text)

    @property
    def whole(self) -> bytes:
        """Its bytes alone."""
        return self.content[self.key_ends - _HEAD :]

    def lookup(self, kind: str, name: str) -> Known | None:
        """What it knows of an instrument by an identifier of this kind (`KINDS`), or by what describes it.

        Args:
            kind: of the identifier, as `isin`; or `DESCRIBED`.
            name: the identifier, compact and in upper case; or as `described` makes it. Of a maturity its beginning
                will do, where no two instruments have it.
        """
        wanted = _key(kind, name)
        at = self._first(wanted)
        if not self._names(at, wanted, kind) or (kind == DESCRIBED and self._names(at + 1, wanted, kind)):
            return None
        record = self._text(self.record_ends, _number(self.content, self.owners + at * _NUMBER.size), self.record_text)
        return msgspec.json.decode(record, type=Known | None)

    def _first(self, wanted: bytes) -> int:
        """The place of the first key that is not before this one."""
        low, high = 0, self.keys
        ends, text = self.key_ends, self.key_text
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._text(ends, middle, text) < wanted else (low, middle)
        return low

    def _names(self, at: int, wanted: bytes, kind: str) -> bool:
        key = self._text(self.key_ends, at, self.key_text) if at < self.keys else b""
        return key.startswith(wanted) if kind == DESCRIBED else key == wanted

    def _text(self, ends: int, at: int, text: int) -> bytes:
        """The text of this place in one of the two texts."""
        if not at:
            return self.content[text : text + _number(self.content, ends)]
        first, behind = _SPAN.unpack_from(self.content, ends + (at - 1) * _NUMBER.size)
        return self.content[text + first : text + behind]


def written(known: Mapping[tuple[str, str], Known | None]) -> bytes:
    """The bytes of a dictionary, by kind and name of what is known; None of a name that several instruments have."""
    owned = sorted((_key(kind, name), msgspec.json.encode(each)) for (kind, name), each in known.items())
    records = sorted({record for _, record in owned})
    places = {record: place for place, record in enumerate(records)}
    columns = (
        accumulate(len(key) for key, _ in owned),
        (places[record] for _, record in owned),
        accumulate(map(len, records)),
    )
    numbers = b"".join(struct.pack(f"<{len(column)}I", *column) for column in map(tuple, columns))
    texts = (*(key for key, _ in owned), *records)
    return b"".join((MAGIC, _COUNTS.pack(len(owned), len(records)), numbers, *texts))


def _key(kind: str, name: str) -> bytes:
    return f"{kind} {name}".encode("utf-8", "surrogatepass")


def _number(content: bytes | mmap.mmap, at: int) -> int:
    return int(_NUMBER.unpack_from(content, at)[0])
