"""A file of words, read; a slip in it is told with its file and line."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


class WordsBroken(ValueError):
    """A file of words cannot be used; the message names file and line."""

    exit_code = 1


def tables(file: Path) -> dict[str, Any]:
    """What a file says. Raises WordsBroken, OSError."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WordsBroken(f"{file}: {error}") from error


def line_of(file: Path, *heads: str) -> int:
    """1-based number of the first line that begins with one of these; 1 where none does."""
    lines = enumerate(file.read_text("utf-8").splitlines(), 1)
    return next((number for number, line in lines if line.startswith(heads)), 1)
