from __future__ import annotations

import hashlib

import pytest

from conf import Settings
from ingest.ledger.recorded import UNKNOWN, digest_of, known_at, mail_at, origin_of
from log import CommitLog, CorruptRecord, Position, Record, StoredRecord, TopicPartition
from log.claims.claim import CLAIM_HEADER, CLAIM_VERSION, Claim

DIGEST = hashlib.sha256(b"mail").digest()
SOURCE = TopicPartition("mails", 0)


@pytest.mark.parametrize("header", [None, b"", b"no hex", b"\xff", hashlib.sha256(b"another").hexdigest().encode()])
def test_a_record_is_told_by_its_bytes_whatever_its_header_says(header: bytes | None) -> None:
    headers = () if header is None else (("sha256", header),)
    assert digest_of(StoredRecord(SOURCE, 0, 0, None, b"mail", headers)) == DIGEST


def test_a_claim_is_told_by_what_it_claims_and_one_that_is_none_by_its_bytes() -> None:
    claim = Claim(DIGEST.hex(), 4).to_bytes()
    assert digest_of(StoredRecord(SOURCE, 0, 0, None, claim, ((CLAIM_HEADER, CLAIM_VERSION),))) == DIGEST
    assert digest_of(StoredRecord(SOURCE, 0, 0, None, b"mail", ((CLAIM_HEADER, CLAIM_VERSION),))) == DIGEST


def test_ways_in_differ_by_source_file_and_time() -> None:
    ways = [("a", "1", "0"), ("b", "1", "0"), ("a", "2", "0"), ("a", "1", "9")]
    names = ("source", "file", "file-time")
    records = [
        Record(None, b"", tuple((name, text.encode()) for name, text in zip(names, way, strict=True))) for way in ways
    ]
    assert len({origin_of(record) for record in records}) == len(ways)
    assert origin_of(records[0]) == origin_of(Record(b"key", b"mail", records[0].headers))


def test_what_the_log_does_not_have_is_none_and_what_is_damaged_is_unknown(
    commit_log: CommitLog, settings: Settings
) -> None:
    assert mail_at(commit_log, Position("mails", 0, 0)) is None
    commit_log.create_topic("mails", 1)
    commit_log.append("mails", [Record(None, b"mail")])
    assert mail_at(commit_log, Position("mails", 0, 0)) == DIGEST
    assert mail_at(commit_log, Position("mails", 0, 1)) is None
    assert mail_at(commit_log, Position("mails", 0, 9)) is None
    assert known_at(commit_log, Position("mails", 0, 1)) == UNKNOWN
    for folder in settings.log.replicas:
        segment = folder / "mails-0" / f"{0:020d}.log"
        segment.write_bytes(segment.read_bytes()[:-1] + b"?")
    with pytest.raises(CorruptRecord):
        mail_at(commit_log, Position("mails", 0, 0))
    assert known_at(commit_log, Position("mails", 0, 0)) == UNKNOWN
