"""What a read found. A record is made when it is asked for: a reader of values alone needs none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, overload

from log.types import Header, StoredRecord, TopicPartition


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


Part = Callable[[], Iterable[Decoded]]  # decodes some of the records, each time it is called


class Records(Sequence[StoredRecord]):
    """Records of one partition in the order of their offsets, as a list that cannot be changed."""

    __slots__ = ("_count", "_made", "_parts", "_source", "next_offset")

    def __init__(self, source: TopicPartition, parts: list[Part], count: int, next_offset: int) -> None:
        self._source, self._parts, self._count = source, parts, count
        self._made: list[StoredRecord] | None = None
        self.next_offset = next_offset  # where the next read goes on

    def values(self) -> list[bytes | None]:
        """The value of each."""
        return [one.value for part in self._parts for one in part()]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[StoredRecord]:
        return self._each() if self._made is None else iter(self._made)

    @overload
    def __getitem__(self, index: int) -> StoredRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[StoredRecord]: ...
    def __getitem__(self, index: int | slice) -> StoredRecord | list[StoredRecord]:
        """As of a list."""
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> list[StoredRecord]:
        if self._made is None:
            self._made = list(self._each())
        return self._made

    def _each(self) -> Iterator[StoredRecord]:
        source, new = self._source, tuple.__new__  # a million a second are made
        for part in self._parts:
            for one in part():
                headers = one.headers
                named = _named(headers) if headers else ()
                yield new(StoredRecord, (source, one.offset, one.timestamp, one.key, one.value, named))


def _named(headers: list[tuple[str, bytes | None]]) -> tuple[Header, ...]:
    return tuple([(name, value or b"") for name, value in headers])
