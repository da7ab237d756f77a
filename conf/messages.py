"""Where the messages of a process go, and in which form: text for people, or lines of JSON, which programs search.

A line of JSON has `timestamp` (UTC), `level`, `logger`, `host`, `unit`, `process` and `event`, the message. One about a
mail has besides, as far as that is known, `source`, `file`, `sha256`, `message_id`, `topic`, `partition`, `offset` and
`run`, by the same names in each program, so that one search follows a mail through all. They come from the `extra` of a
message, and `run` from what a run has bound. What controls a terminal is escaped, a line is a line, and what reads like
a password, a token or a key is masked, in both forms. No message fails: what cannot be written is nobody's error.

Besides, lines of JSON go to whom they are shared with (`share_messages`), the log's topic `ops`. One that goes to two
places is made once.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import typer
from typer._click.globals import get_current_context  # there is no other way to a command's full name

from conf.masking import masked, masked_fields
from conf.printable import printable, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from conf.settings import LoggingSettings

Level = Literal["info", "warning"]
ROOMS = ("conf", "ingest", "log", "ops", "parsers", "pipelines")  # of which more is heard than warnings, if told so
logger = logging.getLogger(__name__)


class Sink(Protocol):
    """Who takes lines of JSON besides, of several threads at once. None of these waits for long, or fails."""

    def send(self, line: str) -> None:
        """A message, without the line's end."""

    def flush(self) -> None:
        """The process may end now."""

    def close(self) -> None:
        """Nothing more is sent."""


def begin_messages(settings: LoggingSettings) -> None:
    """Messages of this process go where the settings say. Raises OSError, of a file that cannot be written."""
    handler = _ToStderr() if settings.file is None else _ToFile(settings.file)
    handler.setFormatter(_Json() if settings.format == "json" else _Text(settings.file is not None))
    handler.addFilter(_no_interrupt)
    handler.addFilter(_heard_from(settings.level))
    if settings.file is None and settings.format == "text":
        handler.addFilter(lambda record: record.name != __name__)  # stderr has it already
    logger.setLevel(logging.INFO)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    if "info" in {settings.level, settings.ops}:
        for room in ROOMS:
            logging.getLogger(room).setLevel(logging.INFO)


def share_messages(sink: Sink, level: Level) -> None:
    """Messages of this process, of that level on, go there as well from now on, instead of to a sink before."""
    for before in _sinks():
        logging.getLogger().removeHandler(before)
        before.close()
    handler = _ToSink(sink)
    handler.setFormatter(_Json())
    handler.addFilter(_no_interrupt)
    handler.addFilter(_heard_from(level))
    logging.getLogger().addHandler(handler)


def flush_messages() -> None:
    """For whoever ends: what was said is where it goes, as far as that is soon done."""
    for handler in _sinks():
        handler.flush()


def _sinks() -> list[_ToSink]:
    return [each for each in logging.getLogger().handlers if isinstance(each, _ToSink)]


def tell(text: str, level: int = logging.INFO, *, defect: bool = False) -> None:
    """A command's own words, such as its last: on stderr, and in the file of messages; each in its form.

    Of a defect, which is being handled, the traceback is a message alone: Python shows it on stderr.
    """
    handler = next((each for each in logging.getLogger().handlers if isinstance(each, _ToStderr)), None)
    if (handler is None or isinstance(handler, _ToFile) or isinstance(handler.formatter, _Text)) and not defect:
        typer.echo(text, err=True)
    if handler is not None:
        logger.log(level, "%s", text.removeprefix("otclog: "), exc_info=defect)


class _Lines(logging.Handler):
    """A message is written whole, and whatever is wrong with it or its place, nobody who sends one hears of it."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            self._write(self._line(record))

    def _line(self, record: logging.LogRecord) -> str:
        try:
            return self.format(record)
        except Exception as error:  # noqa: BLE001 -- of its arguments, which are not shown: none of them is masked yet
            what = f"a message cannot be written: {record.msg!r}: {type(error).__name__}"
            plain = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, what, None, None)
            return self.format(plain)

    def _write(self, line: str) -> None:
        raise NotImplementedError


class _ToSink(_Lines):
    """To whom messages are shared with."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._sink = sink

    def createLock(self) -> None:  # noqa: N802 -- logging's name
        """None: `logging.shutdown` flushes under it, and whoever sends what is flushed may have to speak for that."""
        self.lock = None

    def _write(self, line: str) -> None:
        self._sink.send(line)

    def flush(self) -> None:
        self._sink.flush()

    def close(self) -> None:
        self._sink.close()
        super().close()


class _ToStderr(_Lines):
    def _write(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


class _ToFile(_ToStderr):
    """To the end of a file that is its owner's alone; one that was rotated away is made anew.

    A line is one write, for several processes may have the file. While it cannot be written they go to stderr.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._fd = self._opened()
        self._is_told = False

    def _opened(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)

    def _write(self, line: str) -> None:
        try:
            self._follow()
            left = memoryview(f"{line}\n".encode("utf-8", "backslashreplace"))
            while left:
                left = left[os.write(self._fd, left) :]
            self._is_told = False
        except OSError as error:
            if not self._is_told:
                self._is_told = True
                why = OSError(error.errno, error.strerror, str(self._path))
                super()._write(f"otclog: {printable(said(why))}: messages go to stderr meanwhile")
            super()._write(line)

    def _follow(self) -> None:
        """Whatever is at the path by now is the file."""
        try:
            at, own = self._path.stat(follow_symlinks=False), os.fstat(self._fd)
            is_own = (at.st_dev, at.st_ino) == (own.st_dev, own.st_ino)
        except FileNotFoundError:
            is_own = False
        if not is_own:
            before, self._fd = self._fd, self._opened()
            os.close(before)


class _Text(logging.Formatter):
    """A message is one line, whatever the names in it; in a file with the time, which a journal has by itself.

    The lines of a traceback, and they alone, are indented.
    """

    def __init__(self, is_file: bool) -> None:  # noqa: FBT001 -- of one caller
        super().__init__("%(asctime)s otclog: %(message)s" if is_file else "otclog: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        return printable(masked(super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802 -- logging's name
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 -- logging's name
        return _indented(stack_info)


def _indented(text: str) -> str:
    return "\n".join(f"  {printable(line)}" for line in masked(text).split("\n"))


class _Json(logging.Formatter):
    """An object a line, as structlog's ProcessorFormatter makes it, which takes half as long again."""

    def __init__(self) -> None:
        from structlog.contextvars import get_contextvars

        super().__init__()
        self._origin, self._bound = origin(), get_contextvars

    def format(self, record: logging.LogRecord) -> str:
        """The line, which is kept with the message for the next place it goes to."""
        line: str | None = record.__dict__.get(_MADE)
        if line is None:
            said = {**self._bound(), **{name: each for name, each in vars(record).items() if name not in _LOGGINGS}}
            said["event"] = record.getMessage()
            if record.exc_info:
                said["exception"] = self.formatException(record.exc_info)
            if record.stack_info:
                said["stack_info"] = record.stack_info
            mails = {name: each for name in _MAILS if isinstance(each := said.get(name), str)}
            said = masked_fields(said) | mails | self._origin
            at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds")
            said["timestamp"] = at.replace("+00:00", "Z")
            said["level"], said["logger"], said["process"] = record.levelname.lower(), record.name, record.process
            line = record.__dict__[_MADE] = _encoded(said).replace("\x7f", "\\u007f")  # all that JSON leaves
        return line


_MADE = "otclog_line"
_MAILS = ("message_id", "sha256")  # shown as they are, for otclog takes them from mails: no search finds a masked one
_LOGGINGS = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}  # a message's, else a field of ours
_encoded = json.JSONEncoder(sort_keys=True).encode


def origin() -> dict[str, str]:
    """Who speaks: `host`, and `unit`, the command by its full name, as `otclog group rewind`.

    What runs otclog otherwise goes by how it was called.
    """
    context = get_current_context(silent=True)
    unit = context.command_path if context else " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
    return {"host": socket.gethostname(), "unit": masked(unit)}


def _heard_from(level: Level) -> Callable[[logging.LogRecord], bool]:
    """Whether a place takes a message: all from there on, and a command's own words."""
    least = logging.INFO if level == "info" else logging.WARNING
    return lambda record: record.levelno >= least or record.name == __name__


def _no_interrupt(record: logging.LogRecord) -> bool:
    """Py4J logs a Ctrl-C with its traceback before it passes it on; the command says that it was stopped."""
    error = record.exc_info[1] if record.exc_info else None
    while error:
        # Spark's handler of a Ctrl-C asks the JVM to cancel, on the very connection whose answer is being waited for.
        if isinstance(error, KeyboardInterrupt) or str(error).startswith("reentrant call inside"):
            return False
        error = error.__cause__ or error.__context__
    return True
