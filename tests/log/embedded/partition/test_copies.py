from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import Record, ReplicaFailed, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.home import Home, find_home
from log.embedded.partition.copies import Copies
from log.embedded.replicas.watermark import Watermark, read_watermark
from log.embedded.segment.names import segment_file

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def home(
    open_embedded: Callable[..., EmbeddedLog], options: LogSettings, numbered: Callable[..., list[Record]]
) -> Home:
    """Three copies of five segments of a record each."""
    log = open_embedded(segment_bytes=1500, compression="none")
    log.create_topic("mails", 1)
    for number in range(5):
        log.append("mails", numbered(1, number, size=1000))
    return find_home(options.root)


def mark_of(home: Home) -> Watermark:
    mark = read_watermark(home.watermark_file(SOURCE))
    assert mark is not None
    return mark


def asked(home: Home) -> list[str]:
    return [folder.parent.name for folder in Copies(home).folders(SOURCE, mark_of(home))]


def test_the_leader_is_asked_first_but_a_copy_without_its_beginning_or_at_all_last(
    home: Home, options: LogSettings
) -> None:
    assert asked(home) == ["disk-1", "disk-2", "disk-3"]
    segment_file(options.replicas[0] / "mails-0", 0).unlink()
    assert asked(home) == ["disk-2", "disk-3", "disk-1"]
    shutil.rmtree(options.replicas[1])
    assert asked(home) == ["disk-3", "disk-1", "disk-2"]


def test_the_segments_are_listed_again_only_when_the_watermark_moved_to_another(
    home: Home, options: LogSettings
) -> None:
    copies, mark, folder = Copies(home), mark_of(home), options.replicas[0] / "mails-0"
    assert copies.bases(folder, mark) == [0, 1, 2, 3, 4]
    segment_file(folder, 0).unlink()
    assert copies.bases(folder, mark) == [0, 1, 2, 3, 4]
    assert copies.bases(folder, mark._replace(segment_base=5)) == [1, 2, 3, 4]


def test_a_disk_that_does_not_answer_passes_the_question_on_and_the_last_one_says_why(
    home: Home, options: LogSettings
) -> None:
    copies, mark = Copies(home), mark_of(home)
    shutil.rmtree(options.replicas[0])
    assert copies.somewhere(SOURCE, mark, lambda folder: copies.bases(folder, mark)) == [0, 1, 2, 3, 4]
    for folder in options.replicas[1:]:
        shutil.rmtree(folder)
    with pytest.raises(ReplicaFailed, match=r"mails-0: no in-sync replica can be read: .*disk-2.*disk-3"):
        Copies(home).somewhere(SOURCE, mark, lambda folder: copies.bases(folder / "gone", mark))


def test_who_is_asked_is_told_without_believing_a_watermark_that_lags_after_a_power_cut(
    home: Home,
) -> None:
    copies, lagging = Copies(home), mark_of(home)._replace(segment_base=0, high_watermark=0)
    folder = copies.folders(SOURCE, lagging)[0]
    assert copies.bases(folder, lagging._replace(high_watermark=5)) == [0, 1, 2, 3, 4]
