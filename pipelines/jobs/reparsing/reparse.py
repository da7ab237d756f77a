"""Reparse: chosen records again, with the parsers of today; their rows are replaced, all others stay.

Each is a shadow first, whose differences the gate looks at. To publish it is to have commits name its files: nothing is
parsed again, and of the tables' files only those are rewritten that other runs have written meanwhile.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from parsers.taught import Taught
from parsers.version import parser_version
from pipelines.errors import NotAllowed, Overtaken, ShadowOutdated
from pipelines.jobs.committing import Summary
from pipelines.jobs.recovery import discarded_when_it_fails, finish_own
from pipelines.jobs.reparsing import shadow as making
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.gate import tripped
from pipelines.jobs.run import commit_made
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.taught import keep
from pipelines.jobs.topics import require_same
from pipelines.jobs.writing import replaced
from pipelines.readers.runs import run_of, runs_since
from pipelines.readers.selection import kept
from pipelines.tables.datafiles import Reader
from pipelines.tables.locks import WAIT_S
from pipelines.tables.publication import latest, standing, table_of
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, intersected
from pipelines.tables.replacing import WHERE, Chosen, candidates
from pipelines.tables.schemas import MAILS
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.store.interface import Store

_SUMMED = ("size_bytes", "parts", "quotes", "rejects")  # columns of `mails`
_PACE = """
SELECT sum(parse_s + write_s) / sum(mails) AS s_a_mail, min(parse_s + write_s) AS least_s
FROM (SELECT * FROM runs WHERE mails > 0 AND kind IN ('extract', 'reparse') ORDER BY run_id DESC LIMIT 20)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a reparse would do: counts of today's rows that it would replace."""

    records: int
    gone: int  # of the records, those that the log does not have any more
    mails: int  # of the records, those extracted before
    bytes: int  # of these mails
    parts: int
    quotes: int
    rejects: int
    expected_s: float | None  # by the last runs' pace, no less than the shortest took; None where there is none
    ranges: tuple[OffsetRange, ...]


def preview(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Preview:
    """Count, and change nothing. Raises NothingToRead, NothingPublished, OtherLog."""
    store = store_of(settings.tables)
    making.require_rows_of_records(log, store, ranges)
    remaining = sum(map(len, kept(log, ranges)))
    with published(store, "runs") as tables:
        pace = next(tables.rows(_PACE, [], "1", {}))
    sums, records = _totals(store, Chosen(ranges)), sum(map(len, ranges))
    return Preview(
        records=records,
        gone=records - remaining,
        expected_s=None if pace["s_a_mail"] is None else round(max(pace["least_s"], pace["s_a_mail"] * remaining), 1),
        ranges=tuple(ranges),
        mails=sums["mails"],
        bytes=sums["size_bytes"],
        parts=sums["parts"],
        quotes=sums["quotes"],
        rejects=sums["rejects"],
    )


def _totals(store: Store, chosen: Chosen) -> Counter[str]:
    """Of the published mails that are chosen: how many there are, and the sums of _SUMMED."""
    sums: Counter[str] = Counter()
    for of in candidates(table_of(store, latest(store), MAILS.name), chosen):
        with Reader(store, f"{MAILS.name}/{of.path}") as file:
            for batch in file.batches([*WHERE, *_SUMMED], file.groups(WHERE, chosen.may_be_in)):
                found = batch.filter(pa.array(chosen.among(batch)))
                sums[MAILS.name] += found.num_rows
                sums.update({name: pc.sum(found.column(name)).as_py() or 0 for name in _SUMMED})
    return sums


def reparse(
    settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange], selection: str = "", override: str | None = None
) -> Summary:
    """Make a shadow and execute it: one run, and one publication, of any size.

    Where the same was cut off while it was being published it is finished instead. Raises as `make` and `execute`;
    where the gate stops it the shadow stays, so that its differences can be looked at. Overtaken by a run that has
    written rows of its records meanwhile nothing of it stays.
    """
    wanted = "reparse", tuple(ranges), selection
    if finished := finish_own(settings, lambda plan: (plan.kind, plan.ranges, plan.selection) == wanted):
        _end(store_of(settings.tables), finished.plan.run_id)
        return finished
    shadow = making.make(settings, log, ranges, selection)
    try:
        return execute(settings, log, shadow, override)
    except ShadowOutdated as error:
        making.drop(store_of(settings.tables), shadow.id)
        raise Overtaken(error.why) from error


@spark_errors_as_pipeline_errors()
def execute(settings: Settings, log: CommitLog, shadow: Shadow, override: str | None = None) -> Summary:
    """Publish the shadow, and end it. `override` says why, though the gate would stop it.

    One that was cut off while it was being published is finished by whoever comes first; this says so then. Raises
    ShadowOutdated, NotAllowed by the gate, NothingToRead where a topic was made anew, and as a run: nothing is
    published then, and the shadow stays.
    """
    store, spark = store_of(settings.tables), partial(spark_session, settings)
    if published_before := _published_before(settings, store, shadow):
        _end(store, shadow.id)
        return published_before
    require_current(settings, shadow)
    require_same(log, shadow.plan)
    stopped = tripped(store, shadow, settings.reparse)
    if stopped and not override:
        raise NotAllowed(
            f"{'; '.join(map(str, stopped))}. Nothing is published: `otclog shadow diff {shadow.id}` shows the rows; "
            f'`otclog reparse --execute {shadow.id} --override "REASON"` publishes them all the same'
        )
    plan = replace(shadow.plan, override_reason=override if stopped else None)
    with shadows.held(store, WAIT_S) as hold:
        shadows.require_there(store, shadow.id)
        taught = making.taught_of(store, shadow)

        def check() -> None:
            keep(store, taught)
            require_unchanged(store, shadow)
            hold.check()

        with staging_folder(store, plan.run_id), discarded_when_it_fails(store, plan):
            known = replaced(spark, store, standing(store), plan, shadow.known)
            summary = commit_made(spark, store, plan, shadow.made, known, check=check)
        shadows.forget(store, shadow.id)
    return summary


def _published_before(settings: Settings, store: Store, shadow: Shadow) -> Summary | None:
    """Its run, where a first try was cut off while, or after, it published it; None where it was not published."""
    if finished := finish_own(settings, lambda plan: plan.run_id == shadow.id):
        return finished
    row = run_of(store, shadow.id)
    return Summary(shadow.plan, row, row["publication"]) if row else None


def _end(store: Store, shadow_id: str) -> None:
    """End a shadow that is published."""
    with shadows.held(store, WAIT_S):
        shadows.forget(store, shadow_id)


def require_current(settings: Settings, shadow: Shadow) -> None:
    """Raise ShadowOutdated if today's parsers would read its mails otherwise."""
    if (version := parser_version(Taught.load(settings.parsers))) != shadow.plan.parser_version:
        raise ShadowOutdated(shadow.id, f"the parsers {shadow.plan.parser_version} have become {version}")


def require_unchanged(store: Store, shadow: Shadow) -> None:
    """Raise ShadowOutdated if a run has written other rows of its records since: the differences are others by now.

    One of the same parsers has written the rows that the shadow has: an extraction of what came last, say. The caller
    holds the tables.
    """
    for each in runs_since(store, shadow.base):
        is_equal = each.kind == "extract" and each.parser_version == shadow.plan.parser_version
        if not is_equal and (common := intersected(each.ranges, shadow.plan.ranges)):
            rewritten = sum(map(len, common))
            raise ShadowOutdated(shadow.id, f"{each.kind} {each.run_id} has written rows of {rewritten} of its records")
