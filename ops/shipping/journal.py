"""systemd's journal, as `journalctl` gives it: this machine's, or what systemd-journal-remote wrote."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from log.opslog import record_of
from ops.shipping.batch import Batch
from ops.shipping.coming import pieces
from ops.shipping.export import Export
from ops.shipping.saying import SEVERITIES, structured
from ops.shipping.secrets import without_secrets
from ops.shipping.times import is_believed, iso

if TYPE_CHECKING:
    from pathlib import Path

    from log.types import Record
    from ops.shipping.export import Entry
    from ops.shipping.state import State

PROGRAM = "journalctl"
END_S = 5.0  # it is asked to end, and waited for so long

_UNIT = (b"_SYSTEMD_UNIT", b"_SYSTEMD_USER_UNIT", b"SYSLOG_IDENTIFIER", b"_COMM", b"_TRANSPORT")  # the first there is
_PROGRAM = (b"SYSLOG_IDENTIFIER", b"_COMM")
_PROCESS = (b"_PID", b"SYSLOG_PID")
_TIME = (b"_SOURCE_REALTIME_TIMESTAMP", b"__REALTIME_TIMESTAMP")  # microseconds since the epoch
_FIELDS = (b"MESSAGE", b"PRIORITY", b"_HOSTNAME", *_UNIT, *_PROCESS, _TIME[0])
_CURSOR = b"__CURSOR"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_SPEAKERS = 1000  # of which it is known that a private key goes on: those that began one last


class JournalSource:
    """The entries of a journal, in its order, from the first or from behind the one that was shipped last."""

    def __init__(self, place: Path | None, state: State, host: str, *, once: bool) -> None:
        """`place`: a folder or a file; None is this machine's own. `host`: who says what names no machine."""
        self._place, self._state, self._host, self._once = place, state, host, once
        kept = state.read()
        self._cursor: str = kept.get("cursor", "")
        self._key_lines: dict[str, int] = kept.get("key_lines", {})
        self._export = Export()
        self._child: subprocess.Popen[bytes] | None = None
        self.is_over = False

    @property
    def name(self) -> str:
        """Where it lies."""
        return journal_name(self._place)

    def begin(self) -> None:
        """A journal keeps its order by itself."""

    def take(self) -> Batch | None:
        """The next entries. Raises OSError where there is no journalctl, or it cannot read them."""
        child = self._child or self._begin()
        entries: list[Entry] = []
        for piece in pieces(child.stdout.fileno()) if child.stdout else ():
            entries += self._export.feed(piece)
            if not piece:
                self._end(child)
        if not entries:
            return None
        records, key_lines = _records_of(entries, self._host, self._key_lines)
        cursor = entries[-1][_CURSOR].decode("ascii", "replace")

        def keep() -> None:
            self._cursor, self._key_lines = cursor, key_lines
            self._state.keep({"cursor": cursor, "key_lines": key_lines})

        return Batch(records, keep)

    def meanwhile(self) -> None:
        """A journal waits."""

    def close(self) -> None:
        """The program that reads it."""
        if self._child:
            self._child.terminate()
            try:
                self._child.wait(END_S)
            except subprocess.TimeoutExpired:
                self._child.kill()
            self._child.__exit__(None, None, None)
            self._child = None

    def _begin(self) -> subprocess.Popen[bytes]:
        program = shutil.which(PROGRAM)
        if program is None:
            raise FileNotFoundError(f"{PROGRAM} is not there, which reads the journal: it comes with systemd")
        command = [
            program,
            "--output=export",
            f"--output-fields={b','.join(dict.fromkeys(_FIELDS)).decode()}",
            "--no-pager",
        ]
        command += [] if self._once else ["--follow", "--no-tail"]
        command += [f"--after-cursor={self._cursor}"] if self._cursor else []
        if self._place is not None:
            command.append(f"--{'directory' if self._place.is_dir() else 'file'}={self._place}")
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,  # Ctrl-C is ours: it is asked to end behind what is in hand
        )
        self._child = child
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        """It ended by itself. Raises OSError unless it had given all that was to come."""
        code = child.wait()
        self.close()
        self.is_over = True
        if code or not self._once:
            raise ChildProcessError(f"{self.name}: {PROGRAM} ended with {code}; what is wrong it says itself")


def journal_name(place: Path | None) -> str:
    """Of a journal's state, and for people."""
    return "journal" if place is None else f"journal {place}"


def _records_of(entries: list[Entry], host: str, key_lines: dict[str, int]) -> tuple[list[Record], dict[str, int]]:
    """Entries as records, and of which `host|unit` a private key may go on in so many lines."""
    arrived, left, records = datetime.now(UTC), dict(key_lines), []
    for entry in entries:
        unit, machine = _first(entry, _UNIT) or "journal", _first(entry, (b"_HOSTNAME",)) or host
        speaker = f"{machine}|{unit}"
        message = entry.get(b"MESSAGE", b"")
        fields = (structured(message) if message.startswith(b"{") else None) or {
            "event": message.decode("utf-8", "backslashreplace"),
            "level": _level(entry),
            "process": _number(_first(entry, _PROCESS)),
            "program": _first(entry, _PROGRAM),
        }
        fields["event"], lines = without_secrets(fields["event"], left.pop(speaker, 0))
        if lines:
            left[speaker] = lines
        fields |= {"timestamp": iso(_time(entry, arrived)), "shipped": "journal"}
        records.append(record_of(fields, machine, unit))
    return records, dict(list(left.items())[-_MOST_SPEAKERS:])


def _first(entry: Entry, names: tuple[bytes, ...]) -> str:
    for name in names:
        if value := entry.get(name):
            return value.decode("utf-8", "backslashreplace")
    return ""


def _level(entry: Entry) -> str:
    priority = _number(_first(entry, (b"PRIORITY",)))
    return SEVERITIES[priority] if priority is not None and priority < len(SEVERITIES) else "info"


def _time(entry: Entry, arrived: datetime) -> datetime:
    for name in _TIME:
        microseconds = _number(_first(entry, (name,)))
        if microseconds is not None:
            at = _EPOCH + timedelta(microseconds=microseconds)
            if is_believed(at, arrived):
                return at
    return arrived


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 17 else None
