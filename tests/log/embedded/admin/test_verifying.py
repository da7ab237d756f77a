"""What is wrong on disk is found and named, whatever it is; what is right is not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.admin.verifying import Finding, verify
from log.embedded.segment.names import segment_bases, segment_file

SOURCE = TopicPartition("mails", 0)
Damage = Callable[[Path], object]


@pytest.fixture
def log(open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., Sequence[Record]]) -> EmbeddedLog:
    """Four segments of five batches of two records each, or so."""
    log = open_embedded(segment_bytes=20_000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 40, 2):
        log.append("mails", numbered(2, start, size=2000))
    return log


def found(log: EmbeddedLog) -> list[Finding]:
    return list(verify(log, SOURCE, lambda _: None))


def segment(folder: Path, number: int, suffix: str = ".log") -> Path:
    return segment_file(folder, segment_bases(folder)[number], suffix)


def epochs(folder: Path) -> Path:
    return folder / "leader-epoch-checkpoint"


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_nothing_is_wrong_with_a_log_that_is_whole(log: EmbeddedLog) -> None:
    read: list[int] = []
    assert list(verify(log, SOURCE, lambda _: None, read.append)) == []
    assert sum(read) == 3 * log.describe("mails")[0].bytes


def test_nothing_is_wrong_while_another_appends_deletes_and_compacts(
    log: EmbeddedLog, numbered: Callable[..., Sequence[Record]]
) -> None:
    log.append("mails", numbered(3, 40), wait="written")
    log.delete_records(SOURCE, 11)
    assert found(log) == []
    log.create_topic("keys", 1, TopicConfig(cleanup="compact", segment_bytes=9000))
    for number in range(30):
        log.append("keys", [Record(b"%d" % (number % 3), b"." * 2000)])
    assert any(done.action == "compact" for done in log.tend())
    assert list(verify(log, TopicPartition("keys", 0), lambda _: None)) == []


@pytest.mark.parametrize(
    ("damage", "said", "offset"),
    [
        pytest.param(lambda at: flip(segment(at, 1), 5000), "not an intact batch", 10, id="a bit of a record"),
        pytest.param(lambda at: flip(segment(at, 1), 7), "not an intact batch", 8, id="a bit of a base offset"),
        pytest.param(lambda at: flip(segment(at, 1), 8), "no batch begins here", 8, id="a bit of a length"),
        pytest.param(lambda at: os.truncate(segment(at, 1), 9000), "no batch begins here", 12, id="a torn segment"),
        pytest.param(lambda at: segment(at, 1).unlink(), "offsets 8 to 15 are missing", 8, id="no segment"),
        pytest.param(lambda at: segment(at, -1).unlink(), "are missing", 32, id="no last segment"),
        pytest.param(shutil.rmtree, "cannot be read", 0, id="no folder"),
        pytest.param(lambda at: epochs(at).unlink(), "is missing or torn", 0, id="no epochs"),
        pytest.param(lambda at: epochs(at).write_bytes(b"0\n1\n"), "is missing or torn", 0, id="torn epochs"),
        pytest.param(lambda at: segment(at, 1, ".index").unlink(), "is missing", 8, id="no index"),
        pytest.param(
            lambda at: segment(at, 1, ".timeindex").write_bytes(b""), "other entries", 8, id="empty timeindex"
        ),
        pytest.param(lambda at: flip(segment(at, 1, ".index"), 3), "other entries", 8, id="a bit of an index"),
        pytest.param(lambda at: flip(segment(at, -1, ".index"), 3), "other entries", 32, id="a bit of the last index"),
    ],
)
@pytest.mark.parametrize("replica", [1, 3])
def test_damage_is_named_with_its_place_and_repaired_as_it_says(  # noqa: PLR0917  fixtures
    log: EmbeddedLog, options: LogSettings, damage: Damage, said: str, offset: int, replica: int
) -> None:
    folder = options.replicas[replica - 1] / "mails-0"
    log.close()
    damage(folder)
    log = EmbeddedLog(options)
    first, *_ = findings = found(log)
    assert {(each.topic, each.partition, each.replica) for each in findings} == {("mails", 0, replica)}
    assert said in first.what
    assert first.offset == offset
    assert str(folder) in first.file
    assert f"otclog replica resync {replica}" in first.todo
    assert all(done.ok for done in Replicas(log).resync(replica))
    assert found(log) == []
    log.close()


def test_every_damaged_batch_is_named(log: EmbeddedLog, options: LogSettings) -> None:
    folder = options.replicas[0] / "mails-0"
    for at in (100, 5000, 9000):
        flip(segment(folder, 1), at)
    assert [each.offset for each in found(log)] == [8, 10, 12]


def test_a_replica_out_of_sync_is_named_and_what_brings_it_back(
    log: EmbeddedLog, options: LogSettings, numbered: Callable[..., Sequence[Record]]
) -> None:
    shutil.rmtree(options.replicas[1])
    log.append("mails", numbered(1, 40))
    (finding,) = found(log)
    assert (finding.replica, finding.what, finding.todo) == (2, "out of sync", "`otclog log tend` brings it back")


def test_a_lost_watermark_is_named(log: EmbeddedLog, options: LogSettings) -> None:
    (options.root / "state" / "mails-0" / "watermark").write_bytes(b"")
    assert {each.what for each in found(log)} == {"lost"}


def test_what_is_wrong_with_a_record_is_named_for_each_replica(log: EmbeddedLog) -> None:
    judged = list(verify(log, SOURCE, lambda record: "odd" if record.offset == 17 else None))
    assert [(each.replica, each.offset, each.what) for each in judged] == [(n, 17, "odd") for n in (1, 2, 3)]


def test_what_every_replica_has_damaged_is_said_to_need_a_backup_and_what_one_has_whole_a_resync(
    log: EmbeddedLog, options: LogSettings
) -> None:
    for folder in options.replicas:
        flip(segment(folder / "mails-0", 1), 5000)
    flip(segment(options.replicas[1] / "mails-0", 2), 5000)
    everywhere = [each for each in found(log) if each.what.endswith(", and damaged on every replica")]
    assert [each.replica for each in everywhere] == [1, 2, 3]
    assert all(each.todo.startswith("a backup is needed: ") for each in everywhere)
    (other,) = [each for each in found(log) if each not in everywhere]
    assert (other.replica, other.todo) == (2, "`otclog replica resync 2` takes it from the other replicas")


def test_a_segment_that_every_replica_lacks_is_said_to_need_a_backup(log: EmbeddedLog, options: LogSettings) -> None:
    first, *others = [segment(folder / "mails-0", 1) for folder in options.replicas]
    first.unlink()
    (one,) = found(log)
    assert one.todo.startswith("`otclog replica resync 1` takes it")
    for other in others:
        other.unlink()
    assert all(each.what.endswith(", on every replica") for each in found(log))
    assert all(each.todo.startswith("a backup is needed: ") for each in found(log))
