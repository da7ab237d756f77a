"""Protected groups: what such a group has not read is not deleted. A record in the groups' topic says which are.

key      {"group":"extract","protected":true}
value    {"by":"ann@desk","since_ms":1764000000000}         a tombstone ends it

A group that has committed a partition of a topic holds all of that topic's partitions, from its offsets on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from log.errors import GroupUnreadable, LogUnusable
from log.groups import GROUPS_PARTITION, GROUPS_TOPIC, check_name, ids_of, key_of, offset_record
from log.journal import who
from log.reading import has_topic, records_of
from log.times import now_ms
from log.types import GroupOffset, Record, RetentionHold, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from log.interface import CommitLog, Standing


def protect(log: CommitLog, group: str) -> None:
    """From now on, durably. Raises LogUnusable for a group that never committed: it would hold nothing."""
    check_name(group)
    if not log.committed(group):
        raise LogUnusable(f"group {group} has committed nothing, so there is nothing to keep for it: commit first")
    log.change_group(group, lambda _: [_record(group)])


def begin_protected(
    log: CommitLog, group: str, offsets: Mapping[TopicPartition, int], topics: Mapping[str, str] | None = None
) -> None:
    """The first commit of a group, and its protection, in one batch; nothing for a group that has committed before.

    So who has ended the protection has done so for good. Raises as `CommitLog.commit`, and has `topics` as that has.
    """

    def decide(known: Standing) -> list[Record]:
        if known.latest(group):
            return []
        ids, now = ids_of(log, group, offsets, topics), now_ms()
        begun = {source: GroupOffset(at, now, "", 0, ids[source.topic]) for source, at in offsets.items()}
        return [_record(group), *(offset_record(group, source, each) for source, each in begun.items())]

    log.change_group(group, decide)


def unprotect(log: CommitLog, group: str) -> None:
    """No longer, durably."""
    check_name(group)
    if has_topic(log, GROUPS_TOPIC):
        log.change_group(group, lambda _: [Record(_key(group), None)])


def protected(log: CommitLog) -> list[str]:
    """The protected groups, sorted."""
    if not has_topic(log, GROUPS_TOPIC):
        return []
    found: dict[str, bool] = {}
    for record in records_of(log, GROUPS_PARTITION):
        key = key_of(record)
        if key and key.get("protected"):
            found[key["group"]] = record.value is not None
    return sorted(group for group, holds in found.items() if holds)


def hold_on(log: CommitLog, source: TopicPartition, groups: Iterable[str]) -> RetentionHold | None:
    """Which of these groups, the protected ones, is furthest behind in a partition, if any has to do with its topic."""
    return min(readers(log, source, groups), key=lambda hold: hold.offset, default=None)


def readers(log: CommitLog, source: TopicPartition, groups: Iterable[str]) -> list[RetentionHold]:
    """Where each of these groups that has to do with a partition's topic stands in the partition."""
    found = []
    for group in groups:
        try:
            committed = log.committed(group)
        except GroupUnreadable as error:
            if source.topic in error.topics:
                raise
            continue
        if any(each.topic == source.topic for each in committed):
            found.append(RetentionHold(group, committed.get(source, 0)))
    return found


def _record(group: str) -> Record:
    value = {"by": who(), "since_ms": now_ms()}
    return Record(_key(group), json.dumps(value, sort_keys=True).encode("ascii"))


def _key(group: str) -> bytes:
    return json.dumps({"group": group, "protected": True}, sort_keys=True, separators=(",", ":")).encode("ascii")
