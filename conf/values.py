"""Of which form a value of the settings is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

STRICT_KEYS = ConfigDict(extra="forbid")

Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
Bytes = Annotated[int, Field(ge=1, le=2**50)]
Seconds = Annotated[float, Field(gt=0, le=10 * 366 * 86_400)]  # ten years: the clocks of the system end somewhere
Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(pattern=r"^[a-zA-Z0-9._-]{1,249}$")]  # log.topic_rules.NAME, held to it by a test
Memory = Annotated[str, Field(pattern=r"^\d+[mg]$")]
Port = Annotated[int, Field(ge=0, le=65_535)]  # 0: any
Url = Annotated[str, Field(pattern="://")]


def no_nul(path: Path) -> Path:
    """A path that the system takes. Raises ValueError."""
    if "\0" in str(path):
        raise ValueError("no file's name has a NUL")
    return path


File = Annotated[Path, AfterValidator(no_nul)]
