"""Where the messages of a process go, and in which form: text for people, or lines of JSON, which programs search.

A line of JSON has `timestamp` (UTC), `level`, `logger`, `program`, `pid` and `event`, the message. One about a mail has
besides, as far as that is known, `source`, `file`, `sha256`, `message_id`, `topic`, `partition`, `offset` and `run`, by
the same names in each program, so that one search follows a mail through all. They come from the `extra` of a message,
and `run` from what a run has bound. What controls a terminal is escaped, a line is a line, and what reads like a
password, a token or a key is masked, in both forms. No message fails: what cannot be written is nobody's error.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer._click.globals import get_current_context  # there is no other way to a command's full name

from conf.masking import masked, masked_fields
from conf.printable import printable, said

if TYPE_CHECKING:
    from conf.settings import LoggingSettings

ROOMS = ("conf", "ingest", "log", "ops", "parsers", "pipelines")  # of which more is heard than warnings, if told so
logger = logging.getLogger(__name__)


def begin_messages(settings: LoggingSettings) -> None:
    """Messages of this process go where the settings say. Raises OSError, of a file that cannot be written."""
    handler = _ToStderr() if settings.file is None else _ToFile(settings.file)
    handler.setFormatter(_json() if settings.format == "json" else _Text(settings.file is not None))
    handler.addFilter(_no_interrupt)
    logger.setLevel(logging.INFO)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    if settings.level == "info":
        for room in ROOMS:
            logging.getLogger(room).setLevel(logging.INFO)


def tell(text: str, level: int = logging.INFO, *, defect: bool = False) -> None:
    """A command's own words, such as its last: on stderr, and in the file of messages; each in its form.

    Of a defect, which is being handled, the traceback is a message alone: Python shows it on stderr.
    """
    handler = next((each for each in logging.getLogger().handlers if isinstance(each, _ToStderr)), None)
    is_text = handler is None or isinstance(handler.formatter, _Text)
    has_file = isinstance(handler, _ToFile)
    if (is_text or has_file) and not defect:
        typer.echo(text, err=True)
    if has_file or not is_text:
        logger.log(level, "%s", text.removeprefix("otclog: "), exc_info=defect)


class _ToStderr(logging.Handler):
    """A message is written whole, and whatever is wrong with it or its place, nobody who sends one hears of it."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            self._write(self._line(record))

    def _line(self, record: logging.LogRecord) -> str:
        try:
            return f"{self.format(record)}\n"
        except Exception as error:  # noqa: BLE001 -- of its arguments, which are not shown: none of them is masked yet
            what = f"a message cannot be written: {record.msg!r}: {type(error).__name__}"
            plain = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, what, None, None)
            return f"{self.format(plain)}\n"

    def _write(self, line: str) -> None:
        sys.stderr.write(line)
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
            left = memoryview(line.encode("utf-8", "backslashreplace"))
            while left:
                left = left[os.write(self._fd, left) :]
            self._is_told = False
        except OSError as error:
            if not self._is_told:
                self._is_told = True
                why = OSError(error.errno, error.strerror, str(self._path))
                super()._write(f"otclog: {printable(said(why))}: messages go to stderr meanwhile\n")
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


def _json() -> logging.Formatter:
    from structlog.contextvars import merge_contextvars
    from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
    from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name

    program = _program()
    return ProcessorFormatter(
        foreign_pre_chain=[merge_contextvars, add_log_level, add_logger_name, ExtraAdder()],
        processors=[
            lambda _, __, event: {"program": program, "pid": event["_record"].process, **event},
            ProcessorFormatter.remove_processors_meta,
            TimeStamper(fmt="iso", utc=True),
            format_exc_info,
            lambda _, __, event: masked_fields(event),
            JSONRenderer(sort_keys=True),
            lambda _, __, line: str(line).replace("\x7f", "\\u007f"),  # the one control character that JSON leaves
        ],
    )


def _program() -> str:
    """The command by its full name, as `otclog group rewind`; what runs otclog otherwise, by how it was called."""
    context = get_current_context(silent=True)
    return context.command_path if context else " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])


def _no_interrupt(record: logging.LogRecord) -> bool:
    """Py4J logs a Ctrl-C with its traceback before it passes it on; the command says that it was stopped."""
    error = record.exc_info[1] if record.exc_info else None
    while error:
        # Spark's handler of a Ctrl-C asks the JVM to cancel, on the very connection whose answer is being waited for.
        if isinstance(error, KeyboardInterrupt) or str(error).startswith("reentrant call inside"):
            return False
        error = error.__cause__ or error.__context__
    return True
