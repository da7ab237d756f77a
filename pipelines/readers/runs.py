"""The published runs: one by its id, and those that came later than others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pipelines.tables.store.interface import Store

_CLOCKS = timedelta(days=1)  # that those of two hosts may be apart
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


def runs_since(store: Store, known: Iterable[str], since: datetime) -> list[LaterRun]:
    """Runs that ended after this time, give or take what clocks differ, and are not known.

    Raises NothingPublished, TablesDamaged.
    """
    ended = {"since": since - _CLOCKS}
    with published(store, "runs") as tables:
        rows = list(tables.rows(_LATER, ["ended_ts >= $since"], "run_id", ended))
    left_out = set(known)
    return [LaterRun(**row | {"ranges": ranges_in(row)}) for row in rows if row["run_id"] not in left_out]


def ranges_in(row: dict[str, Any]) -> tuple[OffsetRange, ...]:
    """What the run of this row has read."""
    return tuple(OffsetRange(**each) for each in row["ranges"])
