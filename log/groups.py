"""Where consumer groups stand: records of an internal, compacted topic, the latest of each key wins.

key      {"group":"extract","partition":0,"topic":"mails"}
value    {"committed_at_ms":1764000000000,"generation":0,"last_timestamp_ms":1763999999000,"metadata":"","offset":1200,
          "topic_id":"…"}

key      {"generation":3,"group":"extract"}             the journal: a move of the group (journal.py)
value    {"by":"ann@desk","moved_at_ms":1764000000000,"moves":[…],"reason":"","undoes":null}

All are JSON with sorted keys. The generation of a group grows when it is moved, and when a consumer takes a partition
over; a partition's is the group's of then. So whoever read on from before can tell, and is not let commit any more.
The id is that of the topic that the offset is of: one that is made anew under its name is not read from there. (Records
of the embedded log from before 0.3 have none.) The last timestamp is that of the record before the offset, which a job
has read: where it is another one now, the log has lost its end since, and other records have taken those offsets.
Offsets never expire by themselves. Both backends keep their groups so.
"""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeVar

from log.errors import (
    CorruptRecord,
    GroupFenced,
    GroupUnreadable,
    LogUnusable,
    OffsetOutOfRange,
    UnknownTopic,
)
from log.reading import object_of, pass_by_foreign, record_at, records_of, topic_id_now
from log.times import now_ms as clock_ms
from log.topic_rules import OPS_TOPIC, is_name
from log.topics.making import make_topic
from log.types import GroupOffset, Record, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from log.interface import CommitLog, Standing
    from log.types import Member, StoredRecord

_T = TypeVar("_T")

logger = logging.getLogger(__name__)

_MEMBER_DID = "group %s: member %s of %s %s"  # `otclog ops report` counts these: joined, left, or died
GROUPS_TOPIC = "__otclog_groups"
GROUPS_PARTITION = TopicPartition(GROUPS_TOPIC, 0)  # one partition: a commit is one batch, so all of it or nothing


def tell_of_member(group: str, member: Member, did: str) -> None:
    """Say that it has `joined`, `left` or `died`.

    That who reads messages comes and goes is not said: it would be one more message, and nobody would ever have read
    them all.
    """
    if did == "died" or member.topics != (OPS_TOPIC,):
        logger.info(_MEMBER_DID, group, member.id, member.host, did)


class GroupOffsets:
    """What the topic says: read on from where it last stopped, the latest of each key kept.

    What another program wrote there is passed by. All methods raise LogUnusable where what was read is gone.
    """

    def __init__(self, log: CommitLog) -> None:
        self._log = log
        self._next: int | None = None  # behind what was read last; None: nothing was
        self._reading = threading.Lock()
        self._topic_id: str | None = None  # of what was read
        self._latest: dict[str, dict[TopicPartition, GroupOffset | StoredRecord]] = {}  # the record of a later otclog
        self._moves: dict[str, dict[int, dict[str, Any]]] = {}
        self._told: set[str] = set()  # topics

    def of_topic(self, topic: str) -> list[tuple[str, TopicPartition]]:
        """Each group that committed of the topic, and of which partition."""
        self._catch_up()
        known = [(group, source) for group, offsets in sorted(self._latest.items()) for source in sorted(offsets)]
        return [(group, source) for group, source in known if source.topic == topic]

    def latest(self, group: str) -> dict[TopicPartition, GroupOffset]:
        """What the group committed last; {} for one never seen.

        What names a topic by its id holds no longer when the name is another topic's, or nobody's, now. Raises
        GroupUnreadable.
        """
        self._catch_up()
        known = self._known(group)
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
        """The groups that have committed, sorted; those of a later otclog among them."""
        self._catch_up()
        return sorted(group for group, offsets in list(self._latest.items()) if offsets and self._stands(group))

    def _stands(self, group: str) -> bool:
        try:
            return bool(self.latest(group))
        except GroupUnreadable:
            return True

    def _known(self, group: str) -> dict[TopicPartition, GroupOffset]:
        known: dict[TopicPartition, GroupOffset] = {}
        latest = dict(self._latest.get(group, {}))  # other threads may learn more meanwhile
        for source, each in latest.items():
            if not isinstance(each, GroupOffset):
                topics = {source.topic for source in latest}
                raise GroupUnreadable(group, topics, f"{each.source}, offset {each.offset},")
            known[source] = each
        return known

    def _catch_up(self) -> None:
        with self._reading:  # two threads in turn could put an older commit over a newer
            now = topic_id_now(self._log, GROUPS_TOPIC)
            if self._topic_id not in {None, now}:
                raise _gone()
            self._topic_id = now
            try:
                for record in records_of(self._log, GROUPS_PARTITION, self._next) if now is not None else ():
                    self._learn(record)
                    self._next = record.offset + 1
            except OffsetOutOfRange as error:
                raise _gone() from error

    def _learn(self, record: StoredRecord) -> None:
        key = key_of(record)
        value = None if record.value is None else object_of(record.value)
        if key is None or (value is None and record.value is not None):
            pass_by_foreign(record)
        elif type(key.get("generation")) is int:
            _put(self._moves.setdefault(key["group"], {}), key["generation"], value)
        elif (source := _source_of(key)) is not None:
            committed = None if value is None else _committed(value) or record
            _put(self._latest.setdefault(key["group"], {}), source, committed)


def of_each(names: Iterable[str], ask: Callable[[str], _T]) -> tuple[dict[str, _T], dict[str, str]]:
    """What `ask` says of each group, and why it says nothing of some: one of a later otclog hides no other."""
    said: dict[str, _T] = {}
    unreadable: dict[str, str] = {}
    for name in names:
        try:
            said[name] = ask(name)
        except GroupUnreadable as error:
            unreadable[name] = str(error)
    return said, unreadable


def key_of(record: Record | StoredRecord) -> dict[str, Any] | None:
    """The key of a record about a group, whatever it says of it; None of what is not otclog's."""
    key = object_of(record.key)
    return key if key is not None and isinstance(key.get("group"), str) else None


def _source_of(key: Mapping[str, Any]) -> TopicPartition | None:
    topic, partition = key.get("topic"), key.get("partition")
    return TopicPartition(topic, partition) if isinstance(topic, str) and type(partition) is int else None


def _committed(value: Mapping[str, Any]) -> GroupOffset | None:
    """None of a value that this otclog does not write."""
    try:
        committed = GroupOffset(**value)
    except TypeError:
        return None
    numbers = committed.offset, committed.committed_at_ms, committed.generation, committed.last_timestamp_ms or 0
    words = committed.metadata, committed.topic_id or ""
    is_ours = all(type(each) is int for each in numbers) and all(isinstance(each, str) for each in words)
    return committed if is_ours else None


def _gone() -> LogUnusable:
    return LogUnusable(
        f"topic {GROUPS_TOPIC} was deleted, made anew, or lost records while this ran, and with it where groups stand: "
        "start it again; `otclog group recover` sets a group of extract to where its runs end"
    )


def commit(
    log: CommitLog,
    group: str,
    offsets: Mapping[TopicPartition, int],
    metadata: str,
    *,
    generations: Mapping[TopicPartition, int] | None,
    topics: Mapping[str, str] | None,
) -> None:
    """See `Groups.commit`, which every backend keeps by this. Raises UnknownTopic, LogUnusable, GroupFenced."""
    _check(log, group, offsets)

    def decide(known: Standing) -> list[Record]:
        ids = ids_of(log, group, offsets, topics)
        latest, allowed = known.latest(group), generations
        if allowed is None:
            moved_back = any(source in latest and offset < latest[source].offset for source, offset in offsets.items())
            allowed = dict.fromkeys(offsets, known.generation(group) + moved_back)
        for source, now in latest.items():
            if source in offsets and allowed[source] < now.generation:
                raise _fenced(group, source, now, allowed[source])
        now_ms = clock_ms()
        return [
            offset_record(group, source, GroupOffset(offset, now_ms, metadata, allowed[source], ids[source.topic]))
            for source, offset in sorted(offsets.items())
        ]

    log.change_group(group, decide)


def advance(
    log: CommitLog,
    group: str,
    read: Mapping[TopicPartition, range],
    metadata: str,
    generation: int,
    *,
    topics: Mapping[str, str],
) -> None:
    """Commit the ends of what was read of the topics of these ids, if the group still stands where that begins.

    Raises GroupFenced, with nothing committed, where somebody moved the group since `generation`, or has read on: of
    two that take each other for dead the late one must not set back what the other has done. So where a topic was
    deleted, or made anew. Else as `commit`.
    """

    def decide(known: Standing) -> list[Record]:
        ids = ids_of(log, group, read, topics)
        for source, now in known.latest(group).items():
            if source in read and (now.generation > generation or now.offset != read[source].start):
                raise _fenced(group, source, now, generation)
        now_ms = clock_ms()
        return [
            offset_record(
                group, source, GroupOffset(offsets.stop, now_ms, metadata, generation, ids[source.topic], last[source])
            )
            for source, offsets in sorted(read.items())
        ]

    last = {source: _last_timestamp_ms(log, source, offsets.stop) for source, offsets in read.items()}
    log.change_group(group, decide)


def has_lost_what_was_read(log: CommitLog, source: TopicPartition, committed: GroupOffset) -> bool:
    """Whether the record before the offset is another one than was read: the log lost its end, and has grown again."""
    now_ms = _last_timestamp_ms(log, source, committed.offset)
    return None not in {now_ms, committed.last_timestamp_ms} and now_ms != committed.last_timestamp_ms


def _last_timestamp_ms(log: CommitLog, source: TopicPartition, offset: int) -> int | None:
    """Of the record before the offset; None where none is kept, or none can be read."""
    try:
        record = record_at(log, source, offset - 1) if offset else None
    except (CorruptRecord, OffsetOutOfRange, UnknownTopic):
        return None
    return record.timestamp_ms if record else None


def _fenced(group: str, source: TopicPartition, now: GroupOffset, generation: int) -> GroupFenced:
    return GroupFenced(
        group,
        source,
        f"moved or taken over, to offset {now.offset} in generation {now.generation}, "
        f"since this consumer began in generation {generation}",
    )


def take(
    log: CommitLog, group: str, first: Mapping[TopicPartition, int], topics: Mapping[str, str] | None = None
) -> dict[TopicPartition, GroupOffset]:
    """Begin a new generation of these partitions, so that no former reader commits any more; where to read on.

    Nothing else changes; what the group never committed is committed now, at the offset given. Raises as `commit`,
    and has `topics` as that has.
    """
    taken: dict[TopicPartition, GroupOffset] = {}

    def decide(known: Standing) -> list[Record]:
        ids = ids_of(log, group, first, topics)
        latest, generation, now_ms = known.latest(group), known.generation(group) + 1, clock_ms()
        for source, offset in sorted(first.items()):
            begun = latest.get(source) or GroupOffset(offset, now_ms, "", 0)
            taken[source] = replace(begun, generation=generation, topic_id=ids[source.topic])
        return [offset_record(group, source, each) for source, each in taken.items()]

    log.change_group(group, decide)
    return taken


def ids_of(
    log: CommitLog, group: str, sources: Iterable[TopicPartition], topics: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The ids of these partitions' topics, for `decide` to ask before it looks at offsets.

    Raises GroupFenced where one is not as in `topics` any more, UnknownTopic.
    """
    ids = {}
    for topic, source in {source.topic: source for source in sorted(sources)}.items():
        known = (topics or {}).get(topic)
        now = log.topic_id(topic) if known is None else topic_id_now(log, topic)
        if now is None or known not in {None, now}:
            raise GroupFenced(group, source, "its topic was deleted, or made anew")
        ids[topic] = now
    return ids


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
    key = key_of(record) or {}
    source, committed = _source_of(key), _committed(object_of(record.value) or {})
    return None if source is None or committed is None else (key["group"], source, committed)


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
