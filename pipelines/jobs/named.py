"""What names a data file. Whoever removes files asks here first: what anything names stays.

A file of a table is named by
 - the oldest publication that is there, at whose version the table holds it
 - a commit since then that added it, be it of a run that was put back: who reads the table's folder may have seen it
 - the plan of the run whose commits are being made, or were when its writer died
 - a shadow, until it is dropped
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from pipelines.errors import TablesDamaged
from pipelines.jobs.plan import in_writing
from pipelines.jobs.reparsing.shadows import all_of, files_of
from pipelines.tables.commits import entry_version
from pipelines.tables.publication import table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipelines.tables.publication import Publication
    from pipelines.tables.store.interface import Store

READERS = 8  # of a bucket each commit is a request


class Named:
    """The files of some tables that are named. It only grows: what was named once counts as named."""

    def __init__(self, store: Store, tables: Iterable[str], oldest: Publication | None) -> None:
        """Read what publications from `oldest` on name. Raises as `look_again`."""
        self._store = store
        self._read_to = {name: oldest.versions.get(name, -1) if oldest else -1 for name in tables}
        self._names = {
            f"{name}/{path}"
            for name in self._read_to
            if oldest and name in oldest.versions
            for path in table_of(store, oldest, name).get_add_actions()["path"].to_pylist()
        }
        self.look_again()

    def __contains__(self, name: str) -> bool:
        """Whether the file of this name in the store was named."""
        return name in self._names

    def look_again(self) -> None:
        """Read what came since. Who has looked under the tables' hold knows all, as long as he has that.

        Raises TablesDamaged for a version that cannot be read, and for a commit that a power cut left in part: what it
        named is not known.
        """
        for table in self._read_to:
            self._names.update(f"{table}/{path}" for path in self._added_since(table))
        if left := in_writing(self._store):
            self._names.update(f"{table}/{file.path}" for table, each in left.changes.items() for file in each.added)
        for shadow in all_of(self._store):
            self._names.update(files_of(shadow))

    def _added_since(self, table: str) -> Iterator[str]:
        listed = (name for name in self._store.names(f"{table}/_delta_log") if name.endswith(".json"))
        commits = {name: at for name in listed if (at := entry_version(name)) is not None}
        new = [name for name, at in commits.items() if at > self._read_to[table]]
        with ThreadPoolExecutor(READERS) as readers:
            for added in readers.map(self._added_by, new):
                yield from added
        self._read_to[table] = max([self._read_to[table], *commits.values()])

    def _added_by(self, commit: str) -> list[str]:
        data = self._store.get(commit)
        try:
            actions = [msgspec.json.decode(line, type=_Action) for line in data.splitlines()]
        except msgspec.MsgspecError:
            actions = []
        if not actions:
            raise TablesDamaged(f"{self._store.uri(commit)} is not the commit that was written")
        paths = [each.add.path for each in actions if each.add]
        return [*paths, *map(unquote, paths)]


class _File(msgspec.Struct):
    path: str


class _Action(msgspec.Struct):
    add: _File | None = None
