"""A master file as rows of text: CSV or Parquet, with limits before work."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from parsers.securities.errors import SecuritiesError

MOST_BYTES = 128 * 2**20
MOST_ROWS = 300_000
MOST_LETTERS = 200  # of a cell
SWELLS_TO = 512 * 2**20
"""Bytes that a Parquet file may say that its columns unpack to, and that its rows may come to."""
MEMORY_BYTES = 2**30
"""Address space for who unpacks it, beyond what that needs for itself."""
_PARQUET = b"PAR1"
_SEPARATORS = ",;\t"
_ROOT = Path(__file__).resolve().parents[2]
_UNPACKING = Path(__file__).with_name("unpacking.py")

Row = tuple[str, Mapping[str, str]]
"""Where it stands, as `line 17`, and its cells by column; those without text are left out."""


def content_of(path: Path) -> bytes:
    """The bytes of a master file. Raises SecuritiesError for what is no file or too large, OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # nobody waits for who writes to a pipe
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SecuritiesError(f"{path}: is no file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise SecuritiesError(f"{path}: has more than {MOST_BYTES >> 20} MiB")
    return content


def rows_of(content: bytes, columns: Collection[str]) -> Iterator[Row]:
    """The rows of a CSV or Parquet file, of these columns those that it has.

    Raises SecuritiesError, whose message leaves the file's name to the caller.
    """
    found = _parquet_rows if content[: len(_PARQUET)] == _PARQUET else _csv_rows
    for count, row in enumerate(found(content, columns)):
        if count == MOST_ROWS:
            raise SecuritiesError(f"has more than {MOST_ROWS} rows")
        yield row


def _csv_rows(content: bytes, columns: Collection[str]) -> Iterator[Row]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SecuritiesError(f"line {line}: is not in UTF-8") from error
    first = text[: text.find("\n")] if "\n" in text else text
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        names = _known(next(reader, []), columns)
        while True:
            line = reader.line_num + 1
            cells = next(reader, None)
            if cells is None:
                return
            if any(cells):
                yield f"line {line}", _row(names, cells, f"line {line}")
    except csv.Error as error:
        raise SecuritiesError(f"line {line}: {error}") from error


def _parquet_rows(content: bytes, columns: Collection[str]) -> Iterator[Row]:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:  # no pipe waits for another
        given.write(content)
        given.seek(0)
        unpacking = _unpacking(columns, given, told)
        try:
            yield from _told_rows(unpacking.stdout or (), columns)
            code = unpacking.wait()
        finally:
            unpacking.kill()  # who asked may want no more rows
            unpacking.communicate()
        if code:
            told.seek(0)
            *_, why = told.read().decode("utf-8", "replace").splitlines() or [f"its reader ended with {code}"]
            raise SecuritiesError(why)


def _unpacking(columns: Iterable[str], given: IO[bytes], told: IO[bytes]) -> subprocess.Popen[bytes]:
    # Arrow's own pools take address space in advance, malloc takes what is asked for.
    environment = {"LC_ALL": "C.UTF-8", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    command = [sys.executable, "-I", str(_UNPACKING), str(_ROOT), str(MEMORY_BYTES), str(SWELLS_TO), *columns]
    return subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=told, env=environment)


def _told_rows(lines: Iterable[bytes], columns: Collection[str]) -> Iterator[Row]:
    """The rows of what is unpacked, a line at a time: all of it is far more than its file."""
    names = None
    for number, line in enumerate(lines):
        if not line.endswith(b"\n"):  # its writer was ended
            return
        texts = json.loads(line)
        if names is None:
            names = _known(texts, columns)
        else:
            yield f"row {number}", _row(names, texts, f"row {number}")


def _known(heads: Sequence[str], columns: Collection[str]) -> list[str]:
    """The names of a header, '' of columns that nobody asks for."""
    names = [head.strip().lower() for head in heads]
    for name in columns:
        if names.count(name) > 1:
            raise SecuritiesError(f"has the column {name} twice")
    return [name if name in columns else "" for name in names]


def _row(names: Sequence[str], cells: Sequence[str], place: str) -> dict[str, str]:
    if len(cells) > len(names):
        raise SecuritiesError(f"{place}: has {len(cells)} cells under {len(names)} headings")
    found = {name: text for name, cell in zip(names, cells, strict=False) if name and (text := cell.strip())}
    for name, text in found.items():
        if len(text) > MOST_LETTERS or not text.isprintable():
            raise SecuritiesError(f"{place}: {name} is no text of at most {MOST_LETTERS} letters")
    return found
