"""What users teach, as runs have it: read anew for each that is planned, with a copy that its plan names.

Workers, and whoever does the run again after a crash, have the copy: the users' files may say something else by then.
"""

from __future__ import annotations

import hashlib
import logging
import os
from typing import TYPE_CHECKING

from log.disk.files import replace_file
from log.disk.lock import file_held
from parsers.dealers import DealerTableError
from parsers.taught import Taught
from pipelines.errors import TablesDamaged
from pipelines.tables.files import private_folder
from pipelines.tables.locks import WAIT_S

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)


COPIES = 8  # that are kept, for who looks what a run of late was taught


class TaughtFiles:
    """The users' files. Behind a slip in one the last good reading stays in use, and the slip is told once."""

    def __init__(self, dealers: Path | None) -> None:
        """Read them: who begins with a slip has nothing to stay with. Raises DealerTableError, OSError."""
        self._dealers = dealers
        self._last = Taught.load(dealers)
        self._told = ""

    def read(self) -> Taught:
        """What they say now."""
        try:
            self._last = Taught.load(self._dealers)
            self._told = ""
        except (DealerTableError, OSError) as error:
            if str(error) != self._told:
                self._told = str(error)
                logger.warning("%s (what was read before stays in use until this is mended)", error)
        return self._last


def keep(root: Path, taught: Taught) -> None:
    """Have a durable copy below the tables, one for all runs that were taught the same; its time is of the last."""
    path = _path(root, taught.digest)
    with file_held(private_folder(root / "_locks") / "taught.writer", WAIT_S):
        if path.exists():
            os.utime(path)
        else:
            private_folder(path.parent)
            replace_file(path, taught.content)


def remove_old(root: Path) -> None:
    """Remove all copies but those used last.

    The caller holds the locks of all tables, and no plan is in writing: who writes one down, under the same locks, sees
    to it that its copy is there.
    """
    with file_held(private_folder(root / "_locks") / "taught.writer", WAIT_S):
        copies = sorted(_path(root, "*").parent.glob("*.json"), key=lambda copy: copy.stat().st_mtime_ns)
        for copy in copies[:-COPIES]:
            copy.unlink()


def kept(root: Path, digest: str) -> Taught:
    """The copy of this digest. Raises TablesDamaged."""
    path = _path(root, digest)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    if hashlib.sha256(content).hexdigest() != digest:
        raise TablesDamaged(
            f"{path} is gone, or not what was written: bring it back from a backup, or move _plans/in_writing.json "
            "away and do again what was cut off (`otclog extract` or `otclog reparse`)"
        )
    return Taught.decode(content)


def _path(root: Path, digest: str) -> Path:
    return root / "_plans" / "taught" / f"{digest}.json"
