"""What all containers of one mail may unpack together (spec 6.1): counted while unpacking, never believed."""

from __future__ import annotations

from msgspec import Struct

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

MAX_MEMBERS = 500
MAX_RATIO = 100
MAX_TOTAL_BYTES = 200 * 2**20
_RATIO_FREE_BYTES = 1024 * 1024  # less than this is no bomb, however well it packs


class Member(Struct, frozen=True):
    """A file out of a container."""

    name: str  # as the container spells it
    data: bytes
    error: Unreadable | None = None  # why there are no bytes: the members behind it may still be whole

    def content(self) -> bytes:
        """The bytes. Raises Unreadable."""
        if self.error is not None:
            raise self.error
        return self.data


class Budget:
    """Counts members and bytes of one mail, and refuses what is beyond the limits."""

    def __init__(self) -> None:
        self._members = 0
        self._bytes = 0

    def member(self) -> None:
        """Count a member. Raises Unreadable, ARCHIVE_LIMIT."""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_MEMBERS} members")

    def unpacked(self, size: int, member_size: int, packed: int) -> None:
        """Count bytes just unpacked; `member_size` and `packed` are of the member so far. Raises Unreadable."""
        self._bytes += size
        if self._bytes > MAX_TOTAL_BYTES:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_TOTAL_BYTES} bytes unpacked")
        if member_size > _RATIO_FREE_BYTES and member_size > MAX_RATIO * max(packed, 1):
            raise Unreadable(Code.ARCHIVE_LIMIT, f"packed more than {MAX_RATIO}:1")
