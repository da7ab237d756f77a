"""Many small data files into few, of the same rows: tasks write them, the tables' holder commits them.

Only those are committed whose rows still lie where they were read: who replaced some meanwhile goes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pipelines.errors import TablesDamaged
from pipelines.jobs.committing import commit_all
from pipelines.jobs.plan import Intent, IntentFile
from pipelines.jobs.recovery import finish_left
from pipelines.jobs.spark.session import spark_session
from pipelines.jobs.writing import done
from pipelines.tables.commits import Change, paths_in
from pipelines.tables.compacting import compacted, due
from pipelines.tables.datafiles import DataFile
from pipelines.tables.locks import hold_tables
from pipelines.tables.publication import newest, standing
from pipelines.tables.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conf.settings import Settings
    from pipelines.jobs.plan import Plan
    from pipelines.tables.compacting import Part
    from pipelines.tables.store.interface import Store


@dataclass(frozen=True, slots=True)
class Compacted:
    """How many data files were rewritten, into how many, and how many were left since another process was faster."""

    rewritten: int = 0
    into: int = 0
    left: int = 0
    publication: int | None = None  # that shows the new files
    damage: tuple[str, ...] = ()  # of files that could not be read: those that were to be put together stay as they are


@dataclass(frozen=True, slots=True)
class _Written:
    files: tuple[DataFile, ...] = ()
    damage: str = ""  # why there are none


@dataclass(frozen=True, slots=True)
class _Rewritten:
    part: Part
    files: tuple[DataFile, ...]


def parts_due(store: Store) -> list[Part]:
    """The small files of all tables that are to become larger ones. Raises TablesDamaged, SchemaDiffers."""
    return [part for name, table in standing(store).items() for part in due(table, TABLES[name])]


def compact(settings: Settings, store: Store, plan: Plan) -> Compacted:
    """Write the larger files, commit and publish them. Raises as `maintain`."""
    parts = parts_due(store)
    written = _written(settings, store, plan, parts)
    rewritten = [_Rewritten(part, new.files) for part, new in zip(parts, written, strict=True) if not new.damage]
    fresh, publication = _committed(store, plan, rewritten) if rewritten else ([], None)
    left = [each for each in rewritten if each not in fresh]
    store.delete(f"{each.part.table}/{new.path}" for each in left for new in each.files)
    return Compacted(
        rewritten=sum(len(each.part.files) for each in fresh),
        into=sum(len(each.files) for each in fresh),
        left=sum(len(each.part.files) for each in left),
        publication=publication,
        damage=tuple(new.damage for new in written if new.damage),
    )


def _written(settings: Settings, store: Store, plan: Plan, parts: Sequence[Part]) -> list[_Written]:
    sizes = [part.size for part in parts]
    lines = done(partial(spark_session, settings), partial(_write_part, parts, store, plan.run_id), sizes)
    return [msgspec.json.decode(line, type=_Written) for line in lines]


def _write_part(parts: Sequence[Part], store: Store, run_id: str, number: int) -> list[str]:
    part = parts[number]
    try:
        written = _Written(tuple(compacted(store, TABLES[part.table], part, run_id)))
    except TablesDamaged as error:  # it keeps no other file from being looked after
        written = _Written(damage=str(error))
    return [msgspec.json.encode(written).decode()]


def _committed(store: Store, plan: Plan, rewritten: Sequence[_Rewritten]) -> tuple[list[_Rewritten], int | None]:
    """Those that could be committed, and the number of the publication that shows them."""
    with hold_tables(store) as hold:
        file = IntentFile(store)
        finish_left(store, hold, file)
        held = {name: paths_in(store, name) for name in standing(store)}
        fresh = [each for each in rewritten if {of.path for of in each.part.files} <= held[each.part.table]]
        if not fresh:
            return [], None
        intent = Intent(plan, {}, {name: _change(name, fresh) for name in held}, newest(store))
        file.start(intent)
        return fresh, commit_all(store, hold, file, intent).publication


def _change(name: str, rewritten: Sequence[_Rewritten]) -> Change:
    own = [each for each in rewritten if each.part.table == name]
    added, gone = (file for each in own for file in each.files), (of for each in own for of in each.part.files)
    return Change(tuple(added), tuple(gone), is_new_data=False)
