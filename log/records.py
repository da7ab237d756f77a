"""What a read found. A record is made when it is asked for: a reader of values alone needs none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Protocol, overload

from log.types import StoredRecord, TopicPartition

_stored = partial(tuple.__new__, StoredRecord)  # a million a second are made
_value = attrgetter("value")


class Decoded(Protocol):
    """A record as a codec gives it."""

    @property
    def offset(self) -> int:
        """In its partition."""

    @property
    def timestamp(self) -> int:
        """Append time, UTC milliseconds since the epoch."""

    @property
    def key(self) -> bytes | None:
        """May be absent."""

    @property
    def value(self) -> bytes | None:
        """None is a tombstone."""

    @property
    def headers(self) -> list[tuple[str, bytes | None]]:
        """A value that is absent counts as empty."""


class Records(Sequence[StoredRecord]):
    """Records of one partition in the order of their offsets, as a list that cannot be changed."""

    __slots__ = ("_decoded", "_source")

    def __init__(self, source: TopicPartition, decoded: list[Decoded]) -> None:
        self._source, self._decoded = source, decoded

    def values(self) -> list[bytes | None]:
        """The value of each."""
        return list(map(_value, self._decoded))

    def __len__(self) -> int:
        return len(self._decoded)

    def __iter__(self) -> Iterator[StoredRecord]:
        return map(self._made, self._decoded)

    @overload
    def __getitem__(self, index: int) -> StoredRecord: ...
    @overload
    def __getitem__(self, index: slice) -> Records: ...
    def __getitem__(self, index: int | slice) -> StoredRecord | Records:
        """As of a list."""
        if isinstance(index, slice):
            return Records(self._source, self._decoded[index])
        return self._made(self._decoded[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(list(self))

    def _made(self, one: Decoded) -> StoredRecord:
        headers = one.headers
        named = tuple([(name, value or b"") for name, value in headers]) if headers else ()
        return _stored((self._source, one.offset, one.timestamp, one.key, one.value, named))
