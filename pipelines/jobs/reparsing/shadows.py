"""Shadows: what a reparse would publish, as data files that no commit names yet.

    _shadows/<run>/shadow.json            the plan, the files, what they amount to; whoever removes files asks here
    _shadows/<run>/taught.json            the copy of what users teach that it was parsed by
    _shadows/<run>/differences.parquet    each row that would be another one

A shadow is there with its first file, which is written last, by the holder of the tables: who removes files under that
hold sees either it, or that its run goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from pipelines.errors import BadSelection, NotStored, TablesDamaged
from pipelines.jobs.made import Made
from pipelines.jobs.plan import Plan, is_run_id
from pipelines.tables.replacing import Survivors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.jobs.made import Known
    from pipelines.tables.store.interface import Hold, Store

FOLDER = "_shadows"
TAUGHT = "taught.json"
DIFFERENCES = "differences.parquet"
_FILE = "shadow.json"


@dataclass(frozen=True, slots=True)
class Level:
    """Quotes of a dealer and asset class, before and after."""

    dealer: str | None
    asset_class: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Shadow:
    """One, as it is written down."""

    plan: Plan  # of a reparse; `shadow_of` is the publication that it was compared with
    made: Made
    left: tuple[tuple[str, Survivors], ...]  # of files, by table, that hold rows of before
    levels: tuple[Level, ...]
    runs: tuple[str, ...]  # that were published by then, of the day before: later ones may have changed the same rows
    made_at: datetime

    @property
    def id(self) -> str:
        """Its run's, which it will have when it is published."""
        return self.plan.run_id

    @property
    def known(self) -> Known:
        """What is left of files without the rows that it replaces."""
        return {(table, each.of.path): each for table, each in self.left}


def add(store: Store, hold: Hold, shadow: Shadow) -> None:
    """Write it down. The caller holds the tables by `hold`, and its run goes on. Raises LeaseLost."""
    hold.check()
    store.put_new(name_of(shadow.id, _FILE), msgspec.json.encode(shadow))


def all_of(store: Store) -> list[Shadow]:
    """In the order of their making. Raises TablesDamaged."""
    ids = sorted(
        parts[1] for each in store.list(FOLDER) if len(parts := each.name.split("/")) == 3 and parts[2] == _FILE
    )
    return [shadow for shadow_id in ids if (shadow := _read(store, shadow_id))]


def one(store: Store, shadow_id: str) -> Shadow:
    """The shadow of this id, or of this beginning of one. Raises BadSelection, TablesDamaged."""
    found = [shadow for shadow in all_of(store) if shadow.id.startswith(shadow_id)]
    if len(found) != 1 or not shadow_id:
        what = f"{len(found)} shadows begin with {shadow_id!r}" if found else f"there is no shadow {shadow_id!r}"
        raise BadSelection(f"{what}; `otclog shadow list` shows those there are")
    return found[0]


def forget(store: Store, shadow_id: str) -> None:
    """Remove what is written down of it; its data files are then nobody's, unless commits name them."""
    store.delete([name_of(shadow_id, _FILE)])
    store.delete_folder(f"{FOLDER}/{shadow_id}")


def unfinished(store: Store) -> set[str]:
    """The runs of folders without a shadow: of a driver that goes on, or died."""
    parts = [each.name.split("/") for each in store.list(FOLDER)]
    there = {each[1] for each in parts if len(each) == 3 and is_run_id(each[1])}
    return there - {each[1] for each in parts if each[2:] == [_FILE]}


def files_of(shadow: Shadow) -> Iterator[str]:
    """The names, in the store, of the data files that it would have commits name."""
    for table, files in shadow.made.files.items():
        yield from (f"{table}/{file.path}" for file in files)
    for table, survivors in shadow.left:
        yield from (f"{table}/{file.path}" for file in survivors.files)


def name_of(shadow_id: str, file: str) -> str:
    """A file of its folder, in the store."""
    return f"{FOLDER}/{shadow_id}/{file}"


def _read(store: Store, shadow_id: str) -> Shadow | None:
    """None if it was removed since it was listed."""
    name = name_of(shadow_id, _FILE)
    try:
        return msgspec.json.decode(store.get(name), type=Shadow)
    except NotStored:
        return None
    except (msgspec.MsgspecError, BadSelection) as error:
        raise TablesDamaged(
            f"{store.uri(name)} is not the shadow that was written ({error}): bring it back from a backup, or remove "
            f"it by `otclog shadow drop {shadow_id}` and make it anew"
        ) from error
