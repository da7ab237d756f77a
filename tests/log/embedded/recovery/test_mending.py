"""Flipped bits below the high watermark: served from another copy, told, and mended from it."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, Record, Tended
from log.embedded import EmbeddedLog
from log.embedded.recovery.mending import Mender, mend, repairs
from log.embedded.replicas.suspects import lost_segments, suspects
from log.embedded.segment.names import segment_bases
from tests.log.copies import SOURCE, check_copies_are_equal, isr, values
from tests.log.embedded.recovery.conftest import BATCHES, EACH, Moved
from tests.log.rot import batches, flip, flip_batch
from tests.turns import strides

OpenLog = Callable[..., EmbeddedLog]
EVERY_STEP = strides(7)
Numbered = Callable[..., list[Record]]


def bad_news(done: list[Tended]) -> str:
    return "; ".join(each.detail for each in done if each.alarms)


@pytest.mark.parametrize("number", [0, 2], ids=["leader", "follower"])
@pytest.mark.parametrize(
    "at", [0, 7, 9, 13, 18, 25, 70], ids=["offset", "low offset", "length", "epoch", "crc", "count", "records"]
)
def test_a_flipped_bit_is_mended_from_another_replica_and_told(  # noqa: PLR0917 -- fixtures
    log: EmbeddedLog, copies: list[Path], options: LogSettings, caplog: pytest.LogCaptureFixture, number: int, at: int
) -> None:
    before = values(log)
    offset = flip_batch(copies[number], 2, at)
    done = mend(log.home, log.partition(SOURCE), 0)
    assert (list(done.repaired), done.lost, done.left) == ([number + 1], [], {})
    assert done.repaired[number + 1] == [offset]
    assert "left the in-sync replicas" in caplog.text
    assert len(isr(log)) == 3
    assert repairs(log.home.root) == {number + 1: 1}
    check_copies_are_equal(options)
    assert values(log) == before


def test_who_reads_damage_is_served_warned_and_leaves_a_note_for_the_next_append_to_mend(
    log: EmbeddedLog, copies: list[Path], options: LogSettings, caplog: pytest.LogCaptureFixture, numbered: Numbered
) -> None:
    before = values(log)
    flip_batch(copies[0], 3)
    assert values(log) == before
    assert "a replica is damaged" in caplog.text
    assert suspects(log.home, SOURCE) == [0]
    log.append("mails", numbered(1, 30))
    assert "left the in-sync replicas" in caplog.text
    assert suspects(log.home, SOURCE) == []
    assert repairs(log.home.root) == {1: 1}
    check_copies_are_equal(options)
    assert len(isr(log)) == 3


def test_a_process_without_files_calls_nothing_damaged_and_looks_again_when_it_has_some(
    log: EmbeddedLog, copies: list[Path], caplog: pytest.LogCaptureFixture
) -> None:
    flip_batch(copies[0], 3)
    assert values(log)
    caplog.clear()
    mender, partition = Mender(log.home), log.partition(SOURCE)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        mender.mend_suspects(partition)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert "mails-0: not looked for damage: [Errno 24]" in caplog.text
    with partition.hold():
        mender.mend_suspects(partition)
    assert repairs(log.home.root) == {1: 1}


def test_tending_mends_what_a_reader_noted_and_says_so_once(
    log: EmbeddedLog, copies: list[Path], options: LogSettings
) -> None:
    before = values(log)
    flip_batch(copies[0], 3)
    assert values(log) == before
    assert "damaged at offset 15, and mended" in bad_news(log.tend())
    assert bad_news(log.tend()) == ""
    check_copies_are_equal(options)


def test_copies_damaged_at_different_batches_are_all_mended(
    log: EmbeddedLog, copies: list[Path], options: LogSettings
) -> None:
    before = values(log)
    for number, copy in enumerate(copies):
        flip_batch(copy, 2 * number)
    assert values(log) == before, "each batch is served by a replica that has it"
    done = mend(log.home, log.partition(SOURCE), 0)
    assert done.repaired == {1: [0], 2: [10], 3: [20]}
    check_copies_are_equal(options)
    assert len(isr(log)) == 3
    assert values(log) == before


def test_one_batch_damaged_everywhere_is_lost_and_said_and_the_others_are_mended(
    log: EmbeddedLog, copies: list[Path], caplog: pytest.LogCaptureFixture
) -> None:
    for number, copy in enumerate(copies):
        flip_batch(copy, 3, 70 + number)
    flip_batch(copies[1], 5)
    with pytest.raises(CorruptRecord):
        log.read(SOURCE, 15, 1)
    assert "offsets 15 to 19 are damaged on every replica in sync" in bad_news(log.tend())
    assert repairs(log.home.root) == {2: 1}
    assert (suspects(log.home, SOURCE), lost_segments(log.home, SOURCE)) == ([], [0])
    assert len(isr(log)) == 3
    assert [record.offset for record in log.read(SOURCE, 20, 2**20)] == list(range(20, 30))
    caplog.clear()
    with pytest.raises(CorruptRecord):
        log.read(SOURCE, 15, 1)
    assert suspects(log.home, SOURCE) == [], "what is known to be lost is not looked for with every read"


@pytest.mark.parametrize("number", [0, 1])
def test_a_copy_of_another_size_leaves_and_is_copied_anew(
    open_embedded: OpenLog, copies: list[Path], options: LogSettings, numbered: Numbered, number: int
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 300))
    before, base = values(log), segment_bases(copies[number])[1]
    path, position, size, _ = next(each for each in batches(copies[number]) if each[0].stem == f"{base:020d}")
    path.write_bytes(path.read_bytes()[: position + size - 3])
    assert list(mend(log.home, log.partition(SOURCE), base).left) == [number + 1]
    assert len(isr(log)) == 2
    log.tend()
    assert len(isr(log)) == 3
    check_copies_are_equal(options)
    assert values(log) == before


def test_of_two_copies_the_truncated_leader_leaves_and_not_the_whole_follower(
    open_embedded: OpenLog, copies: list[Path], options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none", min_insync=1, replicas=options.replicas[:2])
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 300))
    before, base = values(log), segment_bases(copies[0])[1]
    path = copies[0] / f"{base:020d}.log"
    path.write_bytes(path.read_bytes()[:-500])
    log.tend()
    log.tend()
    assert sorted(isr(log)) == ["disk-1", "disk-2"]
    assert values(log) == before


def test_copies_that_are_cut_and_damaged_at_different_batches_mend_each_other(
    open_embedded: OpenLog, copies: list[Path], options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=4000, compression="none", min_insync=1, replicas=options.replicas[:2])
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 300))
    before, base = values(log), segment_bases(copies[0])[0]
    assert segment_bases(copies[0])[1:], "it is closed"
    path = copies[0] / f"{base:020d}.log"
    path.write_bytes(path.read_bytes()[:-500])
    flip_batch(copies[1], 0)
    log.tend()
    log.tend()
    assert sorted(isr(log)) == ["disk-1", "disk-2"]
    assert values(log) == before


def test_with_no_replica_to_spare_it_is_mended_where_it_is(  # noqa: PLR0917 -- fixtures
    log: EmbeddedLog,
    copies: list[Path],
    options: LogSettings,
    numbered: Numbered,
    caplog: pytest.LogCaptureFixture,
    open_embedded: OpenLog,
) -> None:
    log.close()
    careful = open_embedded(min_insync=3)
    before = values(careful)
    flip_batch(copies[0], 1)
    assert values(careful) == before
    careful.append("mails", numbered(1, 30))
    assert "in sync with too few others to leave" in caplog.text
    assert len(isr(careful)) == 3
    check_copies_are_equal(options)


def test_a_copy_that_rejoins_is_not_cut_where_the_leader_is_the_damaged_one(
    open_embedded: OpenLog, copies: list[Path], options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 1000))
    before = values(log)
    options.replicas[2].rename(away := options.replicas[2].with_name("away"))
    log.append("mails", numbered(1, 30, 500))
    assert isr(log) == ["disk-1", "disk-2"]
    away.rename(options.replicas[2])
    for copy in copies[:2]:
        flip_batch(copy, 2, 7)  # a header: the copy that comes back is unlike
    size = (copies[2] / f"{0:020d}.log").stat().st_size
    assert "the leader's copy" in bad_news(log.tend())
    assert (copies[2] / f"{0:020d}.log").stat().st_size == size, "the only one that has it whole"
    for copy in copies[:2]:
        flip_batch_at = batches(copies[2])[2]
        flip(copy / flip_batch_at[0].name, flip_batch_at[1] + 7)
    log.tend()
    assert len(isr(log)) == 3
    assert values(log)[:30] == before


@pytest.fixture
def lose_a_batch(
    log: EmbeddedLog, copies: list[Path], options: LogSettings, numbered: Numbered
) -> Callable[[int], list[bytes | None]]:
    """The batch of offsets 10 to 14 in both copies that stay in sync while the third one is away; all values before."""

    def lose(at: int) -> list[bytes | None]:
        before, third = values(log), options.replicas[2]
        third.rename(away := third.with_name("away"))
        log.append("mails", numbered(1, 30, 500))
        for copy in copies[:2]:
            flip_batch(copy, 2, at)
        assert mend(log.home, log.partition(SOURCE), 0).lost == [range(10, 15)]
        away.rename(third)
        return before

    return lose


@pytest.mark.parametrize("fate", ["empty", "damaged as well", "damaged before"])
def test_a_replica_comes_back_though_no_copy_in_sync_has_a_batch_whole(
    log: EmbeddedLog,
    copies: list[Path],
    numbered: Numbered,
    lose_a_batch: Callable[[int], list[bytes | None]],
    fate: str,
) -> None:
    before = lose_a_batch(70)
    if fate == "empty":
        shutil.rmtree(copies[2])
    else:
        flip_batch(copies[2], 2 if fate == "damaged as well" else 1, 75)
    log.tend()
    assert len(isr(log)) == 3
    with pytest.raises(CorruptRecord):
        log.read(SOURCE, 10, 1)
    assert [each.value for each in log.read(SOURCE, 15, 2**30)][:15] == before[15:]
    log.append("mails", numbered(1, 31, 500))
    assert len(isr(log)) == 3


@pytest.mark.parametrize("damaged", [None, 4])
def test_a_replica_that_comes_back_gives_the_others_the_batch_that_they_had_lost(
    log: EmbeddedLog,
    copies: list[Path],
    options: LogSettings,
    lose_a_batch: Callable[[int], list[bytes | None]],
    damaged: int | None,
) -> None:
    before = lose_a_batch(70)
    if damaged is not None:
        flip_batch(copies[2], damaged)
    assert "damaged at offset 10, and mended from another replica" in bad_news(log.tend())
    assert len(isr(log)) == 3
    assert values(log)[:30] == before
    assert lost_segments(log.home, SOURCE) == []
    check_copies_are_equal(options)


def test_a_batch_that_another_header_stands_before_is_neither_given_nor_cut(
    log: EmbeddedLog, copies: list[Path], lose_a_batch: Callable[[int], list[bytes | None]]
) -> None:
    """Nothing proves then that it is the same one."""
    lose_a_batch(18)
    assert "the leader's copy" in bad_news(log.tend())
    assert len(isr(log)) == 2
    assert len(batches(copies[2])) == BATCHES


@EVERY_STEP
def test_a_mending_that_dies_at_any_step_is_done_again(
    log: EmbeddedLog,
    copies: list[Path],
    each_death: Callable[..., Iterator[bool]],
    move: Callable[[], Moved],
    every: int,
) -> None:
    before = values(log)
    flip_batch(copies[0], 1)
    flip_batch(copies[2], 4)
    moved = move()
    deaths = 0

    def prepare() -> Callable[[], object]:
        opened = moved.open()
        return lambda: mend(opened.home, opened.partition(SOURCE), 0)

    for died in each_death(moved.folder, prepare, every):
        deaths += died
        again = moved.open()
        with again.exclusive(SOURCE):
            assert values(again) == before
        again.tend()
        mend(again.home, again.partition(SOURCE), 0)
        again.tend()
        assert len(isr(again)) == 3
        assert values(again) == before
        check_copies_are_equal(moved.options)
        again.close()
    assert (deaths + 1) * every > 10
