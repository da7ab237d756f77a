"""Make a shadow: parse into files that nothing names, and say which rows would be others."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from parsers.taught import Taught
from parsers.version import parser_version
from pipelines.errors import NotStored, TableBusy
from pipelines.jobs.parse_step import warm_up
from pipelines.jobs.plan import new_plan
from pipelines.jobs.recovery import discarded_when_it_fails, finish_own
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.shadows import Level, Shadow
from pipelines.jobs.run import made_of, sliced
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.staging import goes_on, spare, staging_folder
from pipelines.jobs.topics import ids_of, require_rows_of
from pipelines.jobs.writing import discard, replaced
from pipelines.readers.differences import SCHEMA, differences, levels
from pipelines.readers.runs import run_of
from pipelines.readers.selection import require_kept
from pipelines.tables.locks import WAIT_S, hold_tables
from pipelines.tables.publication import latest, require_tables, table_of
from pipelines.tables.replacing import WHERE, Chosen, StoredFile, candidates, chosen_rows
from pipelines.tables.schemas import OUTCOMES
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import deltalake

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.made import Files, Made
    from pipelines.jobs.plan import Plan
    from pipelines.tables.ranges import OffsetRange
    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Store

COMPARED_MAILS = 5_000  # at once: rows of before and after of mails with 3 quotes each took 264 MB, of 20,000 580


@spark_errors_as_pipeline_errors()
def make(
    settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange], selection: str, taught: Taught | None = None
) -> Shadow:
    """Read these records again, into a shadow. `selection` says what was asked for, as JSON.

    By what users teach now, or would teach by `taught`.

    What was cut off before is finished first: it would change the rows that the shadow is compared with. Raises
    NothingToRead, NothingPublished, what `Taught.load` raises, and as a run: nothing is left of it then.
    """
    store, spark = store_of(settings.tables), partial(spark_session, settings)
    finish_own(settings, lambda _: True)
    topics = require_rows_of_records(log, store, ranges)
    taught = taught or Taught.load(settings.parsers)
    plan = new_plan("reparse", None, ranges, taught, topics=topics, selection=selection)
    require_kept(log, ranges)
    require_tables(store)
    with staging_folder(store, plan.run_id) as staging, _gone_when_it_fails(store, plan):
        made = made_of(settings, log, plan, taught, staging)
        with hold_tables(store):
            spare(store, staging, base := latest(store))
        tables = {table.name: table_of(store, base, table.name) for table in OUTCOMES}
        left = replaced(spark, store, tables, plan, {})
        counted = _write_differences(store, plan, tables, made)
        store.put(shadows.name_of(plan.run_id, shadows.TAUGHT), bytes(taught.content))
        shadow = Shadow(
            replace(plan, shadow_of=base.number),
            base,
            made,
            tuple((table, each) for (table, _), each in left.items()),
            counted,
            datetime.now(UTC),
        )
        with hold_tables(store) as hold:
            shadows.add(store, hold, shadow)
    return shadow


def expect(settings: Settings) -> None:
    """Before records are looked up: let a parser start meanwhile, which a small selection will not have to wait for.

    Raises as `Taught.load`.
    """
    if settings.extract.small_mails:
        taught = Taught.load(settings.parsers)
        warm_up(settings, taught, parser_version(taught))


def require_rows_of_records(log: CommitLog, store: Store, ranges: Iterable[OffsetRange]) -> dict[str, str]:
    """See, before any is parsed, that rows of these records could be replaced; their topics' ids.

    Raises NothingToRead where there is no such topic, NothingPublished, OtherLog where it was made anew since.
    """
    topics = ids_of(log, {each.topic for each in ranges})
    require_rows_of(store, latest(store), topics)
    return topics


def drop(store: Store, shadow_id: str) -> None:
    """Remove a shadow, and those of its files that no commit names. Raises TableBusy while one is being published."""
    with shadows.held(store, WAIT_S):
        _drop(store, shadow_id)


def _drop(store: Store, shadow_id: str) -> None:
    """The caller holds the shadows."""
    shadows.forget(store, shadow_id)
    discard(store, shadow_id)


def old(store: Store, before: datetime) -> list[str]:
    """The ids of those made before this, and of those that were published, whose driver died before it ended them."""
    return [each.id for each in shadows.all_of(store) if each.made_at < before or run_of(store, each.id)]


def drop_old(store: Store, before: datetime) -> list[str]:
    """Drop the old ones, and what drivers that died have left of others; the ids of the old ones.

    None while somebody publishes or drops one: the next time will do.
    """
    try:
        with shadows.held(store):
            found = old(store, before)
            dead = {run_id for run_id in shadows.unfinished(store) if not goes_on(store, run_id)}
            dead &= shadows.unfinished(store)  # its driver may have finished one since it was listed, and then ended
            for shadow_id in (*found, *dead):
                _drop(store, shadow_id)
    except TableBusy:
        return []
    return found


def taught_of(store: Store, shadow: Shadow) -> Taught:
    """What it was parsed by. Raises TablesDamaged."""
    name = shadows.name_of(shadow.id, shadows.TAUGHT)
    try:
        found = Taught.decode(store.get(name))
    except NotStored:
        raise shadows.damaged(store, name, "it is gone") from None
    except msgspec.MsgspecError as error:
        raise shadows.damaged(store, name, f"it is not what was written: {error}") from error
    if found.digest != shadow.plan.taught:
        raise shadows.damaged(store, name, "it is not what was written")
    return found


def _write_differences(
    store: Store, plan: Plan, tables: dict[str, deltalake.DeltaTable], made: Made
) -> tuple[Level, ...]:
    """Compare a slice of the records at a time: their rows are in memory. How many quotes there are on each side."""
    counted: Counter[tuple[str | None, str, str]] = Counter()
    name = shadows.name_of(plan.run_id, shadows.DIFFERENCES)
    with store.open_write(name) as to, pq.ParquetWriter(to, SCHEMA, compression="zstd") as file:
        for part in sliced(plan.ranges, COMPARED_MAILS):
            chosen = Chosen(part)
            before, after = {}, {}
            for table in OUTCOMES:
                before[table.name] = _table(store, table, candidates(tables[table.name], chosen), chosen)
                after[table.name] = _table(store, table, files_among(made.files, table, chosen), chosen)
            file.write_table(differences(before, after))
            counted.update(levels(before["quotes"], after["quotes"]))
    places = sorted({(dealer or "", asset_class) for dealer, asset_class, _ in counted})
    return tuple(
        Level(dealer or None, asset, counted[dealer or None, asset, "before"], counted[dealer or None, asset, "after"])
        for dealer, asset in places
    )


def files_among(files: Files, table: Table, chosen: Chosen) -> list[StoredFile]:
    """Those that may hold rows of chosen records, by the statistics that their writers gave back."""
    found = []
    for file in files[table.name]:
        told = msgspec.json.decode(file.statistics)
        least, most = ([told.get(kind, {}).get(name) for name in WHERE] for kind in ("minValues", "maxValues"))
        if chosen.may_be_in(least, most):
            found.append(StoredFile(file.path, file.size, file.day))
    return found


def _table(store: Store, table: Table, files: Iterable[StoredFile], chosen: Chosen) -> pa.Table:
    rows = (batch for file in files for batch in chosen_rows(store, table, file, chosen))
    return pa.Table.from_batches(rows, table.arrow_schema())


@contextmanager
def _gone_when_it_fails(store: Store, plan: Plan) -> Iterator[None]:
    with discarded_when_it_fails(store, plan):
        try:
            yield
        except BaseException:
            store.delete_folder(f"{shadows.FOLDER}/{plan.run_id}")
            raise
