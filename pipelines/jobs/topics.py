"""A topic is known by its id: what is made anew under its name has other mails at the same offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.errors import UnknownTopic
from pipelines.errors import NothingToRead

if TYPE_CHECKING:
    from collections.abc import Iterable

    from log.interface import CommitLog
    from pipelines.jobs.plan import Plan


def ids_of(log: CommitLog, topics: Iterable[str]) -> dict[str, str]:
    """By topic; whoever plans asks before looking for offsets. Raises NothingToRead where there is none."""
    try:
        return {topic: log.topic_id(topic) for topic in topics}
    except UnknownTopic as error:
        raise NothingToRead(f"{error}; `otclog topic list` shows those there are") from error


def made_anew(log: CommitLog, plan: Plan) -> list[str]:
    """The plan's topics that are deleted, or others of the same name, by now."""
    return [topic for topic, planned in plan.topics.items() if _id_now(log, topic) != planned]


def require_same(log: CommitLog, plan: Plan) -> None:
    """For who has read what was planned. An id never comes back, so the topic was the same meanwhile.

    Raises NothingToRead.
    """
    if others := made_anew(log, plan):
        raise NothingToRead(
            f"topic {', '.join(others)} was deleted, or made anew, since the run was planned: nothing is published; "
            "run the command again"
        )


def _id_now(log: CommitLog, topic: str) -> str | None:
    try:
        return log.topic_id(topic)
    except UnknownTopic:
        return None
