"""What users teach, as runs have it: read anew for each that is planned, with a copy that its plan names.

Workers, and whoever does the run again after a crash, have the copy: the users' files may say something else by then.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from parsers.dealers import DealerTableError
from parsers.securities.errors import SecuritiesError
from parsers.taught import Taught
from pipelines.errors import NotStored, TablesDamaged

if TYPE_CHECKING:
    from parsers.taught import TeachingFiles
    from pipelines.tables.store.interface import Store

logger = logging.getLogger(__name__)


COPIES = 8  # that are kept, for who looks what a run of late was taught
_FOLDER = "_plans/taught"
_IN_USE = timedelta(days=1)
_WRITTEN_AGAIN = timedelta(hours=1)
"""A dictionary of instruments has megabytes, and there may be a run every two seconds."""


class TaughtFiles:
    """The users' files. Where one cannot be read the last reading stays in use, and why is told once."""

    def __init__(self, files: TeachingFiles) -> None:
        """Read them: who begins without has nothing to stay with. Raises as `Taught.load`."""
        self._files = files
        self._last = Taught.load(files)
        self._told = ""

    def read(self) -> Taught:
        """What they say now."""
        try:
            self._last = Taught.load(self._files, self._last)
            self._told = ""
        except (DealerTableError, SecuritiesError) as error:
            if str(error) != self._told:
                self._told = str(error)
                logger.warning("%s (what was read before stays in use until this is mended)", error)
        return self._last


def keep(store: Store, taught: Taught) -> None:
    """Have a durable copy beside the tables, one for all runs that were taught the same.

    Its time is that of the last, or up to _WRITTEN_AGAIN before.
    """
    name, since = _name(taught.digest), datetime.now(UTC) - _WRITTEN_AGAIN
    there = next((copy for copy in store.list(_FOLDER) if copy.name == name), None)
    if there is not None and there.written_at > since and there.size == len(taught.content):
        store.sync([name])  # whoever wrote it may have died before that
    else:
        store.put(name, bytes(taught.content))


def remove_old(store: Store) -> None:
    """Remove the copies but those used last, and those of the last day: a run may be about to read its own.

    The caller holds the tables, and no plan is in writing: who writes one down, under the same hold, sees to it that
    its copy is there.
    """
    copies = sorted(store.list(_FOLDER), key=lambda copy: copy.written_at)
    store.delete(each.name for each in copies[:-COPIES] if copies[-1].written_at - each.written_at > _IN_USE)


def kept(store: Store, digest: str) -> Taught:
    """The copy of this digest. Raises TablesDamaged."""
    name = _name(digest)
    try:
        content = store.get(name)
    except NotStored:
        content = b""
    if hashlib.sha256(content).hexdigest() != digest:
        raise TablesDamaged(
            f"{store.uri(name)} is gone, or not what was written: bring it back from a backup, or move "
            "_plans/in_writing.json away and do again what was cut off (`otclog extract` or `otclog reparse`)"
        )
    return Taught.decode(content)


def _name(digest: str) -> str:
    return f"{_FOLDER}/{digest}.json"
