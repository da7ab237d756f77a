"""Who may work: one process a consumer group, one process and thread the tables.

Whoever holds them commits and publishes himself (docs/decisions/tables-by-delta-rs.md): a JVM, which may outlive its
driver, commits nothing, and what its workers write then no commit names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.errors import GroupBusy, TableBusy

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pipelines.tables.store.interface import Hold, Store

WAIT_S = 300.0  # a run's commits take seconds; a large reparse's may take minutes
WRITER = "_locks/mails.writer"  # 0.2.0 held one file a table, this one first: it, too, waits for us, and we for it


def lease(store: Store, group: str) -> AbstractContextManager[Hold]:
    """Be the only process that extracts for the group. Raises GroupBusy if another one does."""
    # A group's name may fill a file's name up to here.
    return store.hold(f"_locks/{group}.lease", GroupBusy, f"group {group} is being extracted")


def hold_tables(store: Store, wait_s: float = WAIT_S) -> AbstractContextManager[Hold]:
    """Be the only process, and thread of it, that commits to the tables. Raises TableBusy after `wait_s`."""
    return store.hold(WRITER, TableBusy, "the tables are being written", wait_s)


def maintaining(store: Store) -> AbstractContextManager[Hold]:
    """Be the only process that maintains the tables: two would do the same work. Raises TableBusy."""
    # No group has this name: its lock would end in .lease.
    return store.hold("_locks/maintain.writer", TableBusy, "the tables are being maintained")
