"""The TOML files of words beside the modules that read by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parsers.lexicon.files import tables


def words_of(module: str, name: str) -> dict[str, Any]:
    """The tables of `name`.toml beside a module, which is given by its file. Raises WordsBroken, OSError."""
    return tables(Path(module).with_name(f"{name}.toml"))
