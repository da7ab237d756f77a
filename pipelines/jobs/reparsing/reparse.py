"""Reparse: chosen records again, with the parsers of today; their rows are replaced, all others stay.

Each is a shadow first, whose differences the gate looks at. To publish it is to have commits name its files: nothing is
parsed again, and of the tables' files only those are rewritten that other runs have written meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from parsers.taught import Taught
from parsers.version import parser_version
from pipelines.errors import NotAllowed, ShadowOutdated
from pipelines.jobs.recovery import discarded_when_it_fails
from pipelines.jobs.reparsing import shadow as making
from pipelines.jobs.reparsing import shadows
from pipelines.jobs.reparsing.gate import tripped
from pipelines.jobs.run import commit_made, sliced
from pipelines.jobs.spark.errors import spark_errors_as_pipeline_errors
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.staging import staging_folder
from pipelines.jobs.taught import keep
from pipelines.jobs.topics import require_same
from pipelines.jobs.writing import replaced
from pipelines.readers.runs import run_of, runs_since
from pipelines.readers.selection import kept
from pipelines.tables.locks import WAIT_S
from pipelines.tables.publication import standing
from pipelines.tables.published import published
from pipelines.tables.ranges import OffsetRange, intersected, rows_of_records
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conf.settings import Settings
    from log.interface import CommitLog
    from pipelines.jobs.committing import Summary
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.store.interface import Store

_TOTALS = """
SELECT count(*)::BIGINT mails, coalesce(sum(size_bytes), 0)::BIGINT bytes, coalesce(sum(parts), 0)::BIGINT parts,
    coalesce(sum(quotes), 0)::BIGINT quotes, coalesce(sum(rejects), 0)::BIGINT rejects
FROM mails
"""
_PACE = """
SELECT sum(parse_s + write_s) / sum(mails) AS s_a_mail
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
    expected_s: float | None  # by the last runs' pace; None where there is none
    ranges: tuple[OffsetRange, ...]


def preview(settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange]) -> Preview:
    """Count, and change nothing. Raises NothingToRead, NothingPublished, OtherLog."""
    store = store_of(settings.tables)
    making.require_rows_of_records(log, store, ranges)
    remaining = sum(map(len, kept(log, ranges)))
    with published(store, "mails", "runs") as tables:
        totals = [
            next(tables.rows(_TOTALS, [rows_of_records(part).sql], "1", {}))
            for part in sliced(ranges, settings.extract.max_mails)
        ]
        pace = next(tables.rows(_PACE, [], "1", {}))["s_a_mail"]
    sums = {name: sum(total[name] for total in totals) for name in ("mails", "bytes", "parts", "quotes", "rejects")}
    records = sum(map(len, ranges))
    return Preview(
        records=records,
        gone=records - remaining,
        expected_s=None if pace is None else round(pace * remaining, 1),
        ranges=tuple(ranges),
        **sums,
    )


def reparse(
    settings: Settings, log: CommitLog, ranges: Sequence[OffsetRange], selection: str = "", override: str | None = None
) -> Summary:
    """Make a shadow and execute it: one run, and one publication, of any size.

    Raises as `make` and `execute`; where the gate stops it the shadow stays, so that its differences can be looked at.
    """
    return execute(settings, log, making.make(settings, log, ranges, selection), override)


@spark_errors_as_pipeline_errors()
def execute(settings: Settings, log: CommitLog, shadow: Shadow, override: str | None = None) -> Summary:
    """Publish the shadow, and end it. `override` says why, though the gate would stop it.

    Raises ShadowOutdated, NotAllowed by the gate, NothingToRead where a topic was made anew, and as a run: nothing is
    published then, and the shadow stays.
    """
    store, spark = store_of(settings.tables), partial(spark_session, settings)
    require_current(settings, store, shadow)
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


def require_current(settings: Settings, store: Store, shadow: Shadow) -> None:
    """Raise ShadowOutdated if it was published, or if today's parsers would read its mails otherwise."""
    if run_of(store, shadow.id):
        raise ShadowOutdated(f"shadow {shadow.id} was published already; `otclog shadow drop {shadow.id}` ends it")
    if (version := parser_version(Taught.load(settings.parsers.dealers))) != shadow.plan.parser_version:
        raise ShadowOutdated(
            f"shadow {shadow.id} was parsed by {shadow.plan.parser_version}, and the parsers are {version} now: "
            f"`otclog shadow drop {shadow.id}`, and make it anew"
        )


def require_unchanged(store: Store, shadow: Shadow) -> None:
    """Raise ShadowOutdated if a run has written other rows of its records since: the differences are others by now.

    One of the same parsers has written the rows that the shadow has: an extraction of what came last, say. The caller
    holds the tables.
    """
    for each in runs_since(store, shadow.base):
        is_equal = each.kind == "extract" and each.parser_version == shadow.plan.parser_version
        if not is_equal and (common := intersected(each.ranges, shadow.plan.ranges)):
            raise ShadowOutdated(
                f"{each.kind} {each.run_id} has written rows of {sum(map(len, common))} of its records since shadow "
                f"{shadow.id} was made: `otclog shadow drop {shadow.id}`, and make it anew"
            )
