from __future__ import annotations

from collections.abc import Sequence

import pytest

from log import Record, StoredRecord, TopicPartition
from log.claims import CLAIM_HEADER, Claim
from log.claims.named import claims_in
from log.embedded import EmbeddedLog

MARKED = ((CLAIM_HEADER, b"1"),)


def test_every_claim_of_every_topic_is_named_and_what_is_none_is_passed_over(embedded: EmbeddedLog) -> None:
    one, two = Claim("ab" * 32, 7), Claim("cd" * 32, 8)
    embedded.create_topic("backfill", 2)
    embedded.append(
        "mails", [Record(b"k", b"inline"), Record(b"k", b"none", MARKED), Record(b"k", one.to_bytes(), MARKED)]
    )
    embedded.append("backfill", [Record(b"x", two.to_bytes(), MARKED)])
    assert list(claims_in(embedded)) == [two, one]


def test_records_that_are_deleted_whenever_they_are_to_be_read_are_passed_over(
    embedded: EmbeddedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        embedded.append("mails", [Record(b"k", Claim(f"{number:064x}", number).to_bytes(), MARKED)])
    read = embedded.read

    def delete_and_read(source: TopicPartition, offset: int, max_bytes: int) -> Sequence[StoredRecord]:
        if offset < 3:
            embedded.delete_records(source, offset + 1)
        return read(source, offset, max_bytes)

    monkeypatch.setattr(embedded, "read", delete_and_read)
    assert [claim.size for claim in claims_in(embedded)] == [3]
