"""Maintain: many small files into few, and what readers can see no longer goes. No row is changed.

The order of durable effects; each is repeated without harm:
 1. a run that was cut off is finished, or put back, as whoever writes does it first
 2. tasks write the files that are to stand for many; no commit names them yet, so the tables may go on meanwhile
 3. by the holder of the tables, those alone whose rows still lie where they were read are committed, each table in one
    commit with a checkpoint behind it, and published, as a run's are; who dies amid it is finished as a run is
 4. old publications go, but the newest ones
 5. data files go that nothing names any more: those that the old publications alone showed, and what tasks left that
    died or were done twice. By the holder of the tables, who has looked again what is named
 6. of each log the entries go from before the checkpoint that the oldest publication's version stands on
 7. unfinished files go
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipelines.errors import LeaseLost, TablesDamaged
from pipelines.jobs.plan import maintain_plan
from pipelines.jobs.recovery import discarded_when_it_fails, finish
from pipelines.jobs.reparsing.shadow import drop_old, old
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.upkeep.compaction import Compacted, compact, parts_due
from pipelines.jobs.upkeep.garbage import Garbage, collect, found
from pipelines.tables.locks import maintaining
from pipelines.tables.publication import oldest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from conf.settings import Settings


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a maintain did, or would do."""

    rewritten: int = 0  # small data files whose rows were put into larger ones
    into: int = 0  # the larger ones
    left: int = 0  # small data files that another process replaced meanwhile: for the next time
    shadows: int = 0  # dropped: they are old, or were published
    publications: int = 0  # removed
    files: int = 0  # data files that were removed, since nothing names them
    bytes: int = 0  # of these
    log_entries: int = 0  # files of Delta's logs that were removed
    publication: int | None = None  # that shows the new files


@spark_errors_as_pipeline_errors()
def maintain(settings: Settings) -> Upkeep:
    """Do all that is due; where there are no tables that is nothing.

    Raises TableBusy where another maintain goes on, or a run commits for very long; TablesDamaged, SchemaDiffers,
    NotConserved, JobFailed, JobCutOff: what was done until then stands. A data file that is damaged is told of when all
    that needs it not is done.
    """
    store, plan = store_of(settings.tables), maintain_plan()
    if oldest(store) is None:
        return Upkeep()
    with maintaining(store), staging_folder(store, plan.run_id) as staging:
        finish(settings)
        with discarded_when_it_fails(store, plan):
            compacted = compact(settings, store, plan)
        held = [each.written_at for each in store.list(staging)]  # by the store's clock
        if not held:
            raise LeaseLost(
                f"another process took {store.uri(staging)} for that of a dead one while this one stood still"
            )
        now = max(held)
        dropped = drop_old(store, now - timedelta(seconds=settings.reparse.shadow_keep_s))
        done = _told(compacted, collect(store, settings.tables, now), len(dropped))
        if compacted.damage:
            raise TablesDamaged("; ".join(compacted.damage))
        return done


def to_do(settings: Settings) -> Upkeep:
    """What there is to do, as far as can be seen; changes nothing. Raises TablesDamaged, SchemaDiffers."""
    store = store_of(settings.tables)
    if oldest(store) is None:
        return Upkeep()
    parts = parts_due(store)
    compacted = Compacted(sum(len(part.files) for part in parts), len(parts))
    now = datetime.now(UTC)
    outdated = old(store, now - timedelta(seconds=settings.reparse.shadow_keep_s))
    return _told(compacted, found(store, settings.tables, now), len(outdated))


def _told(compacted: Compacted, garbage: Garbage, shadows: int) -> Upkeep:
    return Upkeep(
        shadows=shadows,
        rewritten=compacted.rewritten,
        into=compacted.into,
        left=compacted.left,
        publications=len(garbage.publications),
        files=len(garbage.files),
        bytes=sum(each.size for each in garbage.files),
        log_entries=len(garbage.log_entries),
        publication=compacted.publication,
    )
