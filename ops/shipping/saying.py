"""What a line says of itself: its time, how grave it is, and who says it. Nothing of it is guessed by a dealer's words.

A line is text, as syslog writes it (RFC 3164, RFC 5424), rsyslog and Dovecot into files, or an object of JSON with an
`event`, as otclog and others write it by structlog. What is none of these is an event as it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from conf.masking import masked_fields
from ops.shipping.secrets import without_secrets
from ops.shipping.times import iso, own_time

if TYPE_CHECKING:
    from datetime import datetime

    from ops.shipping.times import Clock

SEVERITIES = ("critical", "critical", "critical", "error", "warning", "info", "info", "debug")  # syslog's 0 to 7
MOST_NESTED = 100  # brackets: no log has as many, and each costs a step down

_WORDS = {
    **dict.fromkeys(("emerg", "alert", "crit", "critical", "fatal", "panic"), "critical"),
    **dict.fromkeys(("err", "error"), "error"),
    **dict.fromkeys(("warn", "warning"), "warning"),
    **dict.fromkeys(("notice", "info"), "info"),
    "debug": "debug",
}
_ANY = "|".join(sorted(_WORDS, key=len, reverse=True))
_WORD = re.compile(rf"(?i)(?<![^\s\[(<])({_ANY})(?=[\]:>)])")
_FIRST = re.compile(rf"\[?({_ANY.upper()})\b")  # in capitals: `ERROR Could not connect`
_GRAVE = re.compile("debug|warn|err|crit|fatal|panic|emerg|alert")  # in small letters: all but `info` has one of them
_LOOKED_AT = 200  # characters in which such a word may stand: what comes later is somebody's text
_PRIORITY = re.compile(r"<(\d{1,3})>(1 )?", re.ASCII)
_OF_5424 = re.compile(r"(\S{1,255}) (\S{1,48}) (\S{1,128}) \S{1,32} (?:- ?\ufeff?)?")
_OF_3164 = re.compile(r"(?:([^\s:\[\]]{1,255}) )?([^\s:\[\]]{1,128})(?:\[(\d{1,10})\])?: ?")
# As syslog begins a line: a month, or ISO 8601 with an offset in numbers, which programs' own lines seldom have.
_SYSLOGS_TIME = re.compile(r"[A-Z]|\d{4}-\d\d-\d\dT[\d:.]{8,18}[+-]", re.ASCII)
_MACHINE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*")

Said = dict[str, Any]  # the fields of a record, as log/opslog.py names them, without host and unit


class Line(NamedTuple):
    """What a line says."""

    fields: Said
    at: datetime | None  # its own time, if it has any
    key_lines: int  # as `without_secrets`: in how many of the next lines a key may go on


def said(line: bytes, clock: Clock, host: str, key_lines: int) -> Line:
    """The fields of a line, without secrets. Its time is that of its arrival unless its own is sure.

    `host`: the machine whose lines these are.
    """
    fields = structured(line) if line.startswith(b"{") else None
    if fields is None:
        fields, at = _of_text(line.decode("utf-8", "backslashreplace"), clock, host)
    else:
        own = own_time(str(fields.get("timestamp", "")), 0, clock)
        at = own.at if own else None
        fields["timestamp"] = iso(at or clock.arrived)
    fields["event"], key_lines = without_secrets(fields["event"], key_lines)
    return Line(fields, at, key_lines)


def structured(line: bytes) -> Said | None:
    """The fields of an object of JSON that has an `event`, without secrets but for those in that; None of any other."""
    if line.count(b"{") + line.count(b"[") > MOST_NESTED:
        return None
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(event := found.pop("event", None), str):
        return None
    fields: Said = masked_fields(found)
    level, program = str(fields.get("level")).lower(), fields.get("unit")  # a record's unit is that of its file
    named = {"program": program} if program else {}
    return {"process": None, **named, **fields, "level": _WORDS.get(level, "info"), "event": event}


def _of_text(line: str, clock: Clock, host: str) -> tuple[Said, datetime | None]:
    priority = _PRIORITY.match(line)
    begin = priority.end() if priority else 0
    own = own_time(line, begin, clock)
    if own is None:  # a time that is not believed stays where it stands
        return {"timestamp": iso(clock.arrived), "level": _level(line), "event": line, "process": None}, None
    source = (_OF_5424 if priority and priority[2] else _OF_3164).match(line, own.end)
    is_syslogs = priority is not None or _SYSLOGS_TIME.match(line, begin) is not None
    if source is None or not _is_source(source, host, is_syslogs=is_syslogs):
        event = line[own.end :]
        return {"timestamp": iso(own.at), "level": _level(event), "event": event, "process": None}, own.at
    event = line[source.end() :]
    level = SEVERITIES[int(priority[1]) % 8] if priority else _level(event)
    named, program, process = source.groups()
    fields = {"timestamp": iso(own.at), "level": level, "event": event, "process": _number(process), "program": program}
    return fields if _is_same(named, host) else {**fields, "hostname": named}, own.at


def _is_source(found: re.Match[str], host: str, *, is_syslogs: bool) -> bool:
    """Of `word word: …` the first is a machine if it is this one, the second has a number, or syslog wrote it."""
    if found.re is _OF_5424 or found[3] is not None:
        return True
    is_machine = _is_same(found[1], host) or (is_syslogs and _MACHINE.fullmatch(found[1]) is not None)
    return is_machine and found[2].lower() not in _WORDS


def _is_same(named: str | None, host: str) -> bool:
    return named in {None, "-", host} or (named or "").partition(".")[0] == host.partition(".")[0]


def _level(text: str) -> str:
    text = text[:_LOOKED_AT]
    if not _GRAVE.search(text.lower()):  # most lines; a fifth of the time of what follows
        return "info"
    word = _FIRST.match(text) or _WORD.search(text)
    return _WORDS[word[1].lower()] if word else "info"


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 10 else None
