"""One round of fsyncs over the replicas of several partitions, all at once."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from log.embedded.partition import Partition
    from log.embedded.replica import Replica

THREADS = 16  # fsyncs wait for disks, not for processors

Round = dict["Future[None]", tuple["Partition", "Replica"]]


class Flusher:
    """Threads for fsyncs, and the patience for slow ones."""

    def __init__(self, replica_timeout_s: float) -> None:
        self._timeout_s = replica_timeout_s
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="otclog-fsync")

    def flush(self, partitions: Sequence[Partition]) -> None:
        """Flush every replica that has not failed; those that fail or come too late carry their error afterwards.

        A late replica is only given up when enough others are done: when all disks are slow, the append waits.
        """
        flushes: Round = {
            self._pool.submit(replica.fsync): (partition, replica)
            for partition in partitions
            for replica in partition.replicas
            if replica.error is None
        }
        late = wait(flushes, self._timeout_s).not_done
        while late and not all(partition.has_enough(_flushed(flushes, partition)) for partition in partitions):
            late = wait(late, return_when=FIRST_COMPLETED).not_done
        for future, (_, replica) in flushes.items():
            if future in late:
                replica.give_up(future, self._timeout_s)
            elif error := future.exception():
                if not isinstance(error, OSError):
                    raise error
                replica.error = error

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown()


def _flushed(flushes: Round, partition: Partition) -> int:
    return sum(
        owner is partition and future.done() and future.exception() is None for future, (owner, _) in flushes.items()
    )
