from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, OutOfResources, TopicConfig, UnknownTopic
from log.disk.documents import read_document, write_document
from log.embedded.home import Home
from log.embedded.opening import adopt, open_home
from log.embedded.topics import Topic, TopicCache, load_topic, lost_topics, restore_topics, save_topic, topic_names

CONFIG = TopicConfig(segment_bytes=1000, compression="lz4", cleanup="compact")


@pytest.fixture
def home(options: LogSettings) -> Home:
    made = open_home(options)
    save_topic(made, "mails", "id", 4, CONFIG)
    return made


def test_settings_are_read_as_they_were_saved(home: Home) -> None:
    assert load_topic(home, "mails") == Topic(4, CONFIG, "id")
    assert topic_names(home) == ["mails"]


def test_a_damaged_file_is_made_up_for_by_the_copies(home: Home) -> None:
    home.topic_file("mails").write_bytes(b"damaged")
    assert load_topic(home, "mails") == Topic(4, CONFIG, "id")


@pytest.mark.parametrize("name", ["other", "", "..", "../topics/mails", "mails/"])
def test_what_is_no_topic_is_unknown(home: Home, name: str) -> None:
    with pytest.raises(UnknownTopic):
        load_topic(home, name)
    with pytest.raises(UnknownTopic):
        TopicCache(home).partitions(name)


def test_lost_files_come_back_from_a_majority(home: Home) -> None:
    shutil.rmtree(home.root / "topics")
    shutil.rmtree(home.replicas[1])
    (home.root / "topics").mkdir()
    restore_topics(home)
    assert topic_names(home) == ["mails"]
    assert load_topic(home, "mails") == Topic(4, CONFIG, "id")


def test_the_cache_sees_a_changed_file(home: Home) -> None:
    cache = TopicCache(home)
    assert (cache.partitions("mails"), cache.config("mails"), cache.id("mails")) == (4, CONFIG, "id")
    save_topic(home, "mails", "another", 8, TopicConfig())
    assert (cache.partitions("mails"), cache.config("mails"), cache.id("mails")) == (8, TopicConfig(), "another")


def test_a_topic_of_an_older_version_is_told_from_that_of_another_log_by_the_logs_id(home: Home) -> None:
    save_topic(home, "mails", "", 4, CONFIG)
    assert TopicCache(home).id("mails") == home.log_id


def test_nothing_is_put_where_a_replicas_disk_is_not_mounted(home: Home) -> None:
    shutil.rmtree(home.replicas[1])
    home.replicas[1].mkdir()  # the mount point without its disk
    save_topic(home, "mails", "id", 8, CONFIG)
    assert list(home.replicas[1].iterdir()) == []
    adopt(home, 1)
    assert home.topic_copy("mails", 1).read_bytes() == home.topic_file("mails").read_bytes()


def test_a_topic_whose_file_the_root_lost_is_one_as_long_as_a_majority_tells_of_it(home: Home) -> None:
    shutil.rmtree(home.topic_file("mails").parent)
    home.topic_copy("mails", 1).unlink()
    assert topic_names(home) == lost_topics(home) == ["mails"]
    home.topic_copy("mails", 2).write_bytes(b"damaged")
    assert topic_names(home) == lost_topics(home) == []


def test_a_topic_that_is_being_deleted_is_none_though_every_copy_is_there(home: Home) -> None:
    home.deletion_file("mails").touch()
    home.topic_file("mails").unlink()
    assert topic_names(home) == restore_topics(home) == []


def test_who_cannot_look_takes_no_topic_for_none(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def listdir(path: Path) -> list[str]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), str(path))

    monkeypatch.setattr(os, "listdir", listdir)
    with pytest.raises(OutOfResources):
        topic_names(home)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"damaged")])
def test_one_lost_file_is_written_again_as_it_was(home: Home, damage: Callable[[Path], object]) -> None:
    whole = home.topic_file("mails").read_bytes()
    damage(home.topic_file("mails"))
    assert restore_topics(home) == ["mails"]
    assert home.topic_file("mails").read_bytes() == whole
    assert restore_topics(home) == []


def test_settings_of_a_later_version_are_said_to_be_so(home: Home) -> None:
    document = read_document(home.topic_file("mails"))
    assert document is not None
    document["config"]["tiers"] = 2
    write_document(home.topic_file("mails"), {**document, "version": 2})
    with pytest.raises(LogUnusable, match=r"tiers.*use a newer otclog"):
        load_topic(home, "mails")
