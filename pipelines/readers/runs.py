"""The published runs: one by its id, the one that wrote a row, and those that came later than others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.errors import BadSelection
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.replacing import WHERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipelines.tables.publication import Publication
    from pipelines.tables.published import Published
    from pipelines.tables.store.interface import Store

_OF_RECORDS = "SELECT run_id, kind FROM (SELECT run_id, kind, publication, unnest(ranges, recursive := true) FROM runs)"
_OF_RECORD = ("topic = $topic", '"partition" = $log_partition', "start <= $log_offset", "stop > $log_offset")
_LAST_OF_EACH = """
SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY kind, "group" ORDER BY started_ts DESC, run_id DESC) AS nth FROM runs
)
"""
_LATER = "SELECT run_id, kind, parser_version, ranges, undoes FROM runs"
FILTERS = {
    "kind": "kind = $kind",
    "group": '"group" = $group',
    "since_day": "started_ts >= $since_day::DATE::TIMESTAMP AT TIME ZONE 'UTC'",
}


@dataclass(frozen=True, slots=True)
class LaterRun:
    """One that was published later than what is asked about."""

    run_id: str
    kind: str
    parser_version: str
    ranges: tuple[OffsetRange, ...]
    undoes: str | None


def runs(store: Store, filters: Mapping[str, Any], limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The published runs, all columns, the last begun first; `filters` are named as FILTERS, None is no filter.

    Raises NothingPublished, TablesDamaged.
    """
    chosen = {name: value for name, value in filters.items() if value is not None}
    with published(store, "runs") as tables:
        where = [FILTERS[name] for name in chosen]
        yield from tables.rows("SELECT * FROM runs", where, "started_ts DESC, run_id DESC", chosen, limit)


def last_runs(store: Store) -> list[dict[str, Any]]:
    """Of each kind of run, and of extractions of each group, the published one that began last, the latest first.

    Raises NothingPublished, TablesDamaged.
    """
    with published(store, "runs") as tables:
        return list(tables.rows(_LAST_OF_EACH, ["nth = 1"], "started_ts DESC, run_id DESC", {}))


def run_of(store: Store, run_id: str) -> dict[str, Any] | None:
    """The row of the published run of this id; None where there is none. Raises NothingPublished, TablesDamaged."""
    with published(store, "runs") as tables:
        return next(tables.rows("SELECT * FROM runs", ["run_id = $run_id"], "", {"run_id": run_id}), None)


def run_named(store: Store, run_id: str) -> dict[str, Any]:
    """The row of the published run of this id, or of this beginning of one.

    Raises BadSelection where there is none, or several; NothingPublished, TablesDamaged.
    """
    with published(store, "runs") as tables:
        rows = tables.rows(
            "SELECT * FROM runs", ["starts_with(run_id, $run_id)"], "run_id", {"run_id": run_id}, limit=2
        )
        found = list(rows) if run_id else []
    if len(found) > 1:
        raise BadSelection(f"several published runs begin with {run_id}: give more of the id")
    if not found:
        raise no_run(run_id)
    return found[0]


def no_run(run_id: str) -> BadSelection:
    """What to say where no published run has this id."""
    return BadSelection(
        f"no published run is {run_id or 'of no name'}; `otclog runs` lists them, `otclog explain` names the run that "
        "wrote a price"
    )


def writer_of(tables: Published, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """`run_id` and `kind` of the run that wrote the rows of a record; `tables` has the table `runs`."""
    at = {name: record[name] for name in WHERE}
    return next(tables.rows(_OF_RECORDS, _OF_RECORD, "publication DESC NULLS LAST, run_id DESC", at, limit=1), None)


def runs_since(store: Store, publication: Publication) -> list[LaterRun]:
    """The runs that later publications show, in their order. Raises NothingPublished, TablesDamaged.

    No clock is asked. Where an upgrade was published amid a run, the run's row has the number of that one.
    """
    later = {"number": publication.number, "own": publication.run_id}
    with published(store, "runs") as tables:
        rows = tables.rows(_LATER, ["publication >= $number", "run_id != $own"], "publication, run_id", later)
        return [LaterRun(**row | {"ranges": ranges_in(row)}) for row in rows]


def took_s(row: Mapping[str, Any]) -> float:
    """Seconds that the run of this row worked: how long its shadow waited to be executed does not count."""
    return float(row["parse_s"] + row["write_s"])


def ranges_in(row: dict[str, Any]) -> tuple[OffsetRange, ...]:
    """What the run of this row has read."""
    return tuple(OffsetRange(**each) for each in row["ranges"])
