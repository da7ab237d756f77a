"""Which claims the log's records name, so that nobody reads the mails to tell: records of an internal, compacted topic.

key      {"id":"5f1c20a7","sha256":"9f86…","topic":"mails","topic_id":"…"}
value    {"size":73400320,"starts":[12,5,0,9]}        before the record that names the claim is appended: it will not be
                                                      before these offsets of the topic's partitions, if it comes
         {"offset":12,"partition":0,"size":73400320}  behind that: there it is. A tombstone: nothing needs the entry now

key      {"scanned":true}                             all that was appended before there was an index has entries, too

Who dies between the two leaves an entry without an offset: for that one alone the log is read. Each announcement has an
id of its own, so that to forget one forgets no other of the same claim. Why so: docs/decisions/claims-have-an-index.md.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from log.claims.claim import Claim
from log.claims.named import claims_at
from log.errors import LogUnusable
from log.reading import has_topic, object_of, pass_by_foreign, records_of, sources_of, topic_id_now
from log.times import now_ms
from log.topics.making import make_topic
from log.types import Position, Record, TopicConfig, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from log.interface import CommitLog
    from log.types import StoredRecord

CLAIMS_TOPIC = "__otclog_claims"
CLAIMS_PARTITION = TopicPartition(CLAIMS_TOPIC, 0)
_SCANNED = b'{"scanned":true}'


class Announced(NamedTuple):
    """An entry before its record was appended."""

    key: bytes
    claim: Claim


def announce(log: CommitLog, named: Iterable[tuple[Claim, str]]) -> list[Announced]:
    """Durably, before records that name these claims are appended to these topics; give it to `settle` behind that.

    Raises UnknownTopic, and as `append`.
    """
    by_topic: dict[str, list[Claim]] = defaultdict(list)
    for claim, topic in named:
        by_topic[topic].append(claim)
    announced, records = [], []
    for topic, claims in by_topic.items():
        key = {"topic": topic, "topic_id": log.topic_id(topic)}
        starts = [log.span(source).stop for source in sources_of(log, topic)]
        for claim in claims:
            each = Announced(_json({**key, "sha256": claim.sha256, "id": secrets.token_hex(4)}), claim)
            announced.append(each)
            records.append(Record(each.key, _json({"size": claim.size, "starts": starts})))
    _append(log, records)
    return announced


def settle(log: CommitLog, announced: Iterable[Announced], found: Mapping[str, Position]) -> None:
    """Say, durably, where the records are, by SHA-256. Those not among `found` are looked for when it is due."""
    records = []
    for each in announced:
        if at := found.get(each.claim.sha256):
            value = {"size": each.claim.size, "partition": at.partition, "offset": at.offset}
            records.append(Record(each.key, _json(value)))
    _append(log, records)


def needed(log: CommitLog, grace_s: float, progress: Callable[[], None] = lambda: None) -> dict[str, Claim]:
    """The claims that kept records name, or may name yet, by SHA-256; entries that no record needs are forgotten.

    Reads the index, and the log only where somebody died longer than `grace_s` ago before he could settle; once all of
    it, where there was no index. `progress` is called before each record. Raises LogError.
    """
    known = _entries(log, progress)
    if _SCANNED not in known:
        _append(log, [*_all_named(log, progress), Record(_SCANNED, b"{}")])
        known = _entries(log, progress)
    del known[_SCANNED]
    topics = _Topics(log)
    kept: dict[str, Claim] = {}
    changed: list[Record] = []
    for key, (said, at_ms) in known.items():
        entry = json.loads(key)
        value: dict[str, Any] | None = said
        if "offset" not in said and topics.is_there(entry) and now_ms() - at_ms > grace_s * 1000:
            value = _found(log, entry, said, progress)
        if value is not None and topics.keeps(entry, value):
            kept[entry["sha256"]] = Claim(entry["sha256"], value["size"])
        else:
            value = None
        if value is not said:
            changed.append(Record(key, None if value is None else _json(value)))
    _append(log, changed)
    return kept


class Named(NamedTuple):
    """What the index says, with nothing read but it, and nothing written."""

    claims: dict[str, Claim]  # that kept records name, or may name yet, by SHA-256
    is_whole: bool  # False: records from before there was an index may name others


def named_now(log: CommitLog) -> Named:
    """The claims that the index names. Raises LogError."""
    known = _entries(log, lambda: None)
    is_whole = known.pop(_SCANNED, None) is not None
    topics = _Topics(log)
    entries = ((json.loads(key), value) for key, (value, _) in known.items())
    kept = {
        entry["sha256"]: Claim(entry["sha256"], value["size"]) for entry, value in entries if topics.keeps(entry, value)
    }
    return Named(kept, is_whole)


class _Topics:
    """What the log has of the topics that entries name, each asked for once."""

    def __init__(self, log: CommitLog) -> None:
        self._log = log
        self._ids: dict[str, str | None] = {}
        self._starts: dict[TopicPartition, int] = {}

    def is_there(self, entry: Mapping[str, str]) -> bool:
        """Whether the topic is still the same."""
        topic = entry["topic"]
        if topic not in self._ids:
            self._ids[topic] = topic_id_now(self._log, topic)
        return self._ids[topic] == entry["topic_id"]

    def keeps(self, entry: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
        """Whether the entry's record is kept, or may come yet."""
        if not self.is_there(entry):
            return False
        if "offset" not in value:
            return True
        source = TopicPartition(entry["topic"], value["partition"])
        if source not in self._starts:
            self._starts[source] = self._log.span(source).start
        return bool(value["offset"] >= self._starts[source])


def _entries(log: CommitLog, progress: Callable[[], None]) -> dict[bytes, tuple[dict[str, Any], int]]:
    """The last value of each key, and when it was written; {} without an index.

    What another program wrote is passed by. Raises LogUnusable where the last of a key is one that this otclog cannot
    read: to pass that by would be to remove its claim.
    """
    entries: dict[bytes, tuple[dict[str, Any], int]] = {}
    unreadable: dict[bytes, StoredRecord] = {}
    if not has_topic(log, CLAIMS_TOPIC):
        return entries
    for record in records_of(log, CLAIMS_PARTITION):
        progress()
        key, value = record.key or b"", object_of(record.value)
        if key != _SCANNED and "sha256" not in (entry := object_of(key) or {}):
            pass_by_foreign(record)
            continue
        entries.pop(key, None)
        unreadable.pop(key, None)
        if value is not None and (key == _SCANNED or _is_entry(entry, value)):
            entries[key] = value, record.timestamp_ms
        elif record.value is not None:
            unreadable[key] = record
    for record in unreadable.values():
        raise LogUnusable(
            f"{record.source}, offset {record.offset}: what a later otclog wrote of the claims that are needed, so "
            "this one cleans none: use that one"
        )
    return entries


def _is_entry(entry: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether it is as the top of this file says."""
    names = all(isinstance(entry.get(name), str) for name in ("sha256", "topic", "topic_id"))
    starts = value.get("starts", [])
    numbers = [value.get("size"), *(value.get(name) for name in ("offset", "partition") if "starts" not in value)]
    return names and isinstance(starts, list) and all(type(each) is int for each in [*numbers, *starts])


def _found(
    log: CommitLog, entry: Mapping[str, Any], value: Mapping[str, Any], progress: Callable[[], None]
) -> dict[str, Any] | None:
    """The value of an entry whose record was looked for; None: there is none, or it is gone again."""
    for source in sources_of(log, entry["topic"]):
        starts = value["starts"]
        start = starts[source.partition] if source.partition < len(starts) else 0
        for claim, offset in claims_at(log, source, max(start, log.span(source).start), progress):
            if claim.sha256 == entry["sha256"]:
                return {"size": claim.size, "partition": source.partition, "offset": offset}
    return None


def _all_named(log: CommitLog, progress: Callable[[], None]) -> Iterator[Record]:
    """The entries of all records that name a claim, as of before there was an index."""
    for topic in log.topics():
        key = {"topic": topic, "topic_id": log.topic_id(topic)}
        for source in sources_of(log, topic):
            for claim, offset in claims_at(log, source, None, progress):
                named = {**key, "sha256": claim.sha256, "id": secrets.token_hex(4)}
                yield Record(_json(named), _json({"size": claim.size, "partition": source.partition, "offset": offset}))


def make_index(log: CommitLog) -> None:
    """Unless it is there."""
    make_topic(log, CLAIMS_TOPIC, 1, TopicConfig(cleanup="compact"))


def _append(log: CommitLog, records: list[Record]) -> None:
    if records:
        make_index(log)
        log.append(CLAIMS_TOPIC, records, CLAIMS_PARTITION.partition)


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
