"""What may go of Delta's logs: what lies before the checkpoint that the oldest version still shown is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.tables.commits import entry_version

if TYPE_CHECKING:
    from pipelines.tables.store.interface import Store


_CHECKPOINT = ".checkpoint.parquet"


def superseded_entries(store: Store, name: str, version: int) -> list[str]:
    """The files of the log of table `name` that nobody needs who opens it at `version` or at a later one.

    A version is read from the last checkpoint before it on, so that one must be there, and whole.
    """
    log = f"{name}/_delta_log"
    found = {name: at for name in store.names(log) if (at := entry_version(name)) is not None}
    checkpoints = {at for each, at in found.items() if at <= version and each.endswith(_CHECKPOINT)}
    whole = (at for at in sorted(checkpoints, reverse=True) if _is_whole(store, f"{log}/{at:020}{_CHECKPOINT}"))
    first = next(whole, 0)
    return [each for each, at in found.items() if at < first]


def _is_whole(store: Store, name: str) -> bool:
    try:
        with store.open_read(name) as file:
            return bool(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError):
        return False
