from __future__ import annotations

from collections.abc import Callable

from log import TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_PARTITION, take

SOURCE = TopicPartition("mails", 0)


def test_a_commit_is_one_batch(embedded: EmbeddedLog) -> None:
    embedded.create_topic("many", 40)
    embedded.commit("extract", {TopicPartition("many", number): 0 for number in range(40)})
    times = {record.timestamp_ms for record in embedded.read(GROUPS_PARTITION, 0, 2**20)}
    assert embedded.span(GROUPS_PARTITION) == range(40)
    assert len(times) == 1


def test_two_openings_never_begin_the_same_generation(
    embedded: EmbeddedLog, open_embedded: Callable[[], EmbeddedLog]
) -> None:
    openings = [embedded, open_embedded()]
    generations = [take(each, "extract", {SOURCE: 0})[SOURCE].generation for _ in range(3) for each in openings]
    assert generations == [1, 2, 3, 4, 5, 6]
