"""The topic `ops`: what programs say, otclog's own and others. One line of JSON, an object, a record.

    timestamp  when it was said, ISO 8601 in UTC, with microseconds
    level, event   how grave it is, and the message
    host, unit, process   who says it: the machine, the service or command on it, its pid
    cut        true where the line was longer than `MAX_VALUE_BYTES`: its longest texts are cut

A line about a mail has besides what conf/formats.py names. The key is `host|unit`, so what a unit says stays in order.
A line is there at least once, and dropped rather than waited for (sender.py): nothing that must be known of a mail is
here alone. The topic holds no mails, whatever its backend takes it for, and forgets by age and by size.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from log.errors import LogUnusable
from log.topic_rules import OPS_TOPIC
from log.topics.making import make_topic
from log.types import Record, TopicConfig

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.interface import CommitLog

TOPIC = OPS_TOPIC
PARTITIONS = 1
CONFIG = TopicConfig(
    segment_bytes=64 * 2**20,
    segment_age_s=86_400.0,
    retention_s=30 * 86_400.0,
    retention_bytes=2 * 2**30,
)
MAX_VALUE_BYTES = 64 * 2**10

_NEEDED = ("timestamp", "level", "event", "host", "unit", "process")
_CUTS = (2**14, 2**12, 2**10, 2**8)  # characters of a text, until the line is short enough


def record_of(fields: Mapping[str, object], host: str, unit: str) -> Record:
    """The record of what a unit on a host said. What JSON does not know is shown as text; a longer line is cut.

    Raises ValueError for a number that JSON cannot have, TypeError for a key that it cannot.
    """
    said = {**fields, "host": host, "unit": unit}
    value = _line(said)
    key = f"{host}|{unit}".encode("utf-8", "backslashreplace")
    return Record(key, value if len(value) <= MAX_VALUE_BYTES else _cut(said))


def ensure_topic(log: CommitLog) -> None:
    """Make the topic unless it is there. Raises as `create_topic`, LogUnusable for another program's of its name."""
    make_topic(log, TOPIC, PARTITIONS, CONFIG)
    if TOPIC not in log.topics():
        raise LogUnusable(
            f"topic {TOPIC} is another program's, or may not be asked whether it is (DescribeConfigs): if it may be "
            f"otclog's, `otclog doctor` says how to mark it"
        )


def _line(said: Mapping[str, object]) -> bytes:
    """In ASCII: no name steers a terminal, and half a character of UTF-16 is no error. DEL is all that JSON leaves."""
    line = json.dumps(said, default=str, allow_nan=False, sort_keys=True)
    return line.replace("\x7f", "\\u007f").encode("ascii")


def _cut(said: Mapping[str, object]) -> bytes:
    for limit in _CUTS:
        value = _line({**{name: _short(each, limit) for name, each in said.items()}, "cut": True})
        if len(value) <= MAX_VALUE_BYTES:
            return value
    return _line({**{name: _short(said.get(name), _CUTS[-1]) for name in _NEEDED}, "cut": True})


def _short(value: object, limit: int) -> object:
    text = value if isinstance(value, str) else _line({"": value}).decode("ascii")[5:-1]
    return text[:limit] if len(text) > limit else value
