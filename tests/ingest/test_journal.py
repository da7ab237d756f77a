from __future__ import annotations

import json

import pytest

from ingest.journal import Forgotten, again, dropped, forgotten, forgotten_in
from ingest.mail import Mail
from ingest.routing import Route
from log import Position, Record, StoredRecord, TopicPartition

AT = Position("mails", 2, 17)
MAIL = Mail.of(b"raw", "drop:/mail", "run\udcff.eml", 1_500_000_000)


def said(record: Record) -> object:
    return json.loads(record.value or b"")


def stored(record: Record) -> StoredRecord:
    return StoredRecord(TopicPartition("ingest-journal", 0), 0, 0, record.key, record.value, record.headers)


def test_a_second_source_of_a_mail_is_told_with_where_the_log_has_it() -> None:
    assert said(again(MAIL, AT)) == {
        "what": "again",
        "sha256": MAIL.sha256,
        "topic": "mails",
        "partition": 2,
        "offset": 17,
        "source": "drop:/mail",
        "file": "run\\xff.eml",
        "file_time": "1970-01-01T00:00:01.500000Z",
    }
    assert again(MAIL, AT).key == MAIL.sha256.encode()


def test_a_dropped_mail_is_told_with_the_rule_and_its_reason() -> None:
    line = said(dropped(MAIL, Route("ads", None, "newsletters")))
    assert isinstance(line, dict)
    assert (line["what"], line["route"], line["reason"]) == ("dropped", "ads", "newsletters")
    assert (line["topic"], line["partition"], line["offset"]) == (None, None, None)


def test_only_a_line_that_forgets_names_a_position_to_forget() -> None:
    assert forgotten_in(stored(forgotten(MAIL.sha256, AT, "id"))) == Forgotten(AT, "id")
    assert forgotten_in(stored(again(MAIL, AT))) is None
    assert forgotten_in(stored(Record(b"k", None))) is None


def test_a_line_that_an_older_version_wrote_forgets_whatever_the_topic_is() -> None:
    line = b'{"what": "forgotten", "sha256": "00", "topic": "mails", "partition": 2, "offset": 17}'
    assert forgotten_in(stored(Record(b"00", line))) == Forgotten(AT, None)


@pytest.mark.parametrize("value", [b"From: a@b\n\nno JSON", b"[" * 100_000, b'{"what": "forgotten"}', b"\xff", b"7"])
def test_a_record_that_is_no_line_of_the_journal_forgets_nothing(value: bytes) -> None:
    assert forgotten_in(stored(Record(b"k", value))) is None
