"""Where consumer groups stand: records of an internal, compacted topic, the latest of each key wins.

    key      {"group":"extract","partition":0,"topic":"mails"}
    value    {"committed_at_ms":1764000000000,"generation":0,"metadata":"","offset":1200}

Both are JSON with sorted keys. The generation grows when a group is moved back, so that a consumer that was running
then can tell. Offsets never expire by themselves. Both backends keep their groups so.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from log.errors import LogUnusable, TopicExists
from log.types import Record, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.interface import CommitLog
    from log.types import StoredRecord

GROUPS_TOPIC = "__otclog_groups"
GROUPS_PARTITION = TopicPartition(GROUPS_TOPIC, 0)  # one partition: a commit is one batch, so all of it or nothing
MAX_NAME = 249  # as for topics
FETCH_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class GroupOffset:
    """What a group committed last for one partition."""

    offset: int  # the next to read
    committed_at_ms: int
    metadata: str  # the committer's own words
    generation: int


class GroupOffsets:
    """Reads the topic on from where it last stopped, and keeps the latest of each key."""

    def __init__(self, log: CommitLog) -> None:
        self._log = log
        self._next = 0
        self._reading = threading.Lock()
        self._latest: dict[str, dict[TopicPartition, GroupOffset]] = {}

    def commit(self, group: str, offsets: Mapping[TopicPartition, int], metadata: str) -> None:
        """Durable, all or none, when this returns. Raises UnknownTopic, LogUnusable, and as `append` does."""
        self._check(group, offsets)
        if GROUPS_TOPIC not in self._log.topics():
            with contextlib.suppress(TopicExists):  # another process was first
                self._log.create_topic(GROUPS_TOPIC, 1, TopicConfig(cleanup="compact"))
        with self._log.exclusive(GROUPS_PARTITION):
            known = self.latest(group)
            generation = max((one.generation for one in known.values()), default=0)
            moved_back = any(source in known and offset < known[source].offset for source, offset in offsets.items())
            now_ms = time.time_ns() // 1_000_000
            self._log.append(
                GROUPS_TOPIC,
                [
                    _record(group, source, GroupOffset(offset, now_ms, metadata, generation + moved_back))
                    for source, offset in sorted(offsets.items())
                ],
            )

    def latest(self, group: str) -> dict[TopicPartition, GroupOffset]:
        """What the group committed last; {} for one never seen."""
        self._catch_up()
        return dict(self._latest.get(group, {}))

    def names(self) -> list[str]:
        """The groups that have committed, sorted."""
        self._catch_up()
        return sorted(self._latest)

    def _catch_up(self) -> None:
        if GROUPS_TOPIC not in self._log.topics():
            return
        with self._reading:  # two threads in turn could put an older commit over a newer
            while records := self._log.read(GROUPS_PARTITION, self._next, FETCH_BYTES):
                for record in records:
                    self._learn(record)
                self._next = records[-1].offset + 1

    def _learn(self, record: StoredRecord) -> None:
        key = json.loads(record.key or b"{}")
        offsets = self._latest.setdefault(key["group"], {})
        source = TopicPartition(key["topic"], key["partition"])
        if record.value is None:
            offsets.pop(source, None)
        else:
            offsets[source] = GroupOffset(**json.loads(record.value))

    def _check(self, group: str, offsets: Mapping[TopicPartition, int]) -> None:
        if not group or len(group) > MAX_NAME:
            raise LogUnusable(f"group {group!r}: a name has 1 to {MAX_NAME} characters")
        for source, offset in offsets.items():
            if offset < 0:
                raise LogUnusable(f"group {group}: {source} cannot be committed at offset {offset}")
            self._log.span(source)


def _record(group: str, source: TopicPartition, committed: GroupOffset) -> Record:
    key = {"group": group, "topic": source.topic, "partition": source.partition}
    return Record(_json(key), _json(asdict(committed)))


def _json(value: dict[str, object]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
