"""Upgrade: the columns that this otclog's tables have, into those that an earlier one made.

The order of durable effects, by the holder of the tables; each is repeated without harm:
 1. unless a run that died left its plan, one of no records is written down: who writes next then puts back what this
    upgrade did to the tables, if it dies before it publishes
 2. each table is put back to what is published, and its metadata gets the new columns, and then its version
 3. one publication names the versions that belong together
 4. the plan of no records is removed
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.jobs import plan as plans
from pipelines.jobs.recovery import require_publication
from pipelines.tables.columns import extend
from pipelines.tables.commits import create, put_back
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import newest, publish, standing
from pipelines.tables.schemas import TABLES
from pipelines.tables.versions import lacking, present, require_ours, version_of

if TYPE_CHECKING:
    import deltalake

    from pipelines.tables.store.interface import Store


@dataclass(frozen=True, slots=True)
class Step:
    """What an upgrade does to a table; nothing where it has the version already."""

    table: str
    from_version: int  # of its schema
    to_version: int
    adds: tuple[str, ...]  # columns with their types


def steps(store: Store) -> list[Step]:
    """What an upgrade would do, a line a table; none where there are no tables. Raises TablesDamaged, SchemaDiffers."""
    return [_step(store, name, table) for name, table in standing(store).items()]


def _step(store: Store, name: str, table: deltalake.DeltaTable) -> Step:
    require_ours(store, name, table)
    new = lacking(name, table)
    adds = tuple(f"{column} {TABLES[name].schema[column].dataType.simpleString()}" for column in new)
    return Step(name, version_of(table), present(name), adds)


def upgrade(store: Store) -> tuple[list[Step], int | None]:
    """Do it; what was done, and the number of the publication that shows it, None if all was as it should be.

    Raises TableBusy, TablesDamaged, SchemaDiffers, JobCutOff: nothing is published then.
    """
    with hold_tables(store) as hold:
        found = steps(store)
        if all(step.from_version == step.to_version for step in found):
            return found, None
        plan, file = plans.upgrade_plan(), plans.IntentFile(store)
        require_publication(store)
        if file.intent is None:
            file.start(plans.Intent(plan, {}, {}))
        versions, on = {}, newest(store)
        for table in TABLES.values():
            put_back(store, table, hold, on)
            create(store, table, hold)
            versions[table.name] = extend(store, table, hold)
        publication = publish(store, plan.run_id, versions, hold, on)
        if file.intent and file.intent.plan.kind == "upgrade":
            file.end()
        elif file.intent and file.intent.on == on:  # the rows that it was made for are the same
            file.start(dataclasses.replace(file.intent, on=publication))
        return found, publication.number
