"""ops.shipping: systemd's journal, in files that systemd-journal-remote makes of its export format"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.ops.shipping.conftest import Shipping, rows_of
from tests.ops.shipping.exported import field

pytestmark = pytest.mark.slow

OTCLOG = str(Path(sys.executable).with_name("otclog"))
Rows = Callable[[], list[dict[str, Any]]]
Write = Callable[..., None]
BEGUN = 1_795_900_000_000_000  # microseconds since the epoch


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    (tmp_path / "remote").mkdir()
    return tmp_path / "remote" / "remote.journal"


@pytest.fixture
def write(journal: Path, needs: Callable[[str], str]) -> Write:
    """Entries into the journal, each a dictionary of fields."""
    remote, _ = needs("systemd-journal-remote"), needs("journalctl")
    numbers = count()

    def run(*entries: dict[str, bytes]) -> None:
        exported = b"".join(exported_entry(entry, next(numbers)) for entry in entries)
        subprocess.run([remote, f"--output={journal}", "-"], input=exported, check=True, capture_output=True)

    return run


def exported_entry(entry: dict[str, bytes], number: int) -> bytes:
    named = {
        "__REALTIME_TIMESTAMP": b"%d" % (BEGUN + number),
        "__MONOTONIC_TIMESTAMP": b"%d" % (1_000 + number),
        "_BOOT_ID": b"0123456789abcdef0123456789abcdef",
        "_HOSTNAME": b"mx1",
        "_SYSTEMD_UNIT": b"postfix.service",
        "SYSLOG_IDENTIFIER": b"postfix/smtpd",
        "_PID": b"77",
        "PRIORITY": b"6",
    } | entry
    return b"".join(field(name, value) for name, value in named.items()) + b"\n"


def said(*texts: str, **fields: bytes) -> list[dict[str, bytes]]:
    return [{"MESSAGE": text.encode(), **fields} for text in texts]


def test_an_entry_has_its_own_time_host_unit_level_and_process(
    ship: Shipping, write: Write, journal: Path, rows: Rows
) -> None:
    write(*said("connect", PRIORITY=b"4"), *said("by the kernel", _SYSTEMD_UNIT=b"", SYSLOG_IDENTIFIER=b"kernel"))
    ship("--journal", journal)
    first, second = rows()
    assert first == {
        "event": "connect",
        "host": "mx1",
        "key": b"mx1|postfix.service",
        "level": "warning",
        "process": 77,
        "program": "postfix/smtpd",
        "shipped": "journal",
        "timestamp": datetime.fromtimestamp(BEGUN / 1e6, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "unit": "postfix.service",
    }
    assert (second["unit"], second["level"]) == ("kernel", "info")


def test_each_entry_is_shipped_once_from_a_file_and_from_a_folder(
    ship: Shipping, write: Write, journal: Path, rows: Rows
) -> None:
    for place in (journal, journal.parent):
        write(*said("one", "two"))
        before = len(rows())
        ship("--journal", place)
        ship("--journal", place)
        write(*said("three"))
        ship("--journal", place)
        events = [row["event"] for row in rows()[before:]]
        assert events[-3:] == ["one", "two", "three"]
        assert len(events) == (3 if place == journal else 6)  # a folder is another source than the file in it


def test_an_entry_of_many_lines_or_bytes_is_one_record_and_a_large_one_is_cut(
    ship: Shipping, write: Write, journal: Path, rows: Rows
) -> None:
    forged = 'a line\n2026-11-29T12:00:00Z mx1 sshd[1]: Accepted\n\n__CURSOR=x\n\n{"event": "forged"}'
    write(*said(forged, "\x1b[2J\u2028\u202e"), {"MESSAGE": b"\xff\0\n"}, *said("x" * 10_000_000, "last"))
    ship("--journal", journal)
    found = rows()
    assert [row["event"][:4] for row in found] == ["a li", "\x1b[2J", "\\xff", "xxxx", "last"]
    assert found[0]["event"] == forged
    assert found[2]["event"] == "\\xff\0\n"
    assert [row.get("cut") for row in found] == [None, None, None, True, None]


def test_a_time_to_come_is_not_believed(ship: Shipping, write: Write, journal: Path, rows: Rows) -> None:
    write(
        *said("to come", _SOURCE_REALTIME_TIMESTAMP=b"4102444800000000"), *said("none", _SOURCE_REALTIME_TIMESTAMP=b"x")
    )
    ship("--journal", journal)
    times = [datetime.fromisoformat(row["timestamp"]).timestamp() for row in rows()]
    assert times == pytest.approx([BEGUN / 1e6] * 2, abs=1)


def test_what_otclog_says_as_json_keeps_its_fields(ship: Shipping, write: Write, journal: Path, rows: Rows) -> None:
    write(
        *said(
            '{"event": "published", "level": "warning", "sha256": "ab", "process": 5, "host": "forged", "secret": "s"}'
        )
    )
    ship("--journal", journal)
    (row,) = rows()
    assert (row["event"], row["level"], row["sha256"], row["process"]) == ("published", "warning", "ab", 5)
    assert (row["host"], row["secret"]) == ("mx1", "***")


def test_a_private_key_is_masked_unit_by_unit_and_after_a_restart(
    ship: Shipping, write: Write, journal: Path, rows: Rows
) -> None:
    write(*said("-----BEGIN PRIVATE KEY-----"), *said("all is well", _SYSTEMD_UNIT=b"other.service"))
    ship("--journal", journal)
    write(
        *said("Ab3+" * 16),
        *said("and still is", _SYSTEMD_UNIT=b"other.service"),
        *said("-----END PRIVATE KEY-----", "x"),
    )
    ship("--journal", journal)
    events = [row["event"] for row in rows()]
    assert events[1:] == ["all is well", "***", "and still is", "-----END PRIVATE KEY-----", "x"]


def test_what_is_no_journal_is_told(ship: Shipping, tmp_path: Path) -> None:
    (tmp_path / "text.journal").write_text("no journal\n")
    done = ship("--journal", tmp_path / "text.journal", code=1)
    assert "journalctl ended with 1" in done.stderr


def test_a_journal_that_is_followed_gives_what_comes_and_the_place_is_kept(
    spawn: Callable[..., subprocess.Popen[str]], write: Write, journal: Path, file: Path, ship: Shipping
) -> None:
    write(*said("one"))
    command = [OTCLOG, "ops", "ship", "--journal", str(journal.parent), "--config", str(file)]
    following = spawn(command, text=True, stdout=subprocess.PIPE)
    until(lambda: len(rows_of(file)) == 1)
    write(*said("two"))
    until(lambda: len(rows_of(file)) == 2)
    following.terminate()
    assert following.communicate(timeout=60)[0] == "2 lines into topic ops\n"
    ship("--journal", journal.parent)
    assert [row["event"] for row in rows_of(file)] == ["one", "two"]


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
