"""The newest publication of tables that looks count, and whether it is there still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ops.alerts.file import noted
from pipelines.errors import NothingPublished, TablesDamaged
from pipelines.tables.publication import latest

if TYPE_CHECKING:
    import sqlite3

    from pipelines.tables.store.interface import Store

MAILS, EVENTS = "publication", "events"  # by these names the one that is counted whole is noted


def newest_number(db: sqlite3.Connection, store: Store, what: str) -> int:
    """Its number.

    Raises NothingPublished where there never was any, TablesDamaged where one was counted and none is there: a disk is
    away, say. StoreUnreachable.
    """
    try:
        return latest(store).number
    except NothingPublished as error:
        counted = noted(db, what)
        if counted is None:
            raise
        raise TablesDamaged(f"{error}; but publication {counted} was counted here: is a disk away?") from error
