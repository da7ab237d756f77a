"""What a run does, and what its commits are to name: written down before the first; a crash replays the same."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from parsers.version import parser_version, parsers_alone
from pipelines.errors import BadSelection, TablesDamaged
from pipelines.tables.commits import Change
from pipelines.tables.files import private_folder, remove, write_json
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from parsers.taught import Taught

Kind = Literal["extract", "reparse", "upgrade"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: these records, parsed once, by one parser version, into every table; for an upgrade there are none."""

    run_id: str  # sorts by time
    kind: Kind
    group: str | None  # whose offsets move when the run is done; only of extract
    ranges: tuple[OffsetRange, ...]
    generation: int = 0  # the group's when its offsets were read: who moves it later begins another one
    parser_version: str = ""  # of the process that planned; "" in what versions before 0.2.0 wrote
    taught: str = ""  # SHA-256 of the copy of what users teach, hex: `pipelines.jobs.taught`

    @property
    def is_of_these_parsers(self) -> bool:
        """Whether the parsers of this process made it: others may read the same mails otherwise."""
        return self.parser_version.startswith(f"{parsers_alone()}.")

    @property
    def records(self) -> int:
        """How many offsets there are in the ranges."""
        return sum(len(each) for each in self.ranges)


def new_plan(kind: Kind, group: str | None, ranges: Iterable[OffsetRange], taught: Taught, generation: int = 0) -> Plan:
    """A plan with a name of its own, for the parsers of this process."""
    return Plan(_new_run_id(), kind, group, tuple(ranges), generation, parser_version(taught), taught.digest)


def upgrade_plan() -> Plan:
    """Of no records: whoever finishes it puts the tables back to what is published."""
    return Plan(_new_run_id(), "upgrade", None, (), parser_version=f"{parsers_alone()}.")


def _new_run_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


def is_run_id(text: str) -> bool:
    """Whether a plan of ours may have named a run so."""
    return re.fullmatch(r"\d{8}T\d{6}-[0-9a-f]{8}", text, re.ASCII) is not None


@dataclass(frozen=True, slots=True)
class Writing:
    """A run all of whose files are written, and whose commits are being made."""

    plan: Plan
    row: dict[str, Any]  # of the table `runs`; times as text
    changes: dict[str, Change]  # by table; none of an upgrade, which is put back, nor in what 0.2.0 wrote


def in_writing(root: Path) -> Writing | None:
    """The run whose commits are being made, or were when their writer died. Raises TablesDamaged."""
    path = _path(root)
    try:
        content = json.loads(path.read_text("utf-8"))
        plan = msgspec.convert(content, Plan)
        return Writing(plan, content.get("row", {}), msgspec.convert(content.get("changes", {}), dict[str, Change]))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, AttributeError, BadSelection) as error:
        raise TablesDamaged(
            f"{path} is not the plan that was written ({error!r}): bring it back from a backup, or move it away and do "
            "again what was cut off (`otclog extract` or `otclog reparse`), which replaces all rows of its records"
        ) from error


def start_writing(root: Path, writing: Writing) -> None:
    """Write down, durably, the commits that are about to be made. The caller holds the locks of all tables."""
    private_folder(_path(root).parent)
    content = msgspec.to_builtins(writing)
    write_json(_path(root), content.pop("plan") | content)


def end_writing(root: Path) -> None:
    """Every table is written and published."""
    remove(_path(root))


def _path(root: Path) -> Path:
    return root / "_plans" / "in_writing.json"
