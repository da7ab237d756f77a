from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.lost_topics import hidden_topics

Numbered = Callable[..., list[Record]]


def lose(log: EmbeddedLog, topic: str, copies: tuple[int, ...]) -> None:
    for file in (log.home.topic_file(topic), *(log.home.topic_copy(topic, number) for number in copies)):
        file.unlink()


def test_a_topic_whose_file_most_places_lost_is_told_once_with_what_to_do(
    embedded: EmbeddedLog, numbered: Numbered
) -> None:
    embedded.create_topic("runs", 2)
    embedded.append("runs", numbered(9))
    assert hidden_topics(embedded.home) == []
    lose(embedded, "runs", (1, 3))
    assert embedded.topics() == ["mails"]
    (told,) = hidden_topics(embedded.home)
    assert all(part in told for part in ("runs-", "disk-2", "never deleted", "Put it back, from a backup or"))
    whole = embedded.home.topic_copy("runs", 2).read_bytes()
    embedded.home.topic_file("runs").write_bytes(whole)
    assert embedded.topics() == ["mails", "runs"]
    assert hidden_topics(embedded.home) == []


def test_its_partitions_state_may_be_lost_in_the_root_too(embedded: EmbeddedLog, numbered: Numbered) -> None:
    embedded.append("mails", numbered(1))
    lose(embedded, "mails", (1, 2))
    shutil.rmtree(embedded.home.state_file(TopicPartition("mails", 0)).parent)
    assert len(hidden_topics(embedded.home)) == 1


@pytest.mark.parametrize("copies", [(), (2,)])
def test_a_topic_that_a_majority_tells_of_is_not_hidden(
    embedded: EmbeddedLog, numbered: Numbered, copies: tuple[int, ...]
) -> None:
    embedded.append("mails", numbered(1))
    lose(embedded, "mails", copies)
    assert hidden_topics(embedded.home) == []


def test_what_a_deleted_topic_left_on_a_disk_that_was_away_is_no_hidden_one(
    embedded: EmbeddedLog, numbered: Numbered
) -> None:
    embedded.append("mails", numbered(1))
    away = embedded.home.replicas[3].rename(embedded.home.replicas[3].with_suffix(".away"))
    embedded.delete_topic("mails")
    assert hidden_topics(embedded.home) == []
    away.rename(embedded.home.replicas[3])
    assert hidden_topics(embedded.home) == []


def test_a_topic_without_records_is_none_as_its_name_can_be_given_again(embedded: EmbeddedLog) -> None:
    lose(embedded, "mails", (1, 2, 3))
    assert hidden_topics(embedded.home) == []
    embedded.create_topic("mails", 1)
