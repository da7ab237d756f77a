"""What a sandbox is told."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct


class SandboxSettings(Protocol):
    """What `[parsers]` of the settings file says; its class fits."""

    @property
    def sandbox(self) -> Literal["process", "limits", "off"]:
        """`limits` does without the filter of system calls; `off` parses in the caller."""

    @property
    def part_deadline_s(self) -> float:
        """CPU seconds of a part."""

    @property
    def memory_bytes(self) -> int:
        """Address space of the child beyond what the engines take."""

    @property
    def dealers(self) -> Path | None:
        """The dealer table; None is the packaged one."""

    @property
    def securities(self) -> Path | None:
        """The master file of instruments; None: there is none."""


class SandboxOptions(Struct, frozen=True, kw_only=True):
    """Settings for those who have no settings file."""

    sandbox: Literal["process", "limits", "off"] = "process"
    part_deadline_s: float = 60.0
    memory_bytes: int = 2**30
    dealers: Path | None = None
    securities: Path | None = None
