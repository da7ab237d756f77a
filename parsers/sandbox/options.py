"""What a sandbox is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The settings of `[parsers]`, for those who have no settings file."""

    mode: Literal["process", "off"] = "process"  # off: parse in the caller
    part_deadline_s: float = 60.0  # CPU seconds of a part
    memory_bytes: int = 2**30  # address space beyond what the engines take
    dealers: Path | None = None  # None: the packaged table
