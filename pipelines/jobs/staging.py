"""Where a run keeps its outcomes until they are in the tables: parsed mail, so what a killed driver leaves must go.

A folder is held by its driver as long as the run goes on: what nobody holds is nobody's, and so are the data files of
its run that no commit is to name.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from pipelines.errors import PipelineError, TableBusy
from pipelines.jobs.plan import is_run_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Hold, Store

logger = logging.getLogger(__name__)

FOLDER = "_staging"
_READS = "reads-"  # and the number of a publication
_SWEEPING_S = 60.0  # to look at the folders of all runs, and remove some, takes seconds


@contextmanager
def staging_folder(store: Store, run_id: str) -> Iterator[str]:
    """A folder of this run's own, which goes when the block ends."""
    folder = f"{FOLDER}/{run_id}"
    with ExitStack() as afterwards, ExitStack() as held:
        with _sweeping(store):  # or it could be swept before it is held
            held.enter_context(store.hold(_held(folder), TableBusy, f"run {run_id} is being done"))
        afterwards.callback(_remove, store, folder)  # last: what is held goes with it
        yield folder


def goes_on(store: Store, run_id: str) -> bool:
    """Whether the run's driver lives, as far as can be told."""
    return not store.is_free(_held(f"{FOLDER}/{run_id}"))


def spare(store: Store, folder: str, publication: Publication) -> None:
    """Have maintain keep a publication, with all later ones, as long as the run of this staging folder goes on.

    The caller holds the tables, and has found the publication there: none is removed but by their holder.
    """
    store.put_new(f"{folder}/{_READS}{publication.number}", b"")


def spared(store: Store) -> list[int]:
    """The numbers of the publications that are spared, for the holder of the tables."""
    paths = (name.split("/") for name in store.names(FOLDER))
    reads = [(path[1], path[2]) for path in paths if len(path) == 3 and path[2].startswith(_READS)]
    return [int(file.removeprefix(_READS)) for run_id, file in reads if goes_on(store, run_id)]


def sweep(store: Store, discard: Callable[[str], None]) -> None:
    """Remove what killed drivers left, after a call of `discard` with the run's id; runs that go on keep theirs.

    A killed driver's JVM may outlive it a little, and go on to fill its folder: what it leaves goes the next time.
    """
    paths = (name.split("/") for name in store.names(FOLDER))
    if not (left := {parts[1] for parts in paths if len(parts) > 2}):
        return
    with _sweeping(store):
        for name in sorted(left):
            folder = f"{FOLDER}/{name}"
            if store.is_free(_held(folder)):
                if is_run_id(run_id := name.partition(".")[0]):
                    discard(run_id)
                store.delete_folder(folder)


def _held(folder: str) -> str:
    return f"{folder}/held"


def _sweeping(store: Store) -> AbstractContextManager[Hold]:
    return store.hold("_locks/staging.writer", TableBusy, "the folders of runs are being looked at", _SWEEPING_S)


def _remove(store: Store, folder: str) -> None:
    try:
        store.delete_folder(folder)
    except (PipelineError, OSError) as error:  # who writes next does it
        logger.warning("%s is not removed: %s", store.uri(folder), error)
