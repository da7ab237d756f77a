"""What drivers that died have left: commits that were begun are finished or put back, files that none names go.

Whoever is to write comes here first. What was written down before its first commit is finished by the same commits;
where that cannot be, the tables are put back to what the last publication shows, and nobody is held up.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipelines.errors import FilesMissing
from pipelines.jobs.committing import Summary, commit_all
from pipelines.jobs.plan import IntentFile, in_writing, new_run_id
from pipelines.jobs.staging import sweep
from pipelines.jobs.telling import of_run
from pipelines.jobs.writing import discard
from pipelines.metrics import count_run
from pipelines.tables.commits import is_as_published, put_back
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import NOTHING, damaged, made_by, newest, publish, require_tables
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conf.settings import Settings
    from pipelines.jobs.plan import Intent, Plan
    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Hold, Store

logger = logging.getLogger(__name__)


def finish(settings: Settings) -> Summary | None:
    """Finish the run in writing, whoever's it is; None if there is none, or if it was put back. Raises as `run`."""
    store = store_of(settings.tables)
    with hold_tables(store) as hold:
        return finish_left(store, hold, IntentFile(store))


def finish_own(settings: Settings, is_own: Callable[[Plan], bool]) -> Summary | None:
    """The run in writing, finished, where it is the caller's, whose first try was cut off; else as `finish`."""
    left = in_writing(store_of(settings.tables))
    if left is None or not is_own(left.plan):
        return None
    finished = finish(settings)
    return finished if finished and finished.plan.run_id == left.plan.run_id else None


def finish_left(store: Store, hold: Hold, file: IntentFile) -> Summary | None:
    """Finish the run in writing, and remove what dead drivers left; None as `finish`. The caller holds the tables."""
    require_tables(store)
    left, published = file.intent, require_publication(store)
    sweep(store, lambda run_id: _discard_unless_in_writing(store, run_id))
    if left is None:
        _put_back_others(store, hold, published)
        return None
    with of_run(left.plan):
        return _finish(store, hold, file, left, published)


def _finish(store: Store, hold: Hold, file: IntentFile, left: Intent, published: Publication) -> Summary | None:
    after = left.on.number if left.on else 0
    if made := made_by(store, left.plan.run_id, after):  # it died before it could say that it was done
        file.end()
        _put_back_others(store, hold, published)
        return Summary(left.plan, left.row, made.number)
    _put_back(store, hold, published)
    try:
        if _is_to_be_finished(left) and _stands_on(left, published):
            return commit_all(store, hold, file, left)
    except FilesMissing as error:  # trying again would be in vain
        message = "run %s was cut off, and cannot be finished: put back as published: %s"
        logger.error(message, left.plan.run_id, error)  # noqa: TRY400 -- the message says all
    _give_up(store, hold, file, left.plan, published)
    return None


def require_publication(store: Store) -> Publication:
    """The newest one, or NOTHING. Raises TablesDamaged where tables have rows and nothing is published.

    That is, unless a first run has just begun to write. To put them back would be to empty them: what is lost are the
    publications, or somebody else wrote the tables.
    """
    found = newest(store)
    if found != NOTHING or ((left := in_writing(store)) and left.on in (None, NOTHING)):
        return found
    if names := [name for name, table in TABLES.items() if not is_as_published(store, table, found)]:
        what = f"{store.uri(names[0])} has rows, and no publication is there that shows any"
        raise damaged(store, what, "_published is empty or gone, or otclog did not write that table")
    return found


def _is_to_be_finished(left: Intent) -> bool:
    """Whether it is a run of these parsers; one of others is told of, and its records are to be read by these."""
    plan = left.plan
    if plan.kind == "upgrade":
        return False
    if (plan.is_of_these_parsers or plan.kind in {"maintain", "undo"}) and left.changes:  # these parse nothing
        return True
    logger.warning(
        "run %s was cut off under the parsers %s, and these are others: put back as published; %s",
        plan.run_id,
        plan.parser_version or "of an earlier version",
        _how_again(plan),
    )
    return False


def _stands_on(left: Intent, published: Publication) -> bool:
    """Whether what it was made for is what is published: its commits would add the rows of another state twice."""
    if left.on is None or left.on == published:
        return True
    logger.warning(
        "run %s was cut off on top of %s, and %s is the newest: put back as published; %s",
        left.plan.run_id,
        _named(left.on),
        _named(published),
        _how_again(left.plan),
    )
    return False


def _named(publication: Publication | None) -> str:
    return f"publication {publication.number}" if publication and publication.number else "no publication"


def _how_again(plan: Plan) -> str:
    return f"group {plan.group} reads its records anew" if plan.group else "run the reparse again"


def _give_up(store: Store, hold: Hold, file: IntentFile, plan: Plan, published: Publication) -> None:
    """Put the tables back, and remove what the run wrote.

    In a bucket its writer may only stand still, about to publish it: so the tables are published as they are first,
    and it finds that number taken.
    """
    versions = _put_back(store, hold, published)
    if not store.is_local and min(versions.values()) >= 0:
        publish(store, new_run_id(), versions, hold, published)
    file.end()
    discard(store, plan.run_id)


def _put_back(store: Store, hold: Hold, published: Publication) -> dict[str, int]:
    return {name: put_back(store, table, hold, published) for name, table in TABLES.items()}


def _put_back_others(store: Store, hold: Hold, published: Publication) -> None:
    """Put back tables with commits that no run in writing has made: they must not be published with the next run."""
    for name, table in TABLES.items():
        if not is_as_published(store, table, published):
            put_back(store, table, hold, published)
            message = (
                "table %s had commits that no run published; it is put back as it is published: otclog alone writes it"
            )
            logger.warning(message, store.uri(name))


@contextmanager
def discarded_when_it_fails(store: Store, plan: Plan) -> Iterator[None]:
    """What a run that fails has written goes, unless its commits are to be made yet by whoever writes next."""
    try:
        yield
    except BaseException:
        count_run(plan.kind, "failed")
        _discard_unless_in_writing(store, plan.run_id)
        raise


def _discard_unless_in_writing(store: Store, run_id: str) -> None:
    left = in_writing(store)
    if left is None or left.plan.run_id != run_id:
        discard(store, run_id)
