from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition, find_log, open_log
from log.disk.documents import write_document
from log.embedded import EmbeddedLog
from log.embedded.recovery.restoring import find_lost_identities, find_lost_topics
from log.embedded.topic_admin import topics_locked

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


@pytest.mark.parametrize("lost", ["log", "log/state", "log/state/mails-0/watermark"])
def test_who_opens_the_log_to_append_finds_lost_watermarks_again(
    options: LogSettings, embedded: EmbeddedLog, lost: str, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.close()
    path = options.root.parent / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with closing(open_log(options)) as log:
        assert log.span(SOURCE) == range(1)
        assert [record.value for record in log.read(SOURCE, 0, 100)] == [b"value"]
    assert "mails-0: its high watermark was lost: found again" in caplog.text


def test_a_watermark_that_cannot_be_found_again_is_named_with_the_reason(
    options: LogSettings, embedded: EmbeddedLog, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.close()
    shutil.rmtree(options.root / "state")
    for folder in options.replicas[:2]:
        shutil.rmtree(folder / "mails-0")
    with closing(open_log(options)) as log, pytest.raises(LogUnusable, match="otclog log tend"):
        log.span(SOURCE)
    assert "mails-0: its high watermark is lost, and not found again" in caplog.text


@pytest.mark.parametrize("way", ["open", "tend"])
def test_who_opens_the_log_to_append_or_tends_it_restores_a_topics_lost_file(
    options: LogSettings, embedded: EmbeddedLog, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    whole = embedded.home.topic_file("mails").read_bytes()
    embedded.home.topic_file("mails").unlink()
    if way == "open":
        open_log(options).close()
    else:
        assert [(done.topic, done.action, done.ok) for done in embedded.tend()] == [("mails", "restore", True)]
    assert embedded.home.topic_file("mails").read_bytes() == whole
    assert "mails: the root had lost the file of this topic: restored" in caplog.text
    assert embedded.tend() == []


def test_a_file_that_cannot_be_restored_now_hinders_nobody(
    options: LogSettings, embedded: EmbeddedLog, open_embedded: OpenLog, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.home.topic_file("mails").unlink()
    with topics_locked(embedded.home, options):
        log = open_embedded(lock_timeout_s=0.05)
        assert find_lost_topics(log) == []
        assert log.append("mails", [Record(b"key", b"value")])[0].offset == 0
    assert "lost files of its topics, and they are not restored" in caplog.text


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"damaged")])
def test_a_replica_that_lost_its_identity_gets_it_again_when_the_log_is_tended(
    options: LogSettings, embedded: EmbeddedLog, damage: Callable[[Path], object]
) -> None:
    file = options.replicas[1] / "replica.json"
    whole = file.read_bytes()
    damage(file)
    (done,) = embedded.tend()
    assert (done.topic, done.action, done.ok) == ("", "restore", True)
    assert "disk-2: its replica.json was lost or damaged: written again" in done.detail
    assert file.read_bytes() == whole
    assert embedded.tend() == []


def test_an_identity_that_cannot_be_written_is_told(options: LogSettings, embedded: EmbeddedLog) -> None:
    file = options.replicas[1] / "replica.json"
    file.unlink()
    file.mkdir()
    (done,) = embedded.tend()
    assert not done.ok
    assert "disk-2: its replica.json is lost or damaged, and not written again" in done.detail


def test_a_folder_that_is_no_replica_of_this_log_gets_no_identity(
    options: LogSettings, embedded: EmbeddedLog, tmp_path: Path
) -> None:
    other = dataclasses.replace(
        options, root=tmp_path / "other", replicas=tuple(tmp_path / f"other-{number}" for number in (1, 2, 3))
    )
    with closing(open_log(other)) as log:
        log.create_topic("mails", 1)
    (other.replicas[0] / "replica.json").unlink()
    shutil.rmtree(options.replicas[0])
    other.replicas[0].rename(options.replicas[0])
    shutil.rmtree(options.replicas[1])
    options.replicas[1].mkdir()  # the mount point without its disk
    assert find_lost_identities(embedded) == []


@pytest.mark.parametrize("name", ["disk-1/replica.json", "log/topics/mails/topic.json", "disk-1/mails-0/state.json"])
def test_a_file_that_another_one_was_copied_over_is_restored_as_a_lost_one_is(
    options: LogSettings, embedded: EmbeddedLog, name: str
) -> None:
    embedded.append("mails", [Record(b"key", b"value")])
    embedded.close()
    path = options.root.parent / name
    write_document(path, {"id": "another kind of document"})
    with closing(open_log(options)) as log:
        assert [record.value for record in log.read(SOURCE, 0, 100)] == [b"value"]
        assert all(done.ok for done in log.tend())
        assert log.append("mails", [Record(b"key", b"value")])[0].offset == 1


def test_a_folder_in_a_watermarks_place_is_named_with_what_to_do(embedded: EmbeddedLog) -> None:
    path = embedded.home.watermark_file(SOURCE)
    path.unlink()
    path.mkdir()
    with pytest.raises(LogUnusable, match=f"{path}: Is a directory; moved away, `otclog log tend` finds"):
        embedded.span(SOURCE)


def test_who_opens_the_log_to_append_brings_a_root_up_to_date_that_was_put_back_from_an_older_copy(
    options: LogSettings, embedded: EmbeddedLog, caplog: pytest.LogCaptureFixture
) -> None:
    embedded.append("mails", [Record(b"key", b"before")])
    shutil.copytree(options.root, options.root.with_name("older"))
    embedded.append("mails", [Record(b"key", b"after")])
    embedded.close()
    shutil.rmtree(options.root)
    options.root.with_name("older").rename(options.root)
    with closing(find_log(options)) as log:
        assert log.span(SOURCE) == log.span(SOURCE) == range(1)
    assert caplog.text.count("mails-0: the replicas go on behind offset 1, where they end by what the root says") == 1
    with closing(open_log(options)) as log:
        assert [record.value for record in log.read(SOURCE, 0, 100)] == [b"before", b"after"]
    assert "mails-0: the replicas had more than the root knew of: shown up to offset 2" in caplog.text


def test_of_a_partition_that_somebody_appends_to_nothing_is_said(
    options: LogSettings, embedded: EmbeddedLog, caplog: pytest.LogCaptureFixture
) -> None:
    with embedded.partition(SOURCE).hold():
        for folder in options.replicas:
            with (folder / "mails-0" / f"{0:020d}.log").open("ab") as file:
                file.write(b"the first bytes of a batch")
        with closing(find_log(options)) as log:
            assert log.span(SOURCE) == range(0)
    assert not caplog.text
