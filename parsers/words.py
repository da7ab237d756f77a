"""The TOML files of words beside the modules that read by them: found, read, and checked all at once."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parent


class WordsBroken(ValueError):
    """A file of words is no TOML; the message names file, line and column."""

    exit_code = 1


def words_of(module: str, name: str) -> dict[str, Any]:
    """The tables of `name`.toml beside a module, which is given by its file. Raises WordsBroken, OSError."""
    return _tables(Path(module).with_name(f"{name}.toml"))


def check_words() -> int:
    """Read every file of words, before a mail meets them; how many there are. Raises WordsBroken, OSError."""
    return len([_tables(file) for file in sorted(_ROOT.rglob("*.toml"))])


def _tables(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WordsBroken(f"{file}: {error}") from error
