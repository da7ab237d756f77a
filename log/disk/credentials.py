"""Secrets out of a file that is its owner's alone. Nothing here ever shows a value."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from log.disk.files import FILE_MODE

if TYPE_CHECKING:
    from pathlib import Path

_OTHERS = 0o077  # mode bits of group and world
_LINE_END = re.compile(r"\r\n|\n|\r")  # no other: a password may have what Unicode takes for the end of a line
_LINE = re.compile(r"(?:export\s+)?(\w+)\s*=\s*(.*)")


def read_credentials(file: Path, setting: str, names: re.Pattern[str], wanted: str) -> dict[str, str]:
    """Lines NAME=value; blank ones and comments are left out, quotes around a value are taken off.

    `setting` is the one that names the file, `wanted` says in words which names there are. Raises ValueError where the
    file cannot be read, may be reached by others, or has a line of another form or name.
    """
    found = {}
    for number, line in enumerate(_LINE_END.split(private_text(file, setting)), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            parsed = _LINE.fullmatch(text)
            if parsed is None or not names.fullmatch(parsed[1]):
                raise ValueError(f"{file}, line {number}: a line is NAME=value, and NAME {wanted}")
            found[parsed[1]] = _unquoted(parsed[2])
    return found


def private_text(file: Path, setting: str) -> str:
    """Of the very file whose mode was looked at. Raises ValueError as above."""
    try:
        with file.open("rb") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            if mode & _OTHERS:
                raise ValueError(f"{file} is open to others (mode {mode:o}): chmod {FILE_MODE:o} {file}")
            return opened.read().decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not a text in UTF-8; {setting} names this file") from None
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}; {setting} names this file") from error


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
