"""A file out of a container."""

from __future__ import annotations

from msgspec import Struct

from parsers.documents.unreadable import Unreadable


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
