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

from pipelines.errors import BadSelection, NotStored, TableBusy, TablesDamaged
from pipelines.jobs.made import Made
from pipelines.jobs.plan import Plan, is_run_id
from pipelines.tables.publication import Publication
from pipelines.tables.replacing import Survivors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

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

    plan: Plan  # of a reparse
    base: Publication  # that it was compared with
    made: Made
    left: tuple[tuple[str, Survivors], ...]  # of files, by table, that hold rows of before
    levels: tuple[Level, ...]
    made_at: datetime

    @property
    def id(self) -> str:
        """Its run's, which it will have when it is published."""
        return self.plan.run_id

    @property
    def known(self) -> Known:
        """What is left of files without the rows that it replaces."""
        return {(table, each.of.path): each for table, each in self.left}


def held(store: Store, wait_s: float = 0.0) -> AbstractContextManager[Hold]:
    """Be the only one who publishes or drops a shadow: files that commits are to name must stay.

    Whoever publishes one then asks whether it is still there. Raises TableBusy after `wait_s`.
    """
    return store.hold("_locks/shadows.writer", TableBusy, "a shadow is being published or dropped", wait_s)


def add(store: Store, hold: Hold, shadow: Shadow) -> None:
    """Write it down. The caller holds the tables by `hold`, and its run goes on. Raises LeaseLost."""
    hold.check()
    store.put_new(name_of(shadow.id, _FILE), msgspec.json.encode(shadow))


def all_of(store: Store) -> list[Shadow]:
    """In the order of their making. Raises TablesDamaged."""
    return [shadow for shadow_id in _ids(store) if (shadow := _read(store, shadow_id))]


def one(store: Store, shadow_id: str) -> Shadow:
    """The shadow of this id, or of this beginning of one. Raises BadSelection, TablesDamaged."""
    if found := _read(store, id_of(store, shadow_id)):
        return found
    raise _not_there(shadow_id)


def id_of(store: Store, beginning: str) -> str:
    """The whole id of the shadow whose id begins so, though it be damaged. Raises BadSelection."""
    found = [shadow_id for shadow_id in _ids(store) if shadow_id.startswith(beginning)]
    if len(found) == 1 and beginning:
        return found[0]
    raise _not_there(beginning, len(found))


def require_there(store: Store, shadow_id: str) -> None:
    """For who has read it before, and now holds the shadows. Raises BadSelection."""
    if shadow_id not in _ids(store):
        raise _not_there(shadow_id)


def _ids(store: Store) -> list[str]:
    """Of those that are written down, in the order of their making."""
    parts = [name.split("/") for name in store.names(FOLDER)]
    return sorted(each[1] for each in parts if len(each) == 3 and each[2] == _FILE)


def _not_there(beginning: str, found: int = 0) -> BadSelection:
    what = f"{found} shadows begin with {beginning!r}" if found else f"there is no shadow {beginning!r}"
    return BadSelection(f"{what}; `otclog shadow list` shows those there are")


def forget(store: Store, shadow_id: str) -> None:
    """Remove what is written down of it; its data files are then nobody's, unless commits name them."""
    store.delete([name_of(shadow_id, _FILE)])
    store.delete_folder(f"{FOLDER}/{shadow_id}")


def unfinished(store: Store) -> set[str]:
    """The runs of folders without a shadow: of a driver that goes on, or died."""
    parts = [name.split("/") for name in store.names(FOLDER)]
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
        raise damaged(store, name, f"it is not what was written: {error}") from error


def damaged(store: Store, name: str, why: str) -> TablesDamaged:
    """What to do about a shadow of which a file of this name is not as it was written."""
    shadow_id = name.split("/")[1]
    return TablesDamaged(
        f"{store.uri(name)}: {why}; bring it back from a backup, or remove the shadow by `otclog shadow drop "
        f"{shadow_id}`, and make it anew"
    )
