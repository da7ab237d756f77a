"""A segment and a log to be damaged, and processes that die at every step of what they do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from log import Record
from log.embedded.replicas.replica import Replica, begin_segment
from log.embedded.segment.epochs import write_epochs
from tests.log.batches import encode
from tests.log.dying import DIED, die_at
from tests.turns import first

WriteSegment = Callable[..., bytes]


@pytest.fixture
def write_segment() -> WriteSegment:
    """Write batches of two records each behind each other into a segment; the bytes of its file."""

    def write(folder: Path, base: int = 0, batches: int = 3, size: int = 2000) -> bytes:
        folder.mkdir(exist_ok=True)
        begin_segment(folder, base)
        write_epochs(folder, [(0, 0)])
        replica, position = Replica(1, folder, base), 0
        for number in range(batches):
            first = base + 2 * number
            records = [Record(b"key", b"%d" % offset + b"." * size) for offset in (first, first + 1)]
            batch = encode(records, first, 1000 + number, 0, "none")
            replica.append(batch, position, first + 1, 1000 + number)
            position += len(batch)
        replica.close()
        return (folder / f"{base:020d}.log").read_bytes()

    return write


@pytest.fixture
def each_death() -> Callable[[Path, Callable[[], Callable[[], object]]], Iterator[bool]]:
    """Do something in a child that dies within its first change of a disk, then its second, until it lives.

    `folder` is put back before each turn. `prepare` runs in the child and returns what is to be done there. After each
    turn the caller looks at the folder: True for a death, False at last. `every` takes some steps only, others with each commit.
    """

    def turns(folder: Path, prepare: Callable[[], Callable[[], object]], every: int = 1) -> Iterator[bool]:
        prepared = folder.parent / "prepared"
        shutil.rmtree(prepared, ignore_errors=True)
        if folder.exists():
            folder.rename(prepared)
        step, code = 1 + first(every) - every, DIED
        while code == DIED:
            step += every
            shutil.rmtree(folder, ignore_errors=True)
            if prepared.exists():
                shutil.copytree(prepared, folder)
            code = _in_child(step, prepare)
            assert code in {0, DIED}, f"step {step}"
            yield code == DIED

    return turns


def _in_child(step: int, prepare: Callable[[], Callable[[], object]]) -> int:
    child = os.fork()
    if child == 0:
        try:
            action = prepare()
            die_at(step)
            action()
            os._exit(0)
        except BaseException:  # noqa: BLE001  the test's own machinery must not run in the child
            import traceback

            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
