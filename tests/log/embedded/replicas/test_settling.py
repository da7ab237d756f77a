from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import CorruptRecord, LogUnusable, NotEnoughReplicas, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.replicas.watermark import WatermarkFile, read_watermark

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def segment(options: LogSettings, number: int, base: int = 0) -> Path:
    return options.replicas[number - 1] / "mails-0" / f"{base:020d}.log"


def watermark_path(options: LogSettings) -> Path:
    return options.root / "state" / "mails-0" / "watermark"


def values(log: EmbeddedLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, log.span(SOURCE).start, 2**30)]


def in_sync(log: EmbeddedLog) -> list[str]:
    return [Path(folder).name for folder in log.describe("mails")[0].isr]


@pytest.fixture
def dying(open_embedded: OpenLog, options: LogSettings, numbered: Numbered) -> Callable[..., bytes]:
    """Ten acknowledged records, then five more written by an appender that dies before it publishes them.

    Which of the replicas got how many bytes of the five is the test's to say; the bytes of the five.
    """

    def die(**reached: float) -> bytes:
        log = open_embedded(compression="none")
        log.create_topic("mails", 1)
        log.append("mails", numbered(10))
        log.close()
        acknowledged, sizes = watermark_path(options).read_bytes(), segment(options, 1).stat().st_size
        log = open_embedded(compression="none")
        log.append("mails", numbered(5, 10))
        log.close()
        watermark_path(options).write_bytes(acknowledged)
        batch = segment(options, 1).read_bytes()[sizes:]
        for number in (1, 2, 3):
            kept = sizes + int(len(batch) * reached.get(f"r{number}", 0))
            data = segment(options, number).read_bytes()[:kept]
            segment(options, number).write_bytes(data)
        return batch

    return die


@pytest.mark.parametrize(
    ("reached", "survivors"),
    [
        pytest.param({}, 10, id="died before the first byte"),
        pytest.param({"r1": 0.1}, 10, id="died within the leader's header"),
        pytest.param({"r1": 0.9}, 10, id="died within the leader's batch"),
        pytest.param({"r1": 1}, 15, id="the leader alone has it"),
        pytest.param({"r1": 1, "r2": 0.5}, 15, id="died within a follower's batch"),
        pytest.param({"r1": 1, "r2": 1, "r3": 1}, 15, id="all have it"),
        pytest.param({"r3": 1}, 15, id="the leader's pages alone were lost"),
    ],
)
def test_what_a_dead_appender_left_is_whole_or_gone_on_every_replica(  # noqa: PLR0917  fixtures
    dying: Callable[..., bytes],
    reached: dict[str, float],
    survivors: int,
    open_embedded: OpenLog,
    options: LogSettings,
    numbered: Numbered,
) -> None:
    dying(**reached)
    for turn in range(2):
        log = open_embedded(compression="none")
        assert len(values(log)) == (10 if turn == 0 else survivors)
        with log.exclusive(SOURCE):
            assert values(log) == [record.value for record in numbered(survivors)]
        log.close()
    copies = {segment(options, number).read_bytes() for number in (1, 2, 3)}
    assert len(copies) == 1
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]
    log = open_embedded(compression="none")
    assert log.append("mails", numbered(1, survivors))[0].offset == survivors


def test_a_segment_begun_by_a_dead_appender_does_not_hide_what_follows(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(10))
    log.close()
    for number in (1, 2):
        for suffix in (".log", ".index", ".timeindex"):
            segment(options, number, 10).with_suffix(suffix).touch()
    log = open_embedded(compression="none")
    log.append("mails", numbered(10, 10))
    assert values(log) == [record.value for record in numbered(20)]
    assert [segment(options, number, 10).exists() for number in (1, 2, 3)] == [True, True, True]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_replica_damaged_below_the_watermark_leaves_the_isr(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, number: int
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(10))
    log.close()
    data = segment(options, number).read_bytes()
    segment(options, number).write_bytes(data[:-1])
    log = open_embedded()
    assert log.append("mails", numbered(1, 10))[0].offset == 10
    assert in_sync(log) == [f"disk-{other}" for other in (1, 2, 3) if other != number]
    assert values(log) == [record.value for record in numbered(11)]
    assert segment(options, number).read_bytes() == data[:-1]


def test_a_replica_without_its_oldest_segments_leaves_the_isr_unless_no_other_has_them(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=1500, compression="none")
    log.create_topic("mails", 1)
    for number in range(6):
        log.append("mails", numbered(1, number, size=1000))
    log.close()
    segment(options, 1).unlink()
    watermark_path(options).unlink()
    log = open_embedded(segment_bytes=1500, compression="none")
    log.append("mails", numbered(1, 6, size=1000))
    assert in_sync(log) == ["disk-2", "disk-3"]
    assert values(log) == [record.value for record in numbered(7, size=1000)]
    log.close()
    for number in (2, 3):
        segment(options, number).unlink()
    watermark_path(options).unlink()
    log = open_embedded(segment_bytes=1500, compression="none")
    log.append("mails", numbered(1, 7, size=1000))
    assert in_sync(log) == ["disk-2", "disk-3"]
    assert log.span(SOURCE) == range(1, 8)


def test_the_only_copy_damaged_below_the_watermark_is_a_corrupt_record(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    single = {"replicas": options.replicas[:1], "min_insync": 1}
    log = open_embedded(**single)
    log.create_topic("mails", 1)
    for start in (0, 5, 10):
        log.append("mails", numbered(5, start, size=5000))
    log.close()
    data = bytearray(segment(options, 1).read_bytes())
    data[len(data) // 2] ^= 1
    data += b"so that the file is not as it was left"
    segment(options, 1).write_bytes(data)
    log = open_embedded(**single)
    for _ in range(2):
        with pytest.raises(CorruptRecord, match=r"mails-0: damaged at offset 5 .*disk-1"):
            log.append("mails", numbered(1, 15))
        assert bytes(data) == segment(options, 1).read_bytes()
    assert [record.offset for record in log.read(SOURCE, 0, 2**20)[:5]] == [0, 1, 2, 3, 4]
    with pytest.raises(CorruptRecord, match="damaged at offset 7"):
        log.read(SOURCE, 7, 2**20)
    assert [record.offset for record in log.read(SOURCE, 10, 2**20)] == [10, 11, 12, 13, 14]


def test_an_old_copy_put_back_is_not_trusted(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered, tmp_path: Path
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    shutil.copytree(options.replicas[0], tmp_path / "backup")
    log.append("mails", numbered(5, 5))
    log.close()
    shutil.rmtree(options.replicas[0])
    shutil.copytree(tmp_path / "backup", options.replicas[0])
    log = open_embedded()
    log.append("mails", numbered(1, 10))
    assert in_sync(log) == ["disk-2", "disk-3"]
    described = log.describe("mails")[0]
    assert (Path(described.leader).name, described.epoch) == ("disk-2", 1)
    assert values(log) == [record.value for record in numbered(11)]


def test_no_replica_at_all_takes_no_append(open_embedded: OpenLog, options: LogSettings, numbered: Numbered) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    for folder in options.replicas:
        shutil.rmtree(folder / "mails-0")
    with pytest.raises(NotEnoughReplicas, match="no in-sync replica can be opened"):
        log.append("mails", numbered(1, 5))


def test_a_lost_watermark_is_found_again_by_the_next_append(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=2000)
    log.create_topic("mails", 1)
    for start in range(0, 50, 5):
        log.append("mails", numbered(5, start, size=100))
    times = [record.timestamp_ms for record in log.read(SOURCE, 0, 2**20)]
    watermark_path(options).unlink()
    assert log.append("mails", numbered(1, 50))[0].offset == 50
    assert log.span(SOURCE) == range(51)
    assert log.read(SOURCE, 50, 1)[0].timestamp_ms >= max(times)


def test_after_a_power_cut_the_replicas_say_where_the_end_is(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    """The watermark of another boot may lag: a reader looks for itself, and an appender settles."""
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    log.append("mails", numbered(5, 5))
    log.close()
    mark = read_watermark(watermark_path(options))
    assert mark is not None
    file = WatermarkFile(watermark_path(options))
    file.write(mark._replace(boot=bytes(16), high_watermark=5, end=5, position=mark.position // 2))
    file.close()
    before = watermark_path(options).read_bytes()
    log = open_embedded()
    assert values(log) == [record.value for record in numbered(10)]
    assert watermark_path(options).read_bytes() == before
    for number in (2, 3):
        segment(options, number).write_bytes(segment(options, number).read_bytes()[:-1])
    log = open_embedded()
    assert values(log) == [record.value for record in numbered(5)], "one disk alone proves nothing"
    assert log.append("mails", numbered(1, 10))[0].offset == 10
    assert values(log) == [record.value for record in numbered(11)]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]


@pytest.mark.parametrize("number", [1, 3], ids=["leader", "follower"])
@pytest.mark.parametrize("fate", ["older copy", "emptied", "gone"])
def test_after_a_power_cut_a_stale_replica_hides_nothing_that_was_acknowledged(  # noqa: PLR0917 -- fixtures
    open_embedded: OpenLog,
    options: LogSettings,
    numbered: Numbered,
    caplog: pytest.LogCaptureFixture,
    number: int,
    fate: str,
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(5))
    older, copy = options.root.parent / "older", options.replicas[number - 1] / "mails-0"
    shutil.copytree(copy, older)
    log.append("mails", numbered(5, 5))
    log.close()
    mark = read_watermark(watermark_path(options))
    assert mark is not None
    file = WatermarkFile(watermark_path(options))
    file.write(mark._replace(boot=bytes(16), high_watermark=5, end=5, position=mark.position // 2))
    file.close()
    shutil.rmtree(copy)
    if fate == "older copy":
        older.rename(copy)
    elif fate == "emptied":
        copy.mkdir()
    log = open_embedded()
    assert values(log) == [record.value for record in numbered(10)]
    assert "end at different offsets" in caplog.text
    log.tend()
    assert values(log) == [record.value for record in numbered(10)]
    assert in_sync(log) == ["disk-1", "disk-2", "disk-3"]


def test_after_a_power_cut_what_was_acknowledged_is_shown_though_too_few_replicas_are_left(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(10))
    log.close()
    mark = read_watermark(watermark_path(options))
    assert mark is not None
    file = WatermarkFile(watermark_path(options))
    file.write(mark._replace(boot=bytes(16), high_watermark=5))
    file.close()
    for number in (1, 2):
        shutil.rmtree(options.replicas[number - 1])
    log = open_embedded()
    with pytest.raises(NotEnoughReplicas):
        log.append("mails", numbered(1, 10))
    assert values(log) == [record.value for record in numbered(10)]


def test_without_a_power_cut_what_was_never_acknowledged_is_not_shown_by_too_few_replicas(
    dying: Callable[..., bytes], open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    dying(r1=1, r2=1, r3=1)
    for number in (1, 2):
        shutil.rmtree(options.replicas[number - 1])
    log = open_embedded(compression="none")
    with pytest.raises(NotEnoughReplicas):
        log.append("mails", numbered(1, 10))
    assert values(log) == [record.value for record in numbered(10)]


def test_a_watermark_of_another_partition_counts_as_lost(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.create_topic("others", 1)
    log.append("mails", numbered(10))
    log.close()
    shutil.copy(options.root / "state" / "others-0" / "watermark", watermark_path(options))
    log = open_embedded()
    with pytest.raises(LogUnusable, match="its high watermark is lost; `otclog log tend` finds it again"):
        log.span(SOURCE)
    assert log.append("mails", numbered(1, 10))[0].offset == 10
    assert len(values(log)) == 11


def test_a_root_put_back_from_before_records_were_deleted_is_settled_from_the_replicas(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded(segment_bytes=200, compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(2))
    shutil.copytree(options.root, options.root.with_name("older"))
    for number in range(2, 30):
        log.append("mails", numbered(1, number))
    log.delete_records(SOURCE, 20)
    log.close()
    shutil.rmtree(options.root)
    options.root.with_name("older").rename(options.root)
    log = open_embedded(segment_bytes=200, compression="none")
    assert log.append("mails", numbered(1, 30))[0].offset == 30
    assert values(log) == [record.value for record in numbered(11, 20)]


def test_an_end_that_no_batch_ends_at_is_not_believed_though_the_files_have_that_size(
    open_embedded: OpenLog, options: LogSettings, numbered: Numbered
) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", numbered(10))
    log.close()
    mark, file = read_watermark(watermark_path(options)), WatermarkFile(watermark_path(options))
    assert mark is not None
    file.write(mark._replace(end=8, high_watermark=8))
    file.close()
    log = open_embedded()
    assert log.append("mails", numbered(1, 10))[0].offset == 10
    assert values(log) == [record.value for record in numbered(11)]
