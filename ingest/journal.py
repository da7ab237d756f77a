"""The topic `ingest-journal`: what befell mails beside becoming a record. One JSON object a record.

    what       "again": the log had the mail already; "dropped": a rule says so; "forgotten": on request
    sha256     of the mail
    topic, partition, offset   of its record; null where it has none
    source, file   where it was found, this time
    file_time  of that file, RFC 3339 in UTC
    topic_id   of the topic, of a mail that was forgotten
    route, reason   of a mail that was dropped

A line is durable before the file goes. After a crash it may be there twice.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from conf.settings import JOURNAL_TOPIC
from ingest.mail import rfc3339
from log.types import Position, Record

if TYPE_CHECKING:
    from ingest.mail import Mail
    from ingest.routing import Route
    from log.types import StoredRecord

JOURNAL = JOURNAL_TOPIC
PARTITIONS = 1
FORGOTTEN = "forgotten"


class Forgotten(NamedTuple):
    """What a line says is to be forgotten."""

    position: Position
    topic_id: str | None  # None in a line of an older version: whatever topic has the name


def again(mail: Mail, at: Position) -> Record:
    """The line of a mail that the log had."""
    return _line("again", mail.sha256, at, **_found(mail))


def dropped(mail: Mail, route: Route) -> Record:
    """The line of a mail that goes nowhere."""
    return _line("dropped", mail.sha256, None, **_found(mail), route=route.name, reason=route.drop)


def forgotten(sha256: str, at: Position, topic_id: str) -> Record:
    """The line of a record that is to be no reason any more for not taking its mail."""
    return _line(FORGOTTEN, sha256, at, topic_id=topic_id)


def forgotten_in(record: StoredRecord) -> Forgotten | None:
    """What a journal line forgets; None for any other record, also one that is no line of ours."""
    try:
        said = json.loads(record.value or b"null")
        at = Position(said["topic"], said["partition"], said["offset"])
        return Forgotten(at, said.get("topic_id")) if said["what"] == FORGOTTEN else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _found(mail: Mail) -> dict[str, Any]:
    return {"source": _text(mail.source), "file": _text(mail.name), "file_time": rfc3339(mail.time_ns).decode()}


def _line(what: str, sha256: str, at: Position | None, **more: Any) -> Record:
    place = at._asdict() if at else dict.fromkeys(Position._fields)
    line = {"what": what, "sha256": sha256, **place, **more}
    return Record(sha256.encode(), json.dumps(line, ensure_ascii=False).encode())


def _text(name: str) -> str:
    """File names are bytes; those that are no UTF-8 show as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
