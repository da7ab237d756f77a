"""The newest publication of the tables of mails, and whether it is there still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ops.alerts.file import keep_note, noted
from pipelines.errors import NothingPublished, TablesDamaged
from pipelines.tables.publication import latest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    import sqlite3

    from conf.settings import TableSettings

_COUNTED = "publication"


def newest_number(db: sqlite3.Connection, tables: TableSettings) -> int:
    """Its number.

    Raises NothingPublished where there never was any, TablesDamaged where one was counted and none is there: a disk is
    away, say. StoreUnreachable.
    """
    try:
        return latest(store_of(tables)).number
    except NothingPublished as error:
        counted = counted_number(db)
        if counted is None:
            raise
        raise TablesDamaged(f"{error}; but publication {counted} was counted here: is a disk away?") from error


def counted_number(db: sqlite3.Connection) -> int | None:
    """That of which all days are counted; None: of none."""
    return noted(db, _COUNTED)


def keep_counted(db: sqlite3.Connection, number: int) -> None:
    """All of its days are."""
    keep_note(db, _COUNTED, number)
