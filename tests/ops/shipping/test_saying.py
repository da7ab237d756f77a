"""ops.shipping.saying: what a line says of itself"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from ops.shipping.batch import Behind, Speaker, records_of
from ops.shipping.saying import said
from ops.shipping.times import Clock

ARRIVED = datetime(2026, 11, 29, 12, 0, 0, 123456, UTC)
AT_ARRIVAL = "2026-11-29T12:00:00.123456Z"
HOST = "mx1"


@pytest.fixture(autouse=True)
def in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Five hours behind UTC in winter."""
    monkeypatch.setitem(os.environ, "TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def fields(line: str) -> dict[str, object]:
    return said(line.encode(), Clock(ARRIVED), HOST, 0).fields


@pytest.mark.parametrize(
    ("line", "timestamp", "event"),
    [
        ("2026-11-29T11:59:00.5Z started", "2026-11-29T11:59:00.500000Z", "started"),
        ("2026-11-29 11:59:00,123456789+01:00 started", "2026-11-29T10:59:00.123456Z", "started"),
        ("[2026-11-29T11:59:00-0500] started", AT_ARRIVAL, None),
        ("[2026-11-29T06:59:00-0500] started", "2026-11-29T11:59:00.000000Z", "started"),
        ("2026-11-29 11:59:00 started", AT_ARRIVAL, None),
        ("2026-02-31T11:59:00Z started", AT_ARRIVAL, None),
        ("0001-01-01T00:00:00+23:59 started", AT_ARRIVAL, None),
        ("2026-11-29T12:04:00Z a little ahead", "2026-11-29T12:04:00.000000Z", "a little ahead"),
        ("2026-11-29T12:06:00Z to come", AT_ARRIVAL, None),
        ("9999-12-31T23:59:59Z to come", AT_ARRIVAL, None),
        ("Nov 29 06:59:00 mx1 cron[9]: run", "2026-11-29T11:59:00.000000Z", "run"),
        ("Nov  1 06:59:00 mx1 cron[9]: run", "2026-11-01T11:59:00.000000Z", "run"),
        ("Dec 24 18:00:00 mx1 cron[9]: of last year", "2025-12-24T23:00:00.000000Z", "of last year"),
        ("Nov 29 12:59:00 mx1 cron[9]: to come", AT_ARRIVAL, None),
        ("Feb 30 12:59:00 mx1 cron[9]: never", AT_ARRIVAL, None),
        ("<34>1 2026-11-29T11:59:00Z mx1 su 9 ID47 - \ufefffailed", "2026-11-29T11:59:00.000000Z", "failed"),
        ("fetchmail: awakened at Sun Nov 29 11:59:00 2026", AT_ARRIVAL, None),
        ("From ann@bank.example  Sun Nov 29 11:59:00 2026", AT_ARRIVAL, None),
        ("", AT_ARRIVAL, None),
    ],
)
def test_a_time_is_a_lines_own_where_it_is_sure_and_else_that_of_its_arrival(
    line: str, timestamp: str, event: str | None
) -> None:
    found = fields(line)
    assert (found["timestamp"], found["event"]) == (timestamp, line if event is None else event)


@pytest.mark.parametrize(
    ("line", "program", "process", "hostname", "event"),
    [
        ("Nov 29 06:59:00 mx1 postfix/smtpd[77]: connect", "postfix/smtpd", 77, None, "connect"),
        ("Nov 29 06:59:00 mx2.example postfix/smtpd[77]: connect", "postfix/smtpd", 77, "mx2.example", "connect"),
        ("Nov 29 06:59:00 mx1.example kernel: [1.5] up", "kernel", None, None, "[1.5] up"),
        ("Nov 29 06:59:00 imap(ann)<7><x/y>: Info: out", "imap(ann)<7><x/y>", None, None, "Info: out"),
        ("2026-11-29T11:59:00Z mx1 dovecot: auth", "dovecot", None, None, "auth"),
        ("Nov 29 06:59:00 mx2 dovecot: lmtp(ann): y", "dovecot", None, "mx2", "lmtp(ann): y"),
        ("2026-11-29T06:59:00.123456-05:00 mx2 dovecot: lmtp(ann): y", "dovecot", None, "mx2", "lmtp(ann): y"),
        ("<22>2026-11-29T11:59:00Z mx2 dovecot: y", "dovecot", None, "mx2", "y"),
        ("Nov 29 06:59:00 lmtp(ann) said: y", None, None, None, "lmtp(ann) said: y"),
        ("Nov 29 06:59:00 mx2 error: y", None, None, None, "mx2 error: y"),
        ("2026-11-29T11:59:00Z two words: text", None, None, None, "two words: text"),
        ("2026-11-29T11:59:00Z ERROR: text", None, None, None, "ERROR: text"),
        ("<34>1 2026-11-29T11:59:00Z mx2 su 9 - - text", "su", 9, "mx2", "text"),
        ('<34>1 2026-11-29T11:59:00Z - su - - [a b="c"] text', "su", None, None, '[a b="c"] text'),
        ("Nov 29 06:59:00 mx1 x[99999999999999999999]: text", None, None, None, "mx1 x[99999999999999999999]: text"),
    ],
)  # fmt: skip
def test_a_program_says_who_it_is_as_syslog_has_it(
    line: str, program: str | None, process: int | None, hostname: str | None, event: str
) -> None:
    found = fields(line)
    assert [found.get(name) for name in ("program", "process", "hostname", "event")] == [
        program,
        process,
        hostname,
        event,
    ]


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("Nov 29 06:59:00 mx1 postfix/smtpd[77]: warning: slow", "warning"),
        ("Nov 29 06:59:00 mx1 postfix/smtpd[77]: fatal: gone", "critical"),
        ("Nov 29 06:59:00 imap-login: Error: no", "error"),
        ("<11>1 2026-11-29T11:59:00Z mx1 su 9 - - text", "error"),
        ("<191>Nov 29 06:59:00 mx1 su: text", "debug"),
        ("2026-11-29T11:59:00Z WARN pool is empty", "warning"),
        ("[error] 12#0: open() failed", "error"),
        ("no error here", "info"),
        ("subject=error: 5y", "info"),
        ("x" * 300 + " error: late", "info"),
    ],
)
def test_a_line_says_how_grave_it_is_by_a_word_of_its_own(line: str, level: str) -> None:
    assert fields(line)["level"] == level


def test_an_object_with_an_event_keeps_its_fields() -> None:
    found = fields(
        '{"event": "taken", "level": "ERROR", "process": 7, "unit": "otclog watch", "timestamp": "2026-11-29T11:00:00Z", "sha256": "ab"}'
    )
    assert found == {
        "event": "taken",
        "level": "error",
        "program": "otclog watch",
        "unit": "otclog watch",
        "process": 7,
        "timestamp": "2026-11-29T11:00:00.000000Z",
        "sha256": "ab",
    }


@pytest.mark.parametrize(
    "line",
    [
        "{" * 5000,
        '{"event": ' + "[" * 90 + "]" * 90 + "}",
        '{"event": 5}',
        '{"event": "a"} and more',
        '{"message": "a"}',
        '{"event": "a", "n": NaN}',
        "{}",
    ],
)
def test_what_is_no_such_object_is_text(line: str) -> None:
    assert fields(line)["event"] == line


def test_an_object_cannot_say_what_it_is_not() -> None:
    found = fields(
        '{"event": "a", "timestamp": "2099-01-01T00:00:00Z", "level": {"x": 1}, "n": 1e308, "password": ["b"]}'
    )
    assert (found["timestamp"], found["level"], found["password"]) == (AT_ARRIVAL, "info", "***")


@pytest.mark.parametrize("name", ["message_id", "sha256", "note"])
def test_a_secret_is_masked_in_a_line_whatever_its_field_is_named(name: str) -> None:
    found = fields(f'{{"event": "a", "{name}": "password=hunter2", "more": {{"{name}": "token=hunter2"}}}}')
    assert (found[name], found["more"]) == ("password=***", {name: "token=***"})


def test_a_secret_behind_its_option_in_a_list_of_a_line_is_masked() -> None:
    assert fields('{"event": "e", "cmd": ["--password", "hunter3", "x"]}')["cmd"] == ["--password", "***", "x"]


def in_the_repeated_hour(*said: str, before: datetime | None = None) -> list[str]:
    """When lines were said, of syslog's own time, that come one after the other. 2026-11-01 has 01:00 to 02:00 twice."""
    lines = [f"Nov  1 {each} mx1 cron[9]: run".encode() for each in said]
    records, _ = records_of(lines, Speaker(HOST, "cron", "file"), Behind(said_at=before))
    return [json.loads(each.value or b"")["timestamp"][11:19] for each in records]


def test_lines_of_an_hour_that_comes_twice_in_autumn_stay_in_their_order() -> None:
    said = ("00:59:58", "01:10:00", "01:50:00", "01:49:55", "01:10:00", "01:30:00", "01:59:59", "02:00:01")
    expected = ["04:59:58", "05:10:00", "05:50:00", "05:49:55", "06:10:00", "06:30:00", "06:59:59", "07:00:01"]
    assert in_the_repeated_hour(*said) == expected


def test_the_second_of_the_hours_goes_on_in_what_is_read_later() -> None:
    assert in_the_repeated_hour("01:20:00", before=datetime(2026, 11, 1, 6, 10, tzinfo=UTC)) == ["06:20:00"]
    assert in_the_repeated_hour("01:20:00", before=datetime(2026, 11, 1, 5, 10, tzinfo=UTC)) == ["05:20:00"]


@pytest.mark.parametrize(
    ("arrived", "at"), [("05:30:05", "05:30:00"), ("06:30:05", "06:30:00"), ("09:00:00", "05:30:00")]
)
def test_of_the_first_line_the_hour_is_that_in_which_it_came(arrived: str, at: str) -> None:
    clock = Clock(datetime.fromisoformat(f"2026-11-01T{arrived}Z"))
    assert said(b"Nov  1 01:30:00 mx1 cron[9]: run", clock, HOST, 0).fields["timestamp"] == f"2026-11-01T{at}.000000Z"


def test_an_hour_that_is_left_out_in_spring_is_one_time() -> None:
    assert fields("Mar  8 02:30:00 mx1 cron[9]: run")["timestamp"] == "2026-03-08T06:30:00.000000Z"
