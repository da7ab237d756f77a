"""The published runs: one by its id, and those that came later than others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store

_LATER = "SELECT run_id, kind, parser_version, ranges FROM runs"


@dataclass(frozen=True, slots=True)
class LaterRun:
    """One that was published later than what is asked about."""

    run_id: str
    kind: str
    parser_version: str
    ranges: tuple[OffsetRange, ...]


def run_of(store: Store, run_id: str) -> dict[str, Any] | None:
    """The row of the published run of this id; None where there is none. Raises NothingPublished, TablesDamaged."""
    with published(store, "runs") as tables:
        return next(tables.rows("SELECT * FROM runs", ["run_id = $run_id"], "", {"run_id": run_id}), None)


def runs_since(store: Store, publication: Publication) -> list[LaterRun]:
    """The runs that later publications show, in their order. Raises NothingPublished, TablesDamaged.

    No clock is asked. Where an upgrade was published amid a run, the run's row has the number of that one.
    """
    later = {"number": publication.number, "own": publication.run_id}
    with published(store, "runs") as tables:
        rows = tables.rows(_LATER, ["publication >= $number", "run_id != $own"], "publication, run_id", later)
        return [LaterRun(**row | {"ranges": ranges_in(row)}) for row in rows]


def ranges_in(row: dict[str, Any]) -> tuple[OffsetRange, ...]:
    """What the run of this row has read."""
    return tuple(OffsetRange(**each) for each in row["ranges"])
