"""Where consumer groups stand: records of an internal, compacted topic, the latest of each key wins.

key      {"group":"extract","partition":0,"topic":"mails"}
value    {"committed_at_ms":1764000000000,"generation":0,"metadata":"","offset":1200}      and "topic_id" in Kafka

key      {"generation":3,"group":"extract"}             the journal: a move of the group (journal.py)
value    {"by":"ann@desk","moved_at_ms":1764000000000,"moves":[…],"reason":"","undoes":null}

All are JSON with sorted keys. The generation of a group grows when it is moved, and when a consumer takes a partition
over; a partition's is the group's of then. So whoever read on from before can tell, and is not let commit any more.
Offsets never expire by themselves. Both backends keep their groups so.
"""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from log.errors import GroupFenced, LogUnusable
from log.reading import has_topic, records_of, topic_id_now
from log.times import now_ms as clock_ms
from log.topic_rules import is_name
from log.topics.making import make_topic
from log.types import GroupOffset, Record, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.interface import CommitLog, Standing
    from log.types import StoredRecord

logger = logging.getLogger(__name__)

GROUPS_TOPIC = "__otclog_groups"
GROUPS_PARTITION = TopicPartition(GROUPS_TOPIC, 0)  # one partition: a commit is one batch, so all of it or nothing


class GroupOffsets:
    """What the topic says: read on from where it last stopped, the latest of each key kept."""

    def __init__(self, log: CommitLog) -> None:
        self._log = log
        self._next = 0
        self._reading = threading.Lock()
        self._latest: dict[str, dict[TopicPartition, GroupOffset]] = {}
        self._moves: dict[str, dict[int, dict[str, Any]]] = {}
        self._told: set[str] = set()  # topics

    def of_topic(self, topic: str) -> list[tuple[str, TopicPartition]]:
        """Each group that committed of the topic, and of which partition."""
        self._catch_up()
        known = [(group, source) for group, offsets in sorted(self._latest.items()) for source in sorted(offsets)]
        return [(group, source) for group, source in known if source.topic == topic]

    def latest(self, group: str) -> dict[TopicPartition, GroupOffset]:
        """What the group committed last; {} for one never seen.

        What names a topic by its id holds no longer when the name is another topic's, or nobody's, now.
        """
        self._catch_up()
        known = self._latest.get(group, {})
        ids = {
            source.topic: topic_id_now(self._log, source.topic)
            for source, each in known.items()
            if each.topic_id is not None
        }
        gone = {source for source, each in known.items() if each.topic_id not in {None, ids.get(source.topic)}}
        for topic in sorted({source.topic for source in gone} - self._told):
            self._told.add(topic)
            logger.warning("topic %s was made anew: what groups, such as %s, had committed of it is void", topic, group)
        return {source: each for source, each in known.items() if source not in gone}

    def moves(self, group: str) -> dict[int, dict[str, Any]]:
        """The journal's values by generation, ascending; {} for a group never moved."""
        self._catch_up()
        return dict(sorted(self._moves.get(group, {}).items()))

    def generation(self, group: str) -> int:
        """The group's: the latest that any of its partitions or its journal has."""
        offsets = (one.generation for one in self.latest(group).values())
        return max(max(offsets, default=0), max(self._moves.get(group, {}), default=0))

    def names(self) -> list[str]:
        """The groups that have committed, sorted."""
        self._catch_up()
        return sorted(group for group, offsets in list(self._latest.items()) if offsets and self.latest(group))

    def _catch_up(self) -> None:
        if not has_topic(self._log, GROUPS_TOPIC):
            return
        with self._reading:  # two threads in turn could put an older commit over a newer
            for record in records_of(self._log, GROUPS_PARTITION, self._next):
                self._learn(record)
                self._next = record.offset + 1

    def _learn(self, record: StoredRecord) -> None:
        key = json.loads(record.key or b"{}")
        value = None if record.value is None else json.loads(record.value)
        if "topic" not in key and "generation" not in key:
            return  # another module's: protection.py
        if "generation" in key:
            _put(self._moves.setdefault(key["group"], {}), key["generation"], value)
        else:
            source = TopicPartition(key["topic"], key["partition"])
            offset = None if value is None else GroupOffset(**value)
            _put(self._latest.setdefault(key["group"], {}), source, offset)


def commit(
    log: CommitLog,
    group: str,
    offsets: Mapping[TopicPartition, int],
    metadata: str,
    generations: Mapping[TopicPartition, int] | None,
) -> None:
    """See `Groups.commit`, which every backend keeps by this. Raises UnknownTopic, LogUnusable, GroupFenced."""
    _check(log, group, offsets)

    def decide(known: Standing) -> list[Record]:
        latest, allowed = known.latest(group), generations
        if allowed is None:
            moved_back = any(source in latest and offset < latest[source].offset for source, offset in offsets.items())
            allowed = dict.fromkeys(offsets, known.generation(group) + moved_back)
        for source, now in latest.items():
            if source in offsets and allowed[source] < now.generation:
                raise _fenced(group, source, now, allowed[source])
        now_ms = clock_ms()
        return [
            offset_record(group, source, GroupOffset(offset, now_ms, metadata, allowed[source]))
            for source, offset in sorted(offsets.items())
        ]

    log.change_group(group, decide)


def advance(log: CommitLog, group: str, read: Mapping[TopicPartition, range], metadata: str, generation: int) -> None:
    """Commit the ends of what was read, if the group still stands where that begins.

    Raises GroupFenced, with nothing committed, where somebody moved the group since `generation`, or has read on: of
    two that take each other for dead the late one must not set back what the other has done. Else as `commit`.
    """
    _check(log, group, {source: offsets.stop for source, offsets in read.items()})

    def decide(known: Standing) -> list[Record]:
        for source, now in known.latest(group).items():
            if source in read and (now.generation > generation or now.offset != read[source].start):
                raise _fenced(group, source, now, generation)
        now_ms = clock_ms()
        return [
            offset_record(group, source, GroupOffset(offsets.stop, now_ms, metadata, generation))
            for source, offsets in sorted(read.items())
        ]

    log.change_group(group, decide)


def _fenced(group: str, source: TopicPartition, now: GroupOffset, generation: int) -> GroupFenced:
    return GroupFenced(
        group,
        source,
        f"moved or taken over, to offset {now.offset} in generation {now.generation}, "
        f"since this consumer began in generation {generation}",
    )


def take(log: CommitLog, group: str, first: Mapping[TopicPartition, int]) -> dict[TopicPartition, GroupOffset]:
    """Begin a new generation of these partitions, so that no former reader commits any more; where to read on.

    Nothing else changes; what the group never committed is committed now, at the offset given. Raises as `commit`.
    """
    taken: dict[TopicPartition, GroupOffset] = {}

    def decide(known: Standing) -> list[Record]:
        latest, generation, now_ms = known.latest(group), known.generation(group) + 1, clock_ms()
        for source, offset in sorted(first.items()):
            begun = latest.get(source) or GroupOffset(offset, now_ms, "", 0)
            taken[source] = replace(begun, generation=generation)
        return [offset_record(group, source, each) for source, each in taken.items()]

    log.change_group(group, decide)
    return taken


def _check(log: CommitLog, group: str, offsets: Mapping[TopicPartition, int]) -> None:
    for source, offset in offsets.items():
        if offset < 0:
            raise LogUnusable(f"group {group}: {source} cannot be committed at offset {offset}")
        log.span(source)


def make_groups_topic(log: CommitLog) -> None:
    """Unless it is there."""
    make_topic(log, GROUPS_TOPIC, 1, TopicConfig(cleanup="compact"))


def check_name(group: str) -> None:
    """Raises LogUnusable for a name that could not name a topic: a group names a folder, too."""
    if not is_name(group):
        raise LogUnusable(f"{group!r} cannot name a group: 1 to 249 of a-z A-Z 0-9 . _ - and neither '.' nor '..'")


def offset_record(group: str, source: TopicPartition, committed: GroupOffset | None) -> Record:
    """What says that the group committed this; None: nothing."""
    key = {"group": group, "topic": source.topic, "partition": source.partition}
    if committed is None:
        return Record(_json(key), None)
    return Record(_json(key), _json({name: value for name, value in asdict(committed).items() if value is not None}))


def offset_of(record: Record | StoredRecord) -> tuple[str, TopicPartition, GroupOffset] | None:
    """The group, and what it committed of which partition; None for any other record, also one that forgets."""
    key = json.loads(record.key or b"{}")
    if "topic" not in key or record.value is None:
        return None
    return key["group"], TopicPartition(key["topic"], key["partition"]), GroupOffset(**json.loads(record.value))


def move_record(group: str, generation: int, value: dict[str, Any] | None) -> Record:
    """An entry of the journal; None: no such entry."""
    return Record(_json({"group": group, "generation": generation}), None if value is None else _json(value))


def _put(kept: dict[Any, Any], key: object, value: object) -> None:
    if value is None:
        kept.pop(key, None)
    else:
        kept[key] = value


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
