"""log.opslog: what a record of the topic `ops` is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from log.opslog import MAX_VALUE_BYTES, record_of
from log.types import Record

SAID = {"timestamp": "2026-11-29T08:00:00.000001Z", "level": "info", "event": "a.eml stays", "process": 17}


def value(record: Record) -> dict[str, Any]:
    assert record.value is not None
    assert len(record.value) <= MAX_VALUE_BYTES
    assert not set(record.value) & {*range(32), 127}
    said: dict[str, Any] = json.loads(record.value)
    return said


def test_a_record_has_what_was_said_and_where_and_is_keyed_by_who_says_it() -> None:
    record = record_of(SAID | {"sha256": "9f86"}, "desk-1", "dovecot.service")
    assert record.key == b"desk-1|dovecot.service"
    assert value(record) == SAID | {"sha256": "9f86", "host": "desk-1", "unit": "dovecot.service"}


@pytest.mark.parametrize("event", ["forged\n{}", "\x1b[2J\x7f\x9b", "\udcff", "Łódź", "\0"])
def test_a_line_is_one_line_and_steers_no_terminal_and_reads_back_as_it_was(event: str) -> None:
    assert value(record_of(SAID | {"event": event}, "h", "u"))["event"] == event


@pytest.mark.parametrize(
    "long",
    [
        {"event": "x" * 10_000_000},
        {"event": "\U0001f4c8" * 60_000},
        {"exception": "\x01" * 20_000},
        {"nested": [{"deep": "x" * 70_000}]},
        {f"field {number}": "y" * 100 for number in range(5_000)},
        {"k" * 70_000: 1},
    ],
    ids=["a message", "outside the BMP", "all escapes", "nested", "many fields", "a field's name"],
)
def test_a_long_line_is_cut_and_says_so_and_keeps_what_all_lines_have(long: dict[str, Any]) -> None:
    said = value(record_of(SAID | long, "h", "u"))
    assert said["cut"] is True
    whole = {name: SAID[name] for name in ("timestamp", "level", "process")}
    assert said.items() >= (whole | {"host": "h", "unit": "u"}).items()
    assert str((SAID | long)["event"]).startswith(said["event"])


def test_what_json_does_not_know_is_shown_as_text() -> None:
    assert value(record_of(SAID | {"file": Path("a.eml")}, "h", "u"))["file"] == "a.eml"
