from __future__ import annotations

from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import CommitLog, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.replicas.watermark import Watermark, WatermarkFile
from log.embedded.segment.names import segment_bases, segment_file

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]
Numbered = Callable[..., list[Record]]


def values(log: CommitLog) -> list[bytes | None]:
    return [record.value for record in log.read(SOURCE, 0, 2**30)]


def test_an_interrupted_append_leaves_nothing(
    embedded: EmbeddedLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch, options: LogSettings
) -> None:
    embedded.append("mails", numbered(5))
    before = segment_file(options.replicas[0] / "mails-0", 0).read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("log.embedded.partition.flushing.Flusher.flush", interrupt)
    with pytest.raises(KeyboardInterrupt):
        embedded.append("mails", numbered(5, 5))
    monkeypatch.undo()
    for folder in options.replicas:
        assert segment_file(folder / "mails-0", 0).read_bytes() == before
    assert embedded.append("mails", numbered(5, 5))[0].offset == 5


def test_a_rolled_back_append_leaves_no_segment(
    open_embedded: OpenLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch, options: LogSettings
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1)
    log.append("mails", numbered(5, size=100))

    def fail(*_: object) -> None:
        raise RuntimeError("here")

    monkeypatch.setattr("log.embedded.partition.flushing.Flusher.flush", fail)
    with pytest.raises(RuntimeError, match="here"):
        log.append("mails", numbered(50, 5, size=100))
    monkeypatch.undo()
    assert [segment_bases(folder / "mails-0") for folder in options.replicas] == [[0]] * 3
    log.append("mails", numbered(50, 5, size=100))
    assert values(log) == [record.value for record in numbered(55, size=100)]


def test_an_append_shows_its_end_and_then_that_it_is_acknowledged(
    embedded: EmbeddedLog, numbered: Numbered, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded.append("mails", numbered(1))
    marks = []
    write = WatermarkFile.write

    def note(file: WatermarkFile, mark: Watermark) -> None:
        marks.append(mark)
        write(file, mark)

    monkeypatch.setattr(WatermarkFile, "write", note)
    embedded.append("mails", numbered(500, 1, size=1000))
    assert [(mark.high_watermark, mark.end) for mark in marks] == [(1, 501), (501, 501)]
