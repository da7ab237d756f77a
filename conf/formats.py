"""A message as a line: text for people, or an object of JSON, which programs search.

A line of JSON has `timestamp` (UTC), `level`, `logger`, `host`, `unit`, `process` and `event`, the message. One about a
mail has besides, as far as that is known, `source`, `file`, `sha256`, `message_id`, `topic`, `partition`, `offset` and
`run`, by the same names in each program, so that one search follows a mail through all. They come from the `extra` of a
message, and `run` from what a run has bound. What controls a terminal is escaped, a line is a line, and what reads like
a password, a token or a key is masked, in both forms.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import time
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer._click.globals import get_current_context  # there is no other way to a command's full name

from conf.masking import masked, masked_fields, names_secret
from conf.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Text(logging.Formatter):
    """A message is one line, whatever the names in it; in a file with the time, which a journal has by itself.

    The lines of a traceback, and they alone, are indented.
    """

    def __init__(self, is_file: bool) -> None:  # noqa: FBT001 -- of one caller
        super().__init__("%(asctime)s otclog: %(message)s" if is_file else "otclog: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        """On one line."""
        return printable(masked(super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802 -- logging's name
        """Its traceback, indented."""
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 -- logging's name
        """Where it was said, indented."""
        return _indented(stack_info)


def _indented(text: str) -> str:
    return "\n".join(f"  {printable(line)}" for line in masked(text).split("\n"))


class Json(logging.Formatter):
    """An object a line, its names in their order, as `json.dumps` writes what `masked_fields` leaves, but sooner.

    Of a mail's line most time goes into this. So which names a line has is looked at once, and a text is masked and
    quoted once as long as the next message has the same by that name, as of a source or a topic.
    """

    def __init__(self) -> None:
        from structlog.contextvars import get_contextvars

        super().__init__()
        self._bound = get_contextvars
        self._origin = {name: quoted(value) for name, value in origin().items()}
        self._before: dict[str, tuple[str, str]] = {}  # by name: the text that was said last, and as it was shown

    def format(self, record: logging.LogRecord) -> str:
        """The line, which is kept with the message for the next place it goes to."""
        line: str | None = record.__dict__.get(_MADE)
        if line is None:
            said = {name: each for name, each in vars(record).items() if name not in _LOGGINGS}
            said["event"] = record.getMessage()
            if record.exc_info:
                said["exception"] = self.formatException(record.exc_info)
            if record.stack_info:
                said["stack_info"] = record.stack_info
            shown = self._shown_by(record.created, record.levelname, record.name)
            line = record.__dict__[_MADE] = self._line({**self._bound(), **said}, shown)
        return line

    def lines(self, name: str, texts: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
        """Of messages that the logger of that name says now, at level info, each with its fields."""
        bound, shown = self._bound(), self._shown_by(time.time(), "INFO", name)
        return [self._line({**bound, **fields, "event": text}, shown) for text, fields in texts]

    def _shown_by(self, seconds: float, level: str, name: str) -> dict[str, str]:
        """What a line has whatever it is about, in JSON. `seconds`: of the clock, when it was said."""
        at = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
        own = {"timestamp": f"{at[:-6]}Z", "level": level.lower(), "logger": name}
        return {each: quoted(text) for each, text in own.items()} | self._origin | {"process": str(os.getpid())}

    def _line(self, said: Mapping[str, Any], by: Mapping[str, str]) -> str:
        shown = {name: self._shown(name, value) for name, value in said.items()}
        shown.update(by)
        form, values = _form(tuple(shown))
        line: str = form % values(shown)
        return line.replace("\x7f", "\\u007f")  # all that JSON leaves

    def _shown(self, name: str, value: Any) -> str:
        """A field's value in JSON, without secrets."""
        if type(value) is int and not names_secret(name):
            return str(value)
        if not isinstance(value, str):
            return _encoded(masked_fields(value, name))
        before = self._before.get(name)
        if before and before[0] == value:
            return before[1]
        shown = quoted(value if name in _MAILS else masked_fields(value, name))
        if len(value) <= _KEPT:
            self._before[name] = value, shown
        return shown


_MADE = "otclog_line"
_KEPT = 256  # characters of a text: of longer ones none is said twice
_MAILS = ("message_id", "sha256")  # shown as they are, for otclog takes them from mails: no search finds a masked one
_LOGGINGS = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}  # a message's, else a field of ours
_encoded = json.JSONEncoder(sort_keys=True).encode


@lru_cache(maxsize=256)  # of what messages have there are few sets
def _form(names: tuple[str, ...]) -> tuple[str, Callable[[dict[str, str]], Any]]:
    """An object with these names: where their values go, and the values out of a dictionary."""
    ordered = sorted(names)
    fields = ", ".join(f"{quoted(name)}: ".replace("%", "%%") + "%s" for name in ordered)
    return f"{{{fields}}}", itemgetter(*ordered)


def origin() -> dict[str, str]:
    """Who speaks: `host`, and `unit`, the command by its full name, as `otclog group rewind`.

    What runs otclog otherwise goes by how it was called.
    """
    context = get_current_context(silent=True)
    unit = context.command_path if context else " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
    return {"host": socket.gethostname(), "unit": masked(unit)}
