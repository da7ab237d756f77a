"""What all containers of one mail may unpack together (spec 6.1): archives, and office files, which are zips too."""

from __future__ import annotations

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

MAX_MEMBERS = 500  # of archives: the parts of an office file are no files of the mail's
MAX_RATIO = 100  # unpacked to packed ...
MAX_TOTAL_BYTES = 200 * 2**20
RATIO_FREE_BYTES = 2**20  # ... of what is larger than this: less is no bomb, however well it packs


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

    def unpacked(self, size: int, member_size: int, packed: int, ratio_free: int = RATIO_FREE_BYTES) -> None:
        """Count bytes unpacked.

        Args:
            size: of what was unpacked just now.
            member_size: of its member so far.
            packed: the size of the member where it is packed.
            ratio_free: how large a member may be whatever its ratio.

        Raises:
            Unreadable: ARCHIVE_LIMIT.
        """
        self._bytes += size
        if self._bytes > MAX_TOTAL_BYTES:
            raise Unreadable(Code.ARCHIVE_LIMIT, f"more than {MAX_TOTAL_BYTES} bytes unpacked")
        if member_size > ratio_free and member_size > MAX_RATIO * max(packed, 1):
            raise Unreadable(Code.ARCHIVE_LIMIT, f"packed more than {MAX_RATIO}:1")
