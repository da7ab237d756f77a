"""A quote of a shadow: as it is published, and as it would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.errors import UnknownRecord
from pipelines.jobs.reparsing.changes import queried
from pipelines.jobs.reparsing.shadow import files_among
from pipelines.readers.explain import Explanation, explained
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import WHERE, Chosen, chosen_rows
from pipelines.tables.schemas import QUOTES

if TYPE_CHECKING:
    from log.claims import ClaimStore
    from log.interface import CommitLog
    from parsers.sandbox import SandboxSettings
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.store.interface import Store

_BOTH = ("record_id", "record_id_after")
_FOUND = f"""
SELECT {", ".join(WHERE)}, {", ".join(_BOTH)}, kind, reason FROM differences WHERE "table" = 'quotes'
AND (starts_with(record_id, lower($record_id)) OR starts_with(record_id_after, lower($record_id)))
"""  # noqa: S608 -- constants
_ONE = ("record_id = $record_id", "topic = $topic", "log_partition = $log_partition", "log_offset = $log_offset")


@dataclass(frozen=True, slots=True)
class Sides:
    """One quote, of which a shadow would change something."""

    kind: str  # added, lost, changed
    reason: str
    before: dict[str, Any] | None  # rows of the table quotes
    after: dict[str, Any] | None
    explanation: Explanation  # of the row after it, or of the one that would be lost

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The columns that would be others: `column`, `before`, `after`."""
        before, after = self.before or {}, self.after or {}
        return [
            {"column": name, "before": before.get(name), "after": after.get(name)}
            for name in QUOTES.schema.names
            if before.get(name) != after.get(name)
        ]


def sides(
    store: Store,
    log: CommitLog,
    claims: ClaimStore,
    shadow: Shadow,
    record_id: str,
    *,
    parsers: SandboxSettings | None = None,
) -> Sides:
    """The quote of this record_id, or beginning of one, before or after the shadow.

    Raises UnknownRecord where the shadow would change no such quote, or several; NothingPublished, TablesDamaged.
    """
    found = queried(store, shadow, _FOUND, {"record_id": record_id}) if record_id.strip() else []
    if len({tuple(row[name] for name in _BOTH) for row in found}) != 1:
        what = f"would change {len(found)} quotes whose record_id begins with {record_id}: give more of it"
        none = f"would change no quote of record_id {record_id}; `otclog explain {record_id}` shows it as it is"
        raise UnknownRecord(f"shadow {shadow.id} {what if found else none}")
    row = found[0]
    before = None if row["record_id"] is None else _published(store, row)
    after = None if row["record_id_after"] is None else _in_shadow(store, shadow, row)
    shown = after or before
    if shown is None:
        raise UnknownRecord(f"shadow {shadow.id} was made of rows that are published no more: make it anew")
    return Sides(row["kind"], row["reason"], before, after, explained(log, claims, [shown], parsers))


def _published(store: Store, found: dict[str, Any]) -> dict[str, Any] | None:
    at = {name: found[name] for name in ("record_id", *WHERE)}
    with published(store, "quotes") as tables:
        return next(tables.rows("SELECT * FROM quotes", _ONE, "", at, limit=1), None)


def _in_shadow(store: Store, shadow: Shadow, found: dict[str, Any]) -> dict[str, Any] | None:
    topic, partition, offset = (found[name] for name in WHERE)
    chosen = Chosen([OffsetRange(topic, partition, offset, offset + 1)])
    for file in files_among(shadow.made.files, QUOTES, chosen):
        for batch in chosen_rows(store, QUOTES, file, chosen):
            for row in batch.to_pylist():
                if row["record_id"] == found["record_id_after"]:
                    return dict(row)
    return None
