"""Where the messages of a process go: stderr or a file, as lines of text or JSON (formats.py).

Besides, lines of JSON go to whom they are shared with (`share_messages`), the log's topic `ops`. One that goes to two
places is made once. No message fails: what cannot be written is nobody's error.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol

import typer

from conf.formats import Json, Text
from conf.printable import printable, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from conf.settings import LoggingSettings

Level = Literal["info", "warning"]
ROOMS = ("conf", "ingest", "log", "ops", "parsers", "pipelines")  # of which more is heard than warnings, if told so
logger = logging.getLogger(__name__)


class Sink(Protocol):
    """Who takes lines of JSON besides, of several threads at once. None of these waits for long, or fails."""

    def send(self, *lines: str) -> None:
        """Messages, without the lines' ends."""

    def flush(self) -> None:
        """The process may end now."""

    def close(self) -> None:
        """Nothing more is sent."""


def begin_messages(settings: LoggingSettings) -> None:
    """Messages of this process go where the settings say. Raises OSError, of a file that cannot be written."""
    handler = _ToStderr() if settings.file is None else _ToFile(settings.file)
    handler.setFormatter(Json() if settings.format == "json" else Text(settings.file is not None))
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
    handler.setFormatter(Json())
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
    if (handler is None or isinstance(handler, _ToFile) or isinstance(handler.formatter, Text)) and not defect:
        typer.echo(text, err=True)
    if handler is not None:
        logger.log(level, "%s", text.removeprefix("otclog: "), exc_info=defect)


def say_each(logger: logging.Logger, said: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """A message at level info for each text with its fields, as `logger.info(text, extra=fields)` says one.

    A group of mails is told of so: where all who hear it take lines of JSON, these are made and written together.
    """
    if not logger.isEnabledFor(logging.INFO):
        return
    messages = list(said)
    one = logger.makeRecord(logger.name, logging.INFO, "", 0, "", (), None)
    hearing = [each for each in logging.getLogger().handlers if each.level <= one.levelno and each.filter(one)]
    taking = [(each, form) for each in hearing if isinstance(each, _Lines) and isinstance(form := each.formatter, Json)]
    if len(taking) < len(hearing) or not _are_taken(logger.name, messages, taking):
        for text, fields in messages:
            logger.info("%s", text, extra=fields)


def _are_taken(name: str, said: list[tuple[str, Mapping[str, Any]]], taking: list[tuple[_Lines, Json]]) -> bool:
    """Whether lines could be made of all; then all who take them have them."""
    try:
        lines = taking[0][1].lines(name, said) if taking else []
    except Exception:  # noqa: BLE001 -- of one of them, which is told of by itself
        return False
    for handler, _ in taking:
        handler.take(lines)
    return True


class _Lines(logging.Handler):
    """A message is written whole, and whatever is wrong with it or its place, nobody who sends one hears of it."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            self._write(self._line(record))

    def take(self, lines: list[str]) -> None:
        """Messages that are lines already."""
        self.acquire()
        try:
            with suppress(Exception):
                self._write(*lines)
        finally:
            self.release()

    def _line(self, record: logging.LogRecord) -> str:
        try:
            return self.format(record)
        except Exception as error:  # noqa: BLE001 -- of its arguments, which are not shown: none of them is masked yet
            what = f"a message cannot be written: {record.msg!r}: {type(error).__name__}"
            plain = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, what, None, None)
            return self.format(plain)

    def _write(self, *lines: str) -> None:
        raise NotImplementedError


class _ToSink(_Lines):
    """To whom messages are shared with."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._sink = sink

    def createLock(self) -> None:  # noqa: N802 -- logging's name
        """None: `logging.shutdown` flushes under it, and whoever sends what is flushed may have to speak for that."""
        self.lock = None

    def _write(self, *lines: str) -> None:
        self._sink.send(*lines)

    def flush(self) -> None:
        self._sink.flush()

    def close(self) -> None:
        self._sink.close()
        super().close()


class _ToStderr(_Lines):
    def _write(self, *lines: str) -> None:
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        sys.stderr.flush()


class _ToFile(_ToStderr):
    """To the end of a file that is its owner's alone; one that was rotated away is made anew.

    No line is parted by a write, for several processes may have the file. While it cannot be written they go to stderr.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = str(path)
        self._fd = self._opened()
        self._is_told = False

    def _opened(self) -> int:
        fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        self._own = _inode(os.fstat(fd))
        return fd

    def _write(self, *lines: str) -> None:
        try:
            self._follow()
            left = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
            while left:
                left = left[os.write(self._fd, left) :]
            self._is_told = False
        except OSError as error:
            if not self._is_told:
                self._is_told = True
                why = OSError(error.errno, error.strerror, self._path)
                super()._write(f"otclog: {printable(said(why))}: messages go to stderr meanwhile")
            super()._write(*lines)

    def _follow(self) -> None:
        """Whatever is at the path by now is the file."""
        try:
            is_own = _inode(os.lstat(self._path)) == self._own
        except FileNotFoundError:
            is_own = False
        if not is_own:
            before, self._fd = self._fd, self._opened()
            os.close(before)


def _inode(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _heard_from(level: Level) -> Callable[[logging.LogRecord], bool]:
    """Whether a place takes a message: all from there on, and a command's own words; of no Ctrl-C the traceback."""
    least = logging.INFO if level == "info" else logging.WARNING

    def is_heard(record: logging.LogRecord) -> bool:
        is_said = record.levelno >= least or record.name == __name__
        return is_said and not (record.exc_info and _is_interrupt(record.exc_info[1]))

    return is_heard


def _is_interrupt(error: BaseException | None) -> bool:
    """Py4J logs a Ctrl-C with its traceback before it passes it on; the command says that it was stopped."""
    while error:
        # Spark's handler of a Ctrl-C asks the JVM to cancel, on the very connection whose answer is being waited for.
        if isinstance(error, KeyboardInterrupt) or str(error).startswith("reentrant call inside"):
            return True
        error = error.__cause__ or error.__context__
    return False
