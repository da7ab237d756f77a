"""A topic is known by its id: what is made anew under its name has other mails at the same offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import UnknownTopic
from log.reading import topic_id_now
from log.topic_rules import is_internal
from pipelines.errors import NothingToRead, OtherLog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from log.interface import CommitLog
    from pipelines.jobs.plan import Plan
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store


def ids_of(log: CommitLog, topics: Iterable[str]) -> dict[str, str]:
    """By topic; whoever plans asks before looking for offsets. Raises NothingToRead where there is none, or no mail."""
    asked = list(topics)
    if own := [topic for topic in asked if is_internal(topic)]:
        raise NothingToRead(f"topic {own[0]} is the log's own: it has no mails; `otclog topic list` shows the others")
    try:
        return {topic: log.topic_id(topic) for topic in asked}
    except UnknownTopic as error:
        raise NothingToRead(f"{error}; `otclog topic list` shows those there are") from error


def made_anew(log: CommitLog, plan: Plan) -> list[str]:
    """The plan's topics that are deleted, or others of the same name, by now."""
    return [topic for topic, planned in plan.topics.items() if topic_id_now(log, topic) != planned]


def require_same(log: CommitLog, plan: Plan) -> None:
    """For who has read what was planned. An id never comes back, so the topic was the same meanwhile.

    Raises NothingToRead.
    """
    if others := made_anew(log, plan):
        raise NothingToRead(
            f"topic {', '.join(others)} was deleted, or made anew, since the run was planned: nothing is published; "
            "run the command again"
        )


def require_rows_of(store: Store, published: Publication, topics: Mapping[str, str]) -> None:
    """See that the rows that are published come of these topics, by their ids, as far as they are of these names.

    A record's rows take the place of those of its topic, partition and offset: of another log's they would be others.
    Raises OtherLog.
    """
    if others := [topic for topic, of in topics.items() if published.topics.get(topic, of) != of]:
        topic = others[0]
        raise OtherLog(
            f"{store.uri()} has rows of another topic {topic} (id {published.topics[topic]}) than this log's (id "
            f"{topics[topic]}): of another log, or of one that was deleted and made anew. Name a [tables] root of its "
            f"own for this log; or, if those rows may go, move {store.uri()} away: `otclog extract` then extracts all "
            "that this log has"
        )
