from __future__ import annotations

from log import StoredRecord, TopicPartition
from log.rows import record_row, value_row


def test_a_record_is_a_row_with_the_keys_other_programs_read() -> None:
    record = StoredRecord(TopicPartition("mails", 3), 7, 0, b"desk@bank.example", b"mail", (("route", b"inbox"),))
    assert record_row(record) == {
        "topic": "mails",
        "partition": 3,
        "offset": 7,
        "timestamp": "1970-01-01T00:00:00.000Z",
        "key": "desk@bank.example",
        "headers": {"route": "inbox"},
        "size": 4,
        "sha256": "00d8d3f11739d2f3537099982b4674c29fc59a8fda350fca1379613adbb09119",
    }


def test_what_is_no_text_and_what_is_not_there_still_make_a_row() -> None:
    row = record_row(StoredRecord(TopicPartition("mails", 0), 0, 0, b"\xff", None, (("raw", b"\x00\xfe"),)))
    assert (row["key"], row["headers"]) == ("\\xff", {"raw": "\x00\\xfe"})
    assert (row["size"], row["sha256"]) == (None, None)


def test_the_value_is_shown_of_what_is_no_mail() -> None:
    source = TopicPartition("ingest-journal", 0)
    assert value_row(StoredRecord(source, 0, 0, None, '{"what": "again \u20ac"}'.encode() + b"\xff", ())) == {
        "value": '{"what": "again \u20ac"}\\xff'
    }
    assert value_row(StoredRecord(source, 0, 0, None, None, ())) == {"value": None}
    assert value_row(StoredRecord(source, 0, 0, None, b"mail", (("sha256", b"00"),))) == {}
