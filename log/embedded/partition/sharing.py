"""Which records of an append go to which partition, and where each of them is then."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from log.murmur2 import partition_of
from log.types import Positions, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from log.types import Position, Producer, Record

T = TypeVar("T")


class Pick(Protocol):
    """Chooses what belongs to one partition, out of anything in the order of the records."""

    def __call__(self, sequence: Sequence[T], /) -> Sequence[T]:
        """In that order."""


def share_out(
    topic: str, count: int, records: Sequence[Record], partition: int | None, producer: Producer | None
) -> dict[TopicPartition, Pick]:
    """What goes to each of `count` partitions, these in order, so that two appenders never wait for each other.

    All goes to `partition` where one is named. Otherwise records of one key go to one partition; those without a key
    go to the same one, another one with each append. A producer that repeats an append has not counted on since: those
    without a key go where they went before.
    """
    if not records:
        return {}
    if partition is not None:
        return {TopicPartition(topic, partition): all_of}
    if count == 1:
        return {TopicPartition(topic, 0): all_of}
    numbered = random.randrange(count) if producer is None else sum(producer.next.values())  # noqa: S311  no secret
    spread = numbered % count
    shares: dict[int, list[int]] = {}
    for index, record in enumerate(records):
        shares.setdefault(spread if record.key is None else partition_of(record.key, count), []).append(index)
    return {TopicPartition(topic, number): partial(_picked, shares[number]) for number in sorted(shares)}


def positions_of(
    shares: Mapping[TopicPartition, Pick], offsets: Mapping[TopicPartition, range], count: int
) -> Sequence[Position]:
    """The positions of `count` records in their order, by the offsets that each partition's share got."""
    if len(shares) == 1:
        ((source, every),) = offsets.items()
        return Positions(source, every)
    found: dict[int, Position] = {}
    for source, pick in shares.items():
        found.update(zip(pick(range(count)), Positions(source, offsets[source]), strict=True))
    return [found[index] for index in range(count)]


def all_of(sequence: Sequence[T]) -> Sequence[T]:
    """The `Pick` of a topic that has one partition."""
    return sequence


def _picked(indexes: list[int], sequence: Sequence[T]) -> Sequence[T]:
    return [sequence[index] for index in indexes]
