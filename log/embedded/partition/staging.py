"""An append to several partitions at once: they are held together, and it is staged in all of them or in none."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from log.embedded.partition.writing import write, write_once
from log.embedded.segment import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.embedded.partition.partition import Partition, Ticket
    from log.types import Producer, Record


class Holding:
    """Several partitions held at once, entered in the order given."""

    def __init__(self, partitions: Sequence[Partition]) -> None:
        self._partitions = partitions
        self._entered = 0

    def __enter__(self) -> None:
        try:
            for partition in self._partitions:
                partition.enter()
                self._entered += 1
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        for partition in reversed(self._partitions[: self._entered]):
            partition.leave()


def stage(
    partitions: Sequence[Partition], shares: Sequence[Sequence[Record]], producer: Producer | None
) -> dict[Partition, Ticket]:
    """Stage and publish each share in its partition, all of them or none. Held.

    Raises NotEnoughReplicas, DiskFull and so on: nothing was appended then; OSError where a watermark cannot be
    written: then the shares before it may be there. A producer's share that is there already is not staged again;
    OutOfSequence and ProducerFenced are raised for one that cannot follow.
    """
    try:
        tickets = {
            one: write(one, records)
            if producer is None
            else write_once(one, records, codec.Producer(producer.id, producer.epoch, producer.next.get(one.source, 0)))
            for one, records in zip(partitions, shares, strict=True)
        }
        for one in partitions:
            one.resolve()
    except BaseException:
        with contextlib.ExitStack() as each:
            for one in partitions:
                each.callback(one.roll_back)
        raise
    for one in partitions:
        one.publish()
    return tickets
