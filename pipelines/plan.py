"""What a run is about to do, written down before it does anything, so that a crash anywhere replays the same."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from pipelines.errors import BadSelection
from pipelines.files import private_folder, remove, write_json
from pipelines.ranges import OffsetRange

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_GROUP = re.compile(r"[A-Za-z0-9._-]{1,200}")  # it names files


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: these records, parsed once, into every table."""

    run_id: str  # sorts by time
    kind: Literal["extract", "reparse"]
    group: str | None  # whose offsets move when the run is done; None for reparse
    ranges: tuple[OffsetRange, ...]

    @property
    def records(self) -> int:
        """Offsets in the ranges."""
        return sum(len(each) for each in self.ranges)


def new_plan(kind: Literal["extract", "reparse"], group: str | None, ranges: Iterable[OffsetRange]) -> Plan:
    """A plan with a name of its own."""
    run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    return Plan(run_id, kind, group, tuple(ranges))


def work_name(kind: Literal["extract", "reparse"], group: str | None) -> str:
    """The name of the lease and of the plan's file: one worker and at most one unfinished plan each."""
    if group is None:
        return kind
    if not _GROUP.fullmatch(group):
        raise BadSelection(f"{group!r} is no group's name: letters, digits, '.', '_' and '-' only")
    return f"{kind}-{group}"


class PlanFile:
    """Where an unfinished plan stands."""

    def __init__(self, root: Path, name: str) -> None:
        self._path = root / "_plans" / f"{name}.json"

    def save(self, plan: Plan) -> None:
        """Write it down, durably."""
        private_folder(self._path.parent)
        write_json(self._path, asdict(plan))

    def load(self) -> Plan | None:
        """The unfinished plan, if there is one."""
        try:
            content = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        return Plan(**content | {"ranges": tuple(OffsetRange(**each) for each in content["ranges"])})

    def forget(self) -> None:
        """The plan is done."""
        if self._path.exists():
            remove(self._path)
