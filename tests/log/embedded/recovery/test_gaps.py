"""Headers that are damaged in every copy: what lies behind is found, and what is lost is said."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, Record
from log.embedded import EmbeddedLog
from log.embedded.recovery.mending import mend, repairs
from log.embedded.replicas.suspects import suspects
from tests.log.batches import encode
from tests.log.copies import SOURCE, check_copies_are_equal, isr, values
from tests.log.embedded.recovery.conftest import BATCHES, EACH, Moved
from tests.log.rot import batches, flip, flip_batch
from tests.turns import strides

OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
Numbered = Callable[..., list[Record]]
HEADER_FIELDS = {"offset": 0, "low offset": 7, "length": 9, "low length": 11, "magic": 16, "count": 25}


@pytest.mark.parametrize("at", HEADER_FIELDS.values(), ids=HEADER_FIELDS)
def test_behind_a_header_that_is_damaged_in_every_copy_the_other_batches_are_mended_and_served(
    open_embedded: OpenLog, copies: list[Path], numbered: Numbered, options: LogSettings, at: int
) -> None:
    """Also those before the next batch that is indexed; what is lost is said, and no more than that."""
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    for each in range(3 * BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 200))
    before, there = values(log), batches(copies[0])
    for copy in copies:
        flip_batch(copy, 3, 80)  # a record
        flip_batch(copy, 3, at)
    for number, batch in ((1, 4), (0, 5), (2, 3 * BATCHES - 1)):
        flip(copies[number] / there[batch][0].name, there[batch][1] + 90)
    done = mend(log.home, log.partition(SOURCE), 0)
    assert done.lost == [range(15, 20)]
    assert done.repaired == {1: [25], 2: [20], 3: [EACH * (3 * BATCHES - 1)]}
    assert repairs(log.home.root) == {1: 1, 2: 1, 3: 1}
    with pytest.raises(CorruptRecord) as told:
        log.read(SOURCE, 15, 1)
    assert told.value.stop == 20
    for offset in (20, 24, 25, 3 * BATCHES * EACH - 1):
        assert log.read(SOURCE, offset, 1)[0].value == before[offset]
    assert all(each.ok for each in log.tend())
    assert len(isr(log)) == 3
    check_copies_are_equal(options)
    assert mend(log.home, log.partition(SOURCE), 0).lost == [range(15, 20)], "done again, it says the same"


@pytest.mark.parametrize(
    ("numbers", "lost"),
    [
        ([0], [range(5)]),
        ([1], [range(5, 10)]),
        ([5], [range(25, 30)]),
        ([2, 3], [range(10, 20)]),
        ([0, 1, 2, 3, 4, 5], [range(30)]),
    ],
    ids=["first", "middle", "last", "neighbours", "all"],
)
def test_of_headers_damaged_in_every_copy_what_is_lost_is_said_wherever_they_are(
    log: EmbeddedLog, copies: list[Path], numbers: list[int], lost: list[range]
) -> None:
    before, there = values(log), batches(copies[0])
    for number in numbers:
        for copy in copies:
            flip(copy / there[number][0].name, there[number][1] + 16)
            flip(copy / there[number][0].name, there[number][1] + 70)
    assert mend(log.home, log.partition(SOURCE), 0).lost == lost
    for offset, value in enumerate(before):
        if not any(offset in each for each in lost):
            assert log.read(SOURCE, offset, 1)[0].value == value
    assert [each.offset for each in log.read(SOURCE, lost[-1].stop, 2**20)] == list(range(lost[-1].stop, 30))


def test_a_batch_of_whose_header_every_copy_has_only_place_and_length_damaged_is_whole_again(
    log: EmbeddedLog, copies: list[Path], options: LogSettings
) -> None:
    before, there = values(log), batches(copies[0])[3]
    for copy, at in zip(copies, (1, 9, 16), strict=True):
        flip(copy / there[0].name, there[1] + at)
    done = mend(log.home, log.partition(SOURCE), 0)
    assert (done.lost, done.left) == ([], {})
    assert values(log) == before
    check_copies_are_equal(options)
    assert len((log.home.root / "repairs.jsonl").read_text().splitlines()) == 3, "each has what was there before"


def test_bytes_of_a_record_that_look_like_a_batch_are_none_where_the_header_before_them_is_lost(
    open_embedded: OpenLog, copies: list[Path], numbered: Numbered
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    forged = encode(numbered(2), 8, 1, 0, "none")
    for value in (b"first", forged + forged, b"last"):
        log.append("mails", [Record(b"key", b"." + value, (("sha", b"0" * 32),))] * 5)
    there = batches(copies[0])[1]
    for copy in copies:
        flip(copy / there[0].name, there[1] + 16)
        flip(copy / there[0].name, there[1] + 65)
    assert mend(log.home, log.partition(SOURCE), 0).lost == [range(5, 10)]
    assert log.read(SOURCE, 10, 1)[0].value == b".last"


@EVERY_STEP
def test_headers_that_are_written_anew_by_one_who_dies_at_any_step_are_done_again_and_what_was_there_is_noted_before(
    log: EmbeddedLog,
    copies: list[Path],
    each_death: Callable[..., Iterator[bool]],
    move: Callable[[], Moved],
    every: int,
) -> None:
    before, there = values(log), batches(copies[0])
    for number, copy in enumerate(copies):
        flip(copy / there[1][0].name, there[1][1] + 9 + number)
    flip(copies[2] / there[4][0].name, there[4][1] + 70)
    damaged = [header(copy / there[1][0].name, there[1][1]) for copy in copies]
    moved = move()

    def prepare() -> Callable[[], object]:
        opened = moved.open()
        return lambda: mend(opened.home, opened.partition(SOURCE), 0)

    deaths = 0
    for died in each_death(moved.folder, prepare, every):
        deaths += died
        journal = moved.options.root / "repairs.jsonl"
        noted = journal.read_text() if journal.exists() else ""
        for folder, was in zip(moved.options.replicas, damaged, strict=True):
            assert was == header(folder / str(SOURCE) / there[1][0].name, there[1][1]) or was.hex() in noted
        again = moved.open()
        mend(again.home, again.partition(SOURCE), 0)
        again.tend()
        assert len(isr(again)) == 3
        assert values(again) == before
        check_copies_are_equal(moved.options)
        repairs(again.home.root)  # a line that was torn spoils none behind it
        again.close()
    assert (deaths + 1) * every > 10


def header(path: Path, position: int) -> bytes:
    return path.read_bytes()[position : position + 61]


def test_before_a_header_is_overwritten_what_was_there_is_durably_noted(
    log: EmbeddedLog, copies: list[Path], disk_calls: DiskCalls
) -> None:
    lose_a_header(copies)
    mend(log.home, log.partition(SOURCE), 0)
    done = [(call, path.name, path.parts[-3]) for call, path in disk_calls.done]
    for replica in ("disk-1", "disk-2", "disk-3"):
        written = next(at for at, (call, _, part) in enumerate(done) if (call, part) == ("pwrite", replica))
        calls = [call for call, name, _ in done[:written] if name == "repairs.jsonl"]
        assert calls[-1] == "fsync"
        assert calls.count("pwrite") == int(replica[-1])


def test_a_copy_whose_header_cannot_be_written_is_told_and_the_others_are_mended(
    log: EmbeddedLog, copies: list[Path], disk_calls: DiskCalls
) -> None:
    flip_batch(copies[0], 5)
    there = lose_a_header(copies)
    disk_calls.fail("disk-2")
    done = mend(log.home, log.partition(SOURCE), 0)
    assert (done.repaired, done.lost, list(done.left)) == ({1: [25]}, [range(15, 20)], [2])
    assert "no header can be written: [Errno 5]" in done.left[2]
    heads = [header(copy / there[0].name, there[1]) for copy in copies]
    assert heads[0] == heads[2] != heads[1]
    assert suspects(log.home, SOURCE) == [0]
    assert "still damaged: " in "; ".join(each.detail for each in log.tend() if not each.ok)
    disk_calls.undo()
    log.tend()
    log.tend()
    assert suspects(log.home, SOURCE) == []
    assert len(isr(log)) == 3
    assert header(copies[1] / there[0].name, there[1]) == heads[0]


def test_a_header_is_not_overwritten_where_what_was_there_cannot_be_noted(
    log: EmbeddedLog, copies: list[Path], disk_calls: DiskCalls
) -> None:
    flip_batch(copies[0], 5)
    there = lose_a_header(copies)
    heads = [header(copy / there[0].name, there[1]) for copy in copies]
    disk_calls.fail("repairs.jsonl")
    done = mend(log.home, log.partition(SOURCE), 0)
    assert (done.repaired, done.lost, list(done.left)) == ({1: [25]}, [range(15, 20)], [1, 2, 3])
    assert [header(copy / there[0].name, there[1]) for copy in copies] == heads


def lose_a_header(copies: list[Path]) -> tuple[Path, int]:
    """The fourth batch, in every copy; noted, as by a reader. Its file and position."""
    path, position, *_ = batches(copies[0])[3]
    for copy in copies:
        flip(copy / path.name, position + 16)
        flip(copy / path.name, position + 70)
    (copies[0].parent.parent / "log" / "state" / str(SOURCE) / f"{0:020d}.suspect").touch()
    return path, position


class DiskCalls:
    """What is written and flushed, by whom, in order; of what `fail` names all of it fails."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.done: list[tuple[str, Path]] = []
        self.undo = patch.undo
        self._failing: str | None = None
        for call in ("pwrite", "fsync"):
            patch.setattr(os, call, partial(self._called, call, getattr(os, call)))

    def fail(self, part: str) -> None:
        self._failing = part

    def _called(self, call: str, real: Callable[..., Any], fd: int, *given: object) -> Any:
        path = Path(f"/proc/self/fd/{fd}").readlink()
        if self._failing in path.parts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.done.append((call, path))
        return real(fd, *given)


@pytest.fixture
def disk_calls(log: EmbeddedLog, monkeypatch: pytest.MonkeyPatch) -> DiskCalls:
    assert log
    return DiskCalls(monkeypatch)
