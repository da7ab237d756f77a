"""Versions of the tables' schemas: which one a table has, and what each of them added.

A property of the table says its version; tables of 0.2.0 have none, which is version 1. A version adds columns to the
one before and changes nothing else. Each of them is nullable, so that files written earlier read as null there. It may
stand anywhere in the schema, though an upgraded table has it last: who reads names the columns that he reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import deltalake
from deltalake.schema import PrimitiveType

from pipelines.errors import SchemaDiffers, TablesDamaged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.tables.store.interface import Store

PROPERTY = "otclog.schemaVersion"

# Of each table, the columns that its version 2 added, then those of 3, …; their types stand in its schema alone.
ADDED: dict[str, Sequence[Sequence[str]]] = {
    "quotes": (("security_id",),),
    "mails": (),
    "parts": (),
    "rejects": (),
    "runs": (
        ("host", "os_user", "settings_sha256", "selection", "shadow_of", "override_reason", "undoes"),
        ("pack_sha256", "publication"),
    ),
    "events": (),
}


def present(name: str) -> int:
    """The version of the table's schema that this otclog writes; 0 of a table that it does not know."""
    return 1 + len(ADDED[name]) if name in ADDED else 0


def version_of(table: deltalake.DeltaTable) -> int:
    """The version of the schema that the table has. Raises TablesDamaged."""
    told = table.metadata().configuration.get(PROPERTY, "1")
    if not (told.isascii() and told.isdecimal() and int(told)):
        raise TablesDamaged(f"{table.table_uri}: its property {PROPERTY} is {told!r}, which no otclog writes")
    return int(told)


def lacking(name: str, table: deltalake.DeltaTable) -> list[str]:
    """The columns of the present version that the table does not have yet."""
    there = {field.name for field in table.schema().fields}
    added = [column for columns in ADDED[name][version_of(table) - 1 :] for column in columns]
    return [column for column in added if column not in there]


def require_ours(store: Store, name: str, table: deltalake.DeltaTable) -> None:
    """Raise SchemaDiffers where it lacks columns that no upgrade adds, or has them otherwise: somebody else made it."""
    from pipelines.tables.schemas import TABLES  # imports PySpark, which takes longer than most queries

    ours, there = TABLES[name], {field.name: _kind(field) for field in table.schema().fields}
    expected = {field.name: _kind(field) for field in deltalake.Schema.from_json(ours.schema.json()).fields}
    upgraded = lacking(name, table)
    wrong = [column for column, kind in expected.items() if column not in upgraded and there.get(column) != kind]
    if wrong or table.metadata().partition_columns != list(ours.partitioned_by):
        why = f"its columns {', '.join(wrong[:5])} are missing, or others" if wrong else "its files lie otherwise"
        raise SchemaDiffers(
            f"{store.uri(name)} is no table of otclog's ({why}): name a [tables] root of otclog's own, or move it away"
        )


def _kind(field: deltalake.Field) -> str:
    """The column's type; of lists not whose, for whether their elements may be null depends on who wrote them."""
    return str(field.type) if isinstance(field.type, PrimitiveType) else type(field.type).__name__


def require_not_newer(store: Store, name: str, table: deltalake.DeltaTable) -> None:
    """Raise SchemaDiffers if a later otclog wrote it: what its columns mean is not known here."""
    if (version := version_of(table)) > present(name):
        raise SchemaDiffers(
            f"{store.uri(name)} has version {version} of its schema, and this otclog knows {present(name)}: "
            "a later otclog wrote it; use that one"
        )


def require_present(store: Store, name: str, table: deltalake.DeltaTable) -> None:
    """Raise SchemaDiffers unless this otclog can write to it as it is."""
    require_not_newer(store, name, table)
    if (version := version_of(table)) < present(name):
        raise SchemaDiffers(
            f"{store.uri(name)} has version {version} of its schema, and this otclog writes {present(name)}: "
            "`otclog upgrade` shows the columns that are new, `otclog upgrade --execute` adds them"
        )
