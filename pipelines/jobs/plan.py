"""What a run does, and what its commits are to name: written down before the first; a crash replays the same."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from parsers.version import parser_version, parsers_alone
from pipelines.errors import BadSelection, Changed, LeaseLost, NotStored, TablesDamaged
from pipelines.tables.commits import Change
from pipelines.tables.publication import Publication
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.versions import ADDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from parsers.taught import Taught
    from pipelines.tables.store.interface import Store, Tag

Kind = Literal["extract", "reparse", "undo", "upgrade", "maintain"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: these records, parsed once, by one parser version, into every table; of some kinds there are none."""

    run_id: str  # sorts by time
    kind: Kind
    group: str | None  # whose offsets move when the run is done; only of extract
    ranges: tuple[OffsetRange, ...]
    generation: int = 0  # the group's when its offsets were read: who moves it later begins another one
    parser_version: str = ""  # of the process that planned; "" in what versions before 0.2.0 wrote
    taught: str = ""  # SHA-256 of the copy of what users teach, hex: `pipelines.jobs.taught`
    topics: dict[str, str] = field(default_factory=dict, hash=False)  # the id of each; {} in what 0.2.0 wrote
    selection: str | None = None  # what a reparse was told to choose, as JSON
    shadow_of: int | None = None  # the publication that its shadow was compared with
    override_reason: str | None = None  # why it is published though the gate had stopped it
    undoes: str | None = None  # the run whose rows it puts back

    @property
    def is_of_these_parsers(self) -> bool:
        """Whether the parsers of this process made it: others may read the same mails otherwise."""
        return self.parser_version.startswith(f"{parsers_alone()}.")

    @property
    def records(self) -> int:
        """How many offsets there are in the ranges."""
        return sum(len(each) for each in self.ranges)


def new_plan(
    kind: Kind,
    group: str | None,
    ranges: Iterable[OffsetRange],
    taught: Taught,
    generation: int = 0,
    *,
    topics: Mapping[str, str] | None = None,
    selection: str | None = None,
) -> Plan:
    """A plan with a name of its own, for the parsers of this process."""
    return Plan(
        new_run_id(),
        kind,
        group,
        tuple(ranges),
        generation,
        parser_version(taught),
        taught.digest,
        dict(topics or {}),
        selection,
    )


def upgrade_plan() -> Plan:
    """Of no records: whoever finishes it puts the tables back to what is published."""
    return Plan(new_run_id(), "upgrade", None, (), parser_version=f"{parsers_alone()}.")


def maintain_plan() -> Plan:
    """Of no records: its commits put the same rows into other files, whatever the parsers of who finishes it."""
    return Plan(new_run_id(), "maintain", None, (), parser_version=f"{parsers_alone()}.")


def new_run_id() -> str:
    """A name that no other run has."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


RUN_ID_LENGTH = 24  # characters: 20261124T081500-0123abcd


def is_run_id(text: str) -> bool:
    """Whether a plan of ours may have named a run so."""
    return re.fullmatch(r"\d{8}T\d{6}-[0-9a-f]{8}", text, re.ASCII) is not None


NAME = "_plans/in_writing.json"


@dataclass(frozen=True, slots=True)
class Intent:
    """The commits that are about to be made, of a run all of whose files are written: whoever finds it makes them."""

    plan: Plan
    row: dict[str, Any]  # of the table `runs`; times as text; {} of a maintain, which has none
    changes: dict[str, Change]  # by table; none of an upgrade, which is put back, nor in what 0.2.0 wrote
    on: Publication | None = None  # the newest when they were planned: they fit no other state; None: 0.2.0 says none


class IntentFile:
    """`_plans/in_writing.json`, which says whose commits are being made: for the holder of the tables.

    Whoever writes it replaces what he saw when he began to hold them: one that stood still meanwhile, and is no holder
    any more, finds another content there.
    """

    def __init__(self, store: Store) -> None:
        """Read it. Raises TablesDamaged."""
        self._store = store
        self.intent, self._tag = _read(store)

    def start(self, intent: Intent) -> None:
        """Write down, durably, the commits that are about to be made. Raises LeaseLost."""
        self._replace(_as_written(intent))
        self.intent = intent

    def end(self) -> None:
        """Every table is written and published, or put back. Raises LeaseLost."""
        ended = self.intent.plan.run_id if self.intent else None
        self._replace({"ended": ended, "id": secrets.token_hex(8)})
        self.intent = None

    def _replace(self, content: dict[str, Any]) -> None:
        data = json.dumps(content, indent=1).encode()
        try:
            self._tag = self._store.swap(NAME, data, self._tag) if self._tag else self._store.put_new(NAME, data)
        except (Changed, FileExistsError):
            raise LeaseLost(
                f"another process has replaced {self._store.uri(NAME)} while this one stood still"
            ) from None


def in_writing(store: Store) -> Intent | None:
    """The run whose commits are being made, or were when their writer died. Raises TablesDamaged."""
    return _read(store)[0]


def _read(store: Store) -> tuple[Intent | None, Tag | None]:
    try:
        data, tag = store.tagged(NAME)
    except NotStored:
        return None, None
    try:
        content = json.loads(data)
        if "ended" in content:
            return None, tag
        plan = msgspec.convert(content, Plan)
        changes = msgspec.convert(content.get("changes", {}), dict[str, Change])
        intent = Intent(plan, content.get("row", {}), changes, msgspec.convert(content.get("on"), Publication | None))
    except (ValueError, TypeError, AttributeError, BadSelection) as error:
        raise TablesDamaged(
            f"{store.uri(NAME)} is not the plan that was written ({error!r}): if a later otclog wrote it, use that; "
            "else bring it back from a backup, or move it away and do again what was cut off (`otclog extract` or "
            "`otclog reparse`), which replaces all rows of its records"
        ) from error
    if set(changes) <= set(ADDED) and _says(_as_written(intent), content):
        return intent, tag
    return replace(intent, changes={}), tag  # a later otclog's, of which this one would do a part: it is put back


def _as_written(intent: Intent) -> dict[str, Any]:
    content: dict[str, Any] = msgspec.to_builtins(intent)
    plan: dict[str, Any] = content.pop("plan")
    return plan | content


def _says(known: Any, content: Any) -> bool:
    """Whether what is known of a content is all of it."""
    if isinstance(known, dict) and isinstance(content, dict):
        return all(name in known and _says(known[name], each) for name, each in content.items())
    if isinstance(known, list | tuple) and isinstance(content, list):
        return len(known) == len(content) and all(map(_says, known, content))
    return bool(known == content)
