"""A line of `otclog status`: what is so of one thing, and how times and places are said in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conf.printable import span

if TYPE_CHECKING:
    from ops.findings import State


@dataclass(frozen=True, slots=True)
class Line:
    """What is so of one thing."""

    what: str  # process, folder, topic, group, records, log, replica, tables, run, rejects, disk, alerts, look
    name: str
    state: State  # warn: to be read, and nothing that wakes anybody
    detail: str
    values: dict[str, Any]  # what `detail` says, for programs; `unknown`: see below

    def row(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"what": self.what, "name": self.name, "state": self.state, "detail": self.detail, **self.values}


def unknown(*whats: str) -> dict[str, dict[str, list[str]]]:
    """As `values` of a line which says that nothing is known of these: patterns, of all of them, by what."""
    return {"unknown": {what: ["*"] for what in whats}}


def shown(path: Path | str) -> str:
    """A path as people read it: from where they stand, if it is below; a URL as it is."""
    if isinstance(path, str):
        return path
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def ago(seconds: float) -> str:
    """How long ago that was, in its largest unit: 12 s ago, 3 min ago."""
    return f"{span(seconds)} ago"


def since(time: datetime) -> float:
    """Seconds since then; 0 of a time to come."""
    return max((datetime.now(UTC) - time).total_seconds(), 0.0)


def utc(seconds: float) -> datetime:
    """Unix seconds as a time."""
    return datetime.fromtimestamp(seconds, UTC)
