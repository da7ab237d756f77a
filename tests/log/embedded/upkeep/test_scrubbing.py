"""The slow scrub: damage that nobody reads is found within a pass, at a set rate, over any number of restarts."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, Tended
from log.disk.documents import Document, read_document, write_document
from log.embedded import EmbeddedLog
from log.embedded.recovery.mending import repairs
from log.embedded.replicas.suspects import lost_segments
from log.embedded.segment.names import segment_bases
from log.embedded.upkeep import scrubbing
from log.embedded.upkeep.scrubbing import Checked, check_segment, scrub
from tests.log.copies import SOURCE, check_copies_are_equal, values
from tests.log.rot import batches, flip

OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]
Fill = Callable[[EmbeddedLog], EmbeddedLog]
SEED = 20261123


@pytest.fixture
def fill(numbered: Numbered) -> Fill:
    """Ten segments or so in each replica."""

    def filled(log: EmbeddedLog) -> EmbeddedLog:
        log.create_topic("mails", 1)
        for each in range(60):
            log.append("mails", numbered(5, 5 * each, 300))
        return log

    return filled


def passes(done: list[Tended]) -> list[str]:
    return [each.detail for each in done if each.action == "scrub" and each.ok]


@pytest.mark.parametrize("flips", [8, pytest.param(50, marks=pytest.mark.slow)])
def test_flipped_bits_over_all_replicas_are_found_and_mended_within_one_pass(
    open_embedded: OpenLog, options: LogSettings, fill: Fill, flips: int, capsys: pytest.CaptureFixture[str]
) -> None:
    log = fill(open_embedded(segment_bytes=10_000, compression="none", scrub_bytes_s=2**30))
    folders, chance = [folder / str(SOURCE) for folder in options.replicas], random.Random(SEED)
    before = values(log)
    for path, position, size, _ in chance.sample(batches(folders[0]), flips):  # no batch on two replicas
        flip(chance.choice(folders) / path.name, position + chance.randrange(size), chance.randrange(8))
    done = scrub(log)
    mended = repairs(log.home.root)
    with capsys.disabled():
        print(f"\nseed {SEED}: {flips} flips, mended by replica {mended}")  # noqa: T201 -- its counts
    assert (sum(mended.values()), len(passes(done))) == (flips, 1)
    check_copies_are_equal(options)
    assert len(log.describe("mails")[0].isr) == 3
    assert values(log) == before


def test_a_pass_goes_on_after_each_restart_and_reads_every_segment_of_every_replica_once(
    open_embedded: OpenLog, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(open_embedded(segment_bytes=10_000, compression="none")).close()
    read: list[tuple[str, int]] = []

    def noted(folder: Path, base: int, stop: int) -> Checked:
        read.append((folder.parent.name, base))
        return check_segment(folder, base, stop)

    monkeypatch.setattr(scrubbing, "check_segment", noted)
    slices = 0
    done: list[Tended] = []
    while not passes(done):
        slices += 1
        log = open_embedded(scrub_bytes_s=2000)
        if slices > 1:
            _let_pass(log, 40)
        done = scrub(log)
        log.close()
    bases = segment_bases(log.home.partition_folder(SOURCE, 1))
    assert len(bases) > 5
    assert read == [(f"disk-{number}", base) for number in (1, 2, 3) for base in bases]
    assert slices > 5


def test_a_scrub_that_is_killed_amid_a_slice_goes_on_near_where_it_was(
    open_embedded: OpenLog, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(open_embedded(segment_bytes=10_000, compression="none")).close()
    monkeypatch.setattr(scrubbing, "KEPT_EVERY", 3 * scrubbing.SEGMENT_COSTS)
    child = os.fork()
    if child == 0:
        _be_killed_within_a_scrub(open_embedded, before_segment=20)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    log = open_embedded(scrub_bytes_s=2**30)
    segments = len(segment_bases(log.home.partition_folder(SOURCE, 1))) * 3
    read: list[None] = []
    assert passes(scrub(log, lambda: read.append(None))), "the rest of the pass"
    assert segments - 19 <= len(read) <= segments - 19 + 3


def _be_killed_within_a_scrub(open_embedded: OpenLog, before_segment: int) -> None:
    """All of the log is one slice. Never returns."""
    with contextlib.suppress(BaseException):  # the test's own machinery must not run in the child
        log, left = open_embedded(scrub_bytes_s=2**30), itertools.count(1)
        scrub(log, lambda: os.kill(os.getpid(), signal.SIGKILL) if next(left) == before_segment else None)
    os._exit(1)


def test_no_more_is_read_than_the_rate_allows_and_what_is_owed_is_waited_for(
    open_embedded: OpenLog, fill: Fill
) -> None:
    log = fill(open_embedded(segment_bytes=10_000, compression="none", scrub_bytes_s=100))
    scrub(log)
    first = _known(log)
    assert first["allowance"] < 0 < first["bytes"], "a segment is read whole"
    _let_pass(log, -first["allowance"] / 100 - 5)
    scrub(log)
    assert _known(log)["bytes"] == first["bytes"]
    _let_pass(log, 10)
    scrub(log)
    assert _known(log)["bytes"] > first["bytes"]


def test_a_clock_that_jumps_a_year_makes_no_longer_burst_than_a_day(open_embedded: OpenLog, fill: Fill) -> None:
    log = fill(open_embedded(segment_bytes=10_000, compression="none", scrub_bytes_s=1))
    scrub(log)
    _let_pass(log, 365 * 86400)
    before = _known(log)["bytes"]
    scrub(log)
    assert 0 < _known(log)["bytes"] - before < 86400 + 20_000


def test_a_rate_of_nothing_reads_nothing(open_embedded: OpenLog, fill: Fill) -> None:
    log = fill(open_embedded(scrub_bytes_s=0))
    assert scrub(log) == []
    assert read_document(log.home.root / "scrub.json") is None


def test_what_every_copy_had_lost_and_a_backup_brought_back_is_not_taken_for_lost_any_more(
    open_embedded: OpenLog, options: LogSettings, fill: Fill
) -> None:
    log = fill(open_embedded(segment_bytes=10_000, compression="none", scrub_bytes_s=2**30))
    folders = [folder / str(SOURCE) for folder in options.replicas]
    name, position, _, offset = batches(folders[0])[7]
    for folder in folders:
        flip(folder / name.name, position + 70)
    assert f"offsets {offset} to {offset + 4} are damaged on every" in "; ".join(each.detail for each in scrub(log))
    assert lost_segments(log.home, SOURCE) == [int(name.stem)]
    for folder in folders:
        flip(folder / name.name, position + 70)
    _let_pass(log, 60)
    scrub(log)
    assert lost_segments(log.home, SOURCE) == []


@pytest.fixture
def fill_root(options: LogSettings, needs: Callable[..., str]) -> Iterator[Callable[[], None]]:
    """The log's root is on a disk of its own, which this fills."""
    mount = needs("mount", root=True)
    options.root.mkdir()
    subprocess.run([mount, "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", options.root], check=True)

    def full() -> None:
        with contextlib.suppress(OSError), (options.root / "other").open("wb", buffering=0) as file:
            while file.write(b"." * 4096):
                pass

    yield full
    subprocess.run(["umount", "-l", options.root], check=True)


def test_what_a_scrub_finds_is_told_and_mended_though_the_root_has_no_room_to_say_how_far_it_is(
    open_embedded: OpenLog, options: LogSettings, fill: Fill, fill_root: Callable[[], None]
) -> None:
    log = fill(open_embedded(segment_bytes=10_000, compression="none", scrub_bytes_s=2**30))
    folders, before = [folder / str(SOURCE) for folder in options.replicas], values(log)
    for copy, number in ((0, 3), (1, 20)):
        path, position, *_ = batches(folders[copy])[number]
        flip(folders[copy] / path.name, position + 70)
    fill_root()
    told = [each.detail for each in log.tend() if each.alarms]
    assert ["mended from another replica" in each for each in told] == [False, True, True, False]
    assert ["no space or no inodes left" in each for each in told] == [True, False, False, True]
    check_copies_are_equal(options)
    (options.root / "other").unlink()
    assert log.tend() == []
    assert len(log.describe("mails")[0].isr) == 3
    assert values(log) == before


def _known(log: EmbeddedLog) -> Document:
    return read_document(log.home.root / "scrub.json") or {}


def _let_pass(log: EmbeddedLog, seconds: float) -> None:
    known = _known(log)
    write_document(log.home.root / "scrub.json", {**known, "at_ms": known["at_ms"] - int(seconds * 1000)})
