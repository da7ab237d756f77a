"""How what was staged becomes acknowledged: one flush for all who have staged, in whatever thread or process.

    take the partition's flush lock: who flushes at that moment may do so for us as well
    begin_flush   under the partition's lock; nothing to do if the high watermark has passed our records meanwhile
    fsync         without it, so that others stage on
    end_flush     under it: who failed leaves the ISR, durably; then the high watermark moves as far as was flushed

A thread that holds the partition for itself does the same without the flush lock, under the lock that it has.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from log.embedded.partition.flushing import Flusher, FlushRound
from log.embedded.partition.partition import Partition, Ticket
from log.embedded.segment.by_time import started_ms
from log.embedded.segment.names import segment_bases, segment_file
from log.embedded.segment.segment import find_batch
from log.errors import LogError, NotEnoughReplicas

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from log.embedded.replicas.watermark import Watermark
    from log.embedded.segment.segment import Found


def acknowledge(flusher: Flusher, tickets: Mapping[Partition, Ticket]) -> None:
    """Return when the records of all tickets are acknowledged; the partitions in order.

    Raises NotEnoughReplicas, PartitionBusy and so on: then nothing of at least one partition was acknowledged.
    """
    with contextlib.ExitStack() as flushing:
        for partition in tickets:
            if not partition.lock.is_mine:
                flushing.enter_context(partition.flush_lock)
        try:
            while rounds := _begun(tickets):
                flusher.flush(list(rounds.values()))
                for partition, done in rounds.items():
                    with partition.hold():
                        end_flush(partition, done)
        except BaseException:
            for partition, ticket in tickets.items():
                with contextlib.suppress(LogError), partition.hold():
                    _take_back(partition, ticket)
            raise


def everything(partition: Partition) -> Ticket:
    """A ticket for all that was staged by anyone. Held."""
    end = partition.mark.end
    return Ticket(range(end, end), 0, partition.mark.cuts)


def note_written(tickets: Mapping[Partition, Ticket]) -> None:
    """Remember records that nobody waits for, so that `check_written` can tell whether they are there. Held."""
    for partition, ticket in tickets.items():
        before = partition.written
        if before is None or before.cuts == ticket.cuts or _still_has(partition, before):
            partition.written = ticket


def check_written(partitions: Iterable[Partition]) -> None:
    """Forget the records that were noted. Raises NotEnoughReplicas, once, if somebody has cut them off since."""
    for partition in partitions:
        if partition.written is not None:
            with partition.hold():
                own, partition.written = partition.written, None
                if own is not None and own.cuts != partition.mark.cuts and not _still_has(partition, own):
                    raise _cut_off(partition, own)


def _cut_off(partition: Partition, ticket: Ticket) -> NotEnoughReplicas:
    return NotEnoughReplicas(
        f"{partition.source}: offset {ticket.offsets.start} was cut off: it was not acknowledged; append it again"
    )


def begin_flush(partition: Partition, ticket: Ticket) -> FlushRound | None:
    """What is to be flushed for the ticket; None when it is acknowledged. Held.

    Raises NotEnoughReplicas when its records are not there any more.
    """
    mark, offsets = partition.mark, ticket.offsets
    if ticket.cuts != mark.cuts and offsets and not _still_has(partition, ticket):
        raise _cut_off(partition, ticket)
    if mark.high_watermark >= min(offsets.stop, mark.end):
        return None
    partition.check_enough()
    begun = FlushRound(mark.end, mark.cuts, partition.settings.min_insync)
    try:
        for replica in partition.replicas:
            begun.files[replica.number] = replica.flushable()
    except OSError:
        begun.close()
        raise
    return begun


def end_flush(partition: Partition, done: FlushRound) -> None:
    """Let those that failed leave the ISR, and move the high watermark. Held.

    Raises NotEnoughReplicas when too few are left: then all that is not acknowledged is cut off, whoever wrote it.
    """
    for replica in partition.replicas:
        if replica.number in done.errors:
            replica.error, replica.flush_failed = done.errors[replica.number], True
    try:
        partition.resolve()
        partition.check_enough()  # some may have left since the flush began, by this process' settling or another's
    except BaseException:
        cut_unacknowledged(partition)
        raise
    partition.publish(done.end if done.cuts == partition.mark.cuts else 0)


def cut_unacknowledged(partition: Partition) -> None:
    """Go back to the high watermark. Held."""
    mark = partition.mark
    if mark.end > mark.high_watermark:
        partition.begin_change()
        mark = _at_high_watermark(partition)._replace(cuts=mark.cuts + 1)
    partition.go_back(mark)


def _take_back(partition: Partition, ticket: Ticket) -> None:
    """Cut the ticket's records off, if they are all that is not acknowledged: others wait for theirs."""
    mark = partition.mark
    if ticket.offsets and (mark.high_watermark, mark.end) == (ticket.offsets.start, ticket.offsets.stop):
        cut_unacknowledged(partition)


def _begun(tickets: Mapping[Partition, Ticket]) -> dict[Partition, FlushRound]:
    rounds: dict[Partition, FlushRound] = {}
    with contextlib.ExitStack() as opened:
        for partition, ticket in tickets.items():
            with partition.hold():
                begun = begin_flush(partition, ticket)
            if begun is not None:
                opened.callback(begun.close)
                rounds[partition] = begun
        opened.pop_all()
    return rounds


def _at_high_watermark(partition: Partition) -> Watermark:
    """The mark as it was when the high watermark was the end."""
    mark = partition.mark
    base, found, size = _find(partition, mark.high_watermark, wanted=False)
    position = found.position if found else size
    folder = next(iter(partition.replicas)).folder
    started = (started_ms(folder, base) or 0) if position else 0
    return mark._replace(end=mark.high_watermark, segment_base=base, position=position, segment_started_ms=started)


def _still_has(partition: Partition, ticket: Ticket) -> bool:
    """Whether the records stand where they were staged, though something was cut off meanwhile."""
    if ticket.offsets.start < partition.replicas.state.start:
        return True  # acknowledged, and deleted since
    _, found, _ = _find(partition, ticket.offsets.start, wanted=True)
    return found is not None and (found.header.base_offset, found.header.crc) == (ticket.offsets.start, ticket.crc)


def _find(partition: Partition, offset: int, *, wanted: bool) -> tuple[int, Found | None, int]:
    """The segment that holds an offset, or without `wanted` can end before it; the batch there; the segment's size."""
    folder = next(iter(partition.replicas)).folder
    bases = [each for each in segment_bases(folder) if each <= offset]
    base = bases[-2] if bases[-1] == offset and len(bases) > 1 and not wanted else bases[-1]
    fd = os.open(segment_file(folder, base), os.O_RDONLY | os.O_CLOEXEC)
    try:
        return base, find_batch(fd, folder, base, offset), os.fstat(fd).st_size
    finally:
        os.close(fd)
