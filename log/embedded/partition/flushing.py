"""One round of fsyncs over the replicas of several partitions, all at once, while others go on appending."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from log.metrics import count_fsync

if TYPE_CHECKING:
    from collections.abc import Sequence

THREADS = 8  # a replica: fsyncs wait for disks, not for processors


@dataclass(slots=True)
class FlushRound:
    """What is to be flushed of one partition, and how that went. Its files are its own, and closed by the flusher."""

    end: int  # every record before it is in the files, or was flushed before
    cuts: int  # the partition's count when the round began
    needed: int  # so many replicas must be done
    files: dict[int, int] = field(default_factory=dict)  # replica to open file
    errors: dict[int, OSError] = field(default_factory=dict)  # of the replicas that failed or came too late

    def close(self) -> None:
        """Give the files back unflushed."""
        for fd in self.files.values():
            os.close(fd)


Flushes = dict["Future[None]", tuple[FlushRound, int]]


class Flusher:
    """Threads for fsyncs, and the patience for slow ones."""

    def __init__(self, replica_timeout_s: float) -> None:
        self._timeout_s = replica_timeout_s
        self._pools: dict[int, ThreadPoolExecutor] = {}  # one a replica: a disk that hangs takes no thread of another's
        self._making = threading.Lock()

    def flush(self, rounds: Sequence[FlushRound]) -> None:
        """Flush every file of the rounds; those that fail or come too late have an error in it afterwards.

        A late replica is only given up when enough others are done: when all disks are slow, the append waits.
        """
        flushes: Flushes = {
            self._pool(number).submit(_fsync_and_close, fd, number): (each, number)
            for each in rounds
            for number, fd in each.files.items()
        }
        late = wait(flushes, self._timeout_s).not_done
        while late and not all(_flushed(flushes, each) >= each.needed for each in rounds):
            late = wait(late, return_when=FIRST_COMPLETED).not_done
        for future, (each, number) in flushes.items():
            if future in late:
                each.errors[number] = TimeoutError(f"no answer to fsync within {self._timeout_s} s")
            elif error := future.exception():
                if not isinstance(error, OSError):
                    raise error
                each.errors[number] = error

    def close(self) -> None:
        """Let the threads end."""
        for pool in self._pools.values():
            pool.shutdown()

    def _pool(self, replica: int) -> ThreadPoolExecutor:
        with self._making:
            if replica not in self._pools:
                self._pools[replica] = ThreadPoolExecutor(THREADS, thread_name_prefix=f"otclog-fsync-{replica}")
            return self._pools[replica]


def _fsync_and_close(fd: int, replica: int) -> None:
    begun = time.perf_counter()
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    count_fsync(replica, time.perf_counter() - begun)


def _flushed(flushes: Flushes, each: FlushRound) -> int:
    return sum(owner is each and future.done() and future.exception() is None for future, (owner, _) in flushes.items())
