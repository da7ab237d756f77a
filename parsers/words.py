"""The TOML files of words beside the modules that read by them, and the lexicon: read, and checked all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parsers.lexicon import entries
from parsers.lexicon.files import tables

_ROOT = Path(__file__).parent


def words_of(module: str, name: str) -> dict[str, Any]:
    """The tables of `name`.toml beside a module, which is given by its file. Raises WordsBroken, OSError."""
    return tables(Path(module).with_name(f"{name}.toml"))


def check_words() -> int:
    """Read every file of words, before a mail meets them; how many there are. Raises WordsBroken, OSError."""
    files = [tables(file) for file in sorted(_ROOT.rglob("*.toml"))]
    entries()
    return len(files)
