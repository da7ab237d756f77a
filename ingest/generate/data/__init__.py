"""The tables that generated mails are made of."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The content of NAME.toml beside this module."""
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))
