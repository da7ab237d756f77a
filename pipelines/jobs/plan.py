"""What a run does, written down before it touches a table: a crash from there on replays the same."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from parsers.version import parser_version, parsers_alone
from pipelines.errors import TablesDamaged
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


def in_writing(root: Path) -> Plan | None:
    """The plan whose tables are being written, or were when their writer died. Raises TablesDamaged."""
    path = _path(root)
    try:
        content = json.loads(path.read_text("utf-8"))
        known = {each.name: content[each.name] for each in fields(Plan) if each.name in content}  # a later otclog adds
        return Plan(**known | {"ranges": tuple(OffsetRange(**each) for each in content["ranges"])})
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise TablesDamaged(
            f"{path} is not the plan that was written ({error!r}): bring it back from a backup, or move it away and do "
            "again what was cut off (`otclog extract` or `otclog reparse`), which replaces all rows of its records"
        ) from error


def start_writing(root: Path, plan: Plan) -> None:
    """Write down, durably, that `plan` is about to write. The caller holds the locks of all tables."""
    private_folder(_path(root).parent)
    write_json(_path(root), asdict(plan))


def end_writing(root: Path) -> None:
    """Every table is written and published."""
    remove(_path(root))


def _path(root: Path) -> Path:
    return root / "_plans" / "in_writing.json"
