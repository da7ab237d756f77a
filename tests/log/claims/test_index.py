from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from log import LogUnusable, Position, Record, TopicPartition
from log.claims import CLAIM_HEADER, Claim, ClaimStore, announce, clean_claims, own_places, settle
from log.claims.index import CLAIMS_PARTITION, CLAIMS_TOPIC, named_now, needed
from log.embedded import EmbeddedLog
from log.errors import ClaimMissing
from log.reading import records_of
from log.types import StoredRecord

MakeClaim = Callable[[bytes], Claim]
GRACE_S = 3600.0
LATER = -1.0  # as a grace: all is older


def append(log: EmbeddedLog, claim: Claim) -> Position:
    return log.append("mails", [Record(b"key", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])[0]


def published(log: EmbeddedLog, claim: Claim) -> Position:
    """As ingest does it."""
    announced = announce(log, [(claim, "mails")])
    at = append(log, claim)
    settle(log, announced, {claim.sha256: at})
    return at


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[TopicPartition]:
    """The partitions that are read from now on, once a read."""
    partitions: list[TopicPartition] = []
    whole = EmbeddedLog.read

    def noted(log: EmbeddedLog, source: TopicPartition, offset: int, max_bytes: int) -> object:
        partitions.append(source)
        return whole(log, source, offset, max_bytes)

    monkeypatch.setattr(EmbeddedLog, "read", noted)
    return partitions


def test_no_mail_is_read_to_tell_which_claims_are_needed(
    embedded: EmbeddedLog, store: ClaimStore, claim_for: MakeClaim, read: list[TopicPartition]
) -> None:
    own_places(embedded, store.places)
    clean_claims(
        embedded, store, GRACE_S
    )  # the first of a log reads all, for there may be claims of an earlier version
    for number in range(3):
        claim = claim_for(b"%d" % number)
        store.put(claim, lambda number=number: iter((b"%d" % number,)))  # type: ignore[misc]
        published(embedded, claim)
    embedded.append("mails", [Record(b"key", b"." * 1000) for _ in range(1000)])
    read.clear()
    done = clean_claims(embedded, store, LATER)
    assert (done.removed, done.missing) == (0, 0)
    assert {source.topic for source in read} == {CLAIMS_TOPIC}


def test_a_claim_whose_record_is_deleted_is_needed_no_more_and_forgotten(
    embedded: EmbeddedLog, claim_for: MakeClaim
) -> None:
    needed(embedded, GRACE_S)
    old, new = claim_for(b"old"), claim_for(b"new")
    published(embedded, old)
    kept = published(embedded, new)
    assert set(needed(embedded, GRACE_S)) == {old.sha256, new.sha256}
    embedded.delete_records(TopicPartition("mails", 0), kept.offset)
    assert needed(embedded, GRACE_S) == {new.sha256: new}
    last = {record.key: record for record in records_of(embedded, TopicPartition(CLAIMS_TOPIC, 0))}
    assert [is_tombstone(each) for each in last.values() if each.key and old.sha256.encode() in each.key] == [True]


def is_tombstone(record: StoredRecord) -> bool:
    return record.value is None


def test_of_a_topic_that_is_deleted_or_made_anew_nothing_is_needed(embedded: EmbeddedLog, claim_for: MakeClaim) -> None:
    published(embedded, claim_for(b"mail"))
    embedded.delete_topic("mails")
    embedded.create_topic("mails", 1)
    append(embedded, claim_for(b"other"))
    needed(embedded, GRACE_S)  # reads what there was before the index
    assert needed(embedded, GRACE_S) == {claim_for(b"other").sha256: claim_for(b"other")}


def test_who_dies_between_announcing_and_settling_loses_no_claim(
    embedded: EmbeddedLog, claim_for: MakeClaim, read: list[TopicPartition]
) -> None:
    needed(embedded, GRACE_S)
    appended, never = claim_for(b"appended"), claim_for(b"never appended")
    announce(embedded, [(appended, "mails"), (never, "mails")])
    append(embedded, appended)
    assert set(needed(embedded, GRACE_S)) == {appended.sha256, never.sha256}, "the record may be on its way"
    assert needed(embedded, LATER) == {appended.sha256: appended}
    read.clear()
    assert needed(embedded, LATER) == {appended.sha256: appended}
    assert {source.topic for source in read} == {CLAIMS_TOPIC}, "it was looked for once"


def test_to_forget_one_announcement_forgets_no_other_of_the_same_claim(
    embedded: EmbeddedLog, claim_for: MakeClaim
) -> None:
    needed(embedded, GRACE_S)
    claim = claim_for(b"mail")
    late = announce(embedded, [(claim, "mails")])
    assert needed(embedded, LATER) == {}
    published(embedded, claim)
    assert needed(embedded, LATER) == {claim.sha256: claim}
    settle(embedded, late, {claim.sha256: append(embedded, claim)})  # it had only stood still
    assert needed(embedded, LATER) == {claim.sha256: claim}


def test_partitions_that_came_after_the_announcement_are_looked_into(
    embedded: EmbeddedLog, claim_for: MakeClaim
) -> None:
    needed(embedded, GRACE_S)
    claim = claim_for(b"mail")
    announce(embedded, [(claim, "mails")])
    embedded.alter_topic("mails", 3)
    embedded.append("mails", [Record(b"key", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))], 2)
    assert needed(embedded, LATER) == {claim.sha256: claim}


FOREIGN = [Record(b"garbage", b"garbage"), Record(b"\xff", None), Record(b'{"order":17}', b"{}"), Record(b"[1]", b"1")]


def test_what_another_program_writes_into_the_index_is_passed_by_and_told(
    embedded: EmbeddedLog, claim_for: MakeClaim, caplog: pytest.LogCaptureFixture
) -> None:
    needed(embedded, GRACE_S)
    claim = claim_for(b"mail")
    published(embedded, claim)
    at = embedded.append(CLAIMS_TOPIC, FOREIGN, 0)
    with caplog.at_level(logging.WARNING):
        assert needed(embedded, GRACE_S) == {claim.sha256: claim}
    told = [each.getMessage().split(":")[0] for each in caplog.records]
    assert told == [f"{CLAIMS_PARTITION}, offset {each.offset}" for each in at]
    assert named_now(embedded) == ({claim.sha256: claim}, True)


@pytest.mark.parametrize(
    ("more", "value"),
    [
        ({}, b"garbage"),
        ({}, b'{"bytes":9,"starts":[0]}'),
        ({}, b'{"size":9,"offset":"0","partition":0}'),
        ({"topic": None}, b'{"size":9,"offset":0,"partition":0}'),
    ],
)
def test_an_entry_that_only_a_later_version_can_read_ends_the_cleaning_and_no_claim_is_removed_by_it(
    embedded: EmbeddedLog, store: ClaimStore, claim_for: MakeClaim, more: dict[str, Any], value: bytes
) -> None:
    own_places(embedded, store.places)
    needed(embedded, GRACE_S)
    claim = claim_for(b"mail")
    store.put(claim, lambda: iter((b"mail",)))
    key = {"id": "1", "sha256": claim.sha256, "topic": "mails", "topic_id": embedded.topic_id("mails"), **more}
    (at,) = embedded.append(CLAIMS_TOPIC, [Record(json.dumps(key).encode(), value)], 0)
    with pytest.raises(LogUnusable, match=f"{CLAIMS_PARTITION}, offset {at.offset}: what a later otclog wrote"):
        clean_claims(embedded, store, LATER)
    assert store.read(claim) == b"mail"
    embedded.append(CLAIMS_TOPIC, [Record(json.dumps(key).encode(), None)], 0)
    clean_claims(embedded, store, LATER)  # a later one has put it right
    with pytest.raises(ClaimMissing):
        store.read(claim)
