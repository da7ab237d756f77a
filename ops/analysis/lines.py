"""Lines of the topic `ops` as rows of the table `events`. Whatever a record holds, it is a row, and nothing raises.

`flags` of a row, sorted:

    ahead      it says a time more than five minutes later than the log took it
    cut        the line was longer than a record of the topic may be
    no_json    it is no JSON object, so another program than otclog's wrote it: `line` has its bytes as text
    no_time    it says no time, or none that is one
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

from log.opslog import MAX_VALUE_BYTES
from ops.analysis.place import ID_CHARACTERS, hash_of
from ops.shipping.times import is_believed
from pipelines.tables.schemas.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from log.types import StoredRecord

FIELD_CHARACTERS = 1_024  # of a text but the event and the line
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST = 2**63
_TEXTS = {
    "level": "level",
    "host": "host",
    "unit": "unit",
    "program": "program",
    "sha256": "sha256",
    "mail_topic": "topic",
    "run": "run",
    "parser_version": "parser_version",
    "state": "state",
    "code": "code",
}
_NUMBERS = {"process": "process", "mail_partition": "partition", "mail_offset": "offset"}
# As Postfix (`message-id=<a@b>`) and Dovecot (`msgid=<a@b>`) name a mail.
_ID_IN_TEXT = re.compile(r"\b(?:message-id|msgid)=<([^<>\s]{1,998})>", re.IGNORECASE)
_decoded = msgspec.json.Decoder().decode


def batch_of(records: Sequence[StoredRecord]) -> pa.RecordBatch:
    """A row a record, in their order, in the table's Arrow schema."""
    return pa.RecordBatch.from_pylist([_row(each) for each in records], EVENTS.arrow_schema())


def _row(record: StoredRecord) -> dict[str, Any]:
    value = record.value or b""
    fields, received = _object(value), _EPOCH + timedelta(milliseconds=record.timestamp_ms)
    said = _time(fields.get("timestamp"))
    event = _text(fields.get("event"), MAX_VALUE_BYTES)
    message_id = _text(fields.get("message_id"), ID_CHARACTERS) or _id_in(event)
    texts = {column: _text(fields.get(name), FIELD_CHARACTERS) for column, name in _TEXTS.items()}
    return {
        "topic": record.source.topic,
        "log_partition": record.source.partition,
        "log_offset": record.offset,
        "received_ts": received,
        "received_day": received.date(),
        "message_id_hash": None if message_id is None else hash_of(message_id),
        "sha256_hash": None if texts["sha256"] is None else hash_of(texts["sha256"]),
        "said_ts": said,
        "event": event,
        "message_id": message_id,
        **texts,
        **{column: _number(fields.get(name)) for column, name in _NUMBERS.items()},
        "flags": _flags(fields, value, said, received),
        "line": value[:MAX_VALUE_BYTES].decode("utf-8", "backslashreplace"),
    }


def _object(value: bytes) -> Mapping[str, Any]:
    """The fields of a line; none of what is no JSON object."""
    try:
        fields = _decoded(value)
    except (ValueError, RecursionError):
        fields = _with_half_characters(value)
    return fields if isinstance(fields, dict) else {}


def _with_half_characters(value: bytes) -> object:
    """What msgspec refuses and the topic allows: the first half of a character of UTF-16, alone."""
    try:
        return json.loads(value) if len(value) <= MAX_VALUE_BYTES else None
    except (ValueError, RecursionError):
        return None


def _flags(fields: Mapping[str, Any], value: bytes, said: datetime | None, received: datetime) -> list[str]:
    found = {
        "ahead": said is not None and not is_believed(said, received),
        "cut": len(value) > MAX_VALUE_BYTES or fields.get("cut") is True,
        "no_json": not fields,
        "no_time": said is None,
    }
    return [name for name, is_so in found.items() if is_so]


def _id_in(event: str | None) -> str | None:
    found = _ID_IN_TEXT.search(event) if event and "=<" in event else None
    return found[1] if found else None


def _text(value: object, characters: int) -> str | None:
    """As Arrow has it, which takes no half characters."""
    if not isinstance(value, str):
        return None
    text = value[:characters]
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _number(value: object) -> int | None:
    return value if type(value) is int and -_MOST <= value < _MOST else None


def _time(value: object) -> datetime | None:
    """None too of a time without an offset from UTC: whose clock it is of nobody says."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        return at.astimezone(UTC) if at is not None and at.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
