"""New columns in a table that an earlier otclog made: its metadata gets them, no file of it is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltalake import Field

from pipelines.tables.commits import KEEP_LOG, commit_errors_naming, make_durable
from pipelines.tables.delta import opened
from pipelines.tables.versions import PROPERTY, lacking, present, version_of

if TYPE_CHECKING:
    import deltalake

    from pipelines.tables.schemas import Table
    from pipelines.tables.store.interface import Hold, Store


def extend(store: Store, table: Table, hold: Hold) -> int:
    """Give the table the columns that it lacks, and its present version, durably; return the Delta version it has then.

    Files written before read as null there. The caller holds the tables by `hold`, and has put it back to
    what is published. Raises LeaseLost, JobCutOff, TablesDamaged.
    """
    with commit_errors_naming(store, table.name):
        stored = opened(store, table.name)
        before = stored.version()
        if version_of(stored) < present(table.name):
            _extend(stored, table, hold)
            make_durable(store, table.name, before, stored.version())
    return stored.version()


def _extend(stored: deltalake.DeltaTable, table: Table, hold: Hold) -> None:
    if new := lacking(table.name, stored):
        fields = [Field.from_json(table.schema[name].json()) for name in new]
        hold.check()
        stored.alter.add_columns(fields, post_commithook_properties=KEEP_LOG)
    version = {PROPERTY: str(present(table.name))}
    hold.check()
    stored.alter.set_table_properties(version, raise_if_not_exists=False, post_commithook_properties=KEEP_LOG)
