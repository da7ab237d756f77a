"""`_published/N.json` names for every table the version that belongs together; readers read these versions."""

from __future__ import annotations

import json
import operator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import deltalake
from deltalake.exceptions import DeltaError

from log.times import now_ms, rfc3339
from pipelines.errors import NothingPublished, TablesDamaged
from pipelines.tables.files import create_json, private_folder
from pipelines.tables.versions import ADDED, require_not_newer, require_present

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Publication:
    """One state of all tables."""

    number: int  # 1, 2, …
    run_id: str  # the run that made it
    published_at: str  # RFC 3339, UTC
    versions: dict[str, int]  # table -> Delta version


def publish(root: Path, run_id: str, versions: Mapping[str, int]) -> Publication:
    """Publish `versions`, durably. The caller holds the tables' locks: nobody else publishes meanwhile."""
    numbers = _numbers(root)
    publication = Publication(max(numbers, default=0) + 1, run_id, rfc3339(now_ms()), dict(versions))
    folder = private_folder(_folder(root))
    create_json(folder / f"{publication.number}.json", asdict(publication))
    return publication


def latest(root: Path) -> Publication:
    """The newest publication. Raises NothingPublished, TablesDamaged."""
    numbers = _numbers(root)
    if not numbers:
        raise NothingPublished(f"no tables are published in {root}; run `otclog extract` first")
    return _read(root, max(numbers))


def _read(root: Path, number: int) -> Publication:
    path = _folder(root) / f"{number}.json"
    try:
        content = json.loads(path.read_text("utf-8"))
        versions = {name: operator.index(version) for name, version in content["versions"].items()}
        return Publication(**content | {"versions": versions})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TablesDamaged(
            f"{path} is not the publication that was written ({error}): bring it back from a backup, or move it away: "
            "then the one before it holds until the next run publishes"
        ) from error


def made_by(root: Path, run_id: str) -> Publication | None:
    """The publication that the run has made; None if it has made none. Raises TablesDamaged."""
    numbers = sorted(_numbers(root), reverse=True)
    return next((found for number in numbers if (found := _read(root, number)).run_id == run_id), None)


def table_of(root: Path, publication: Publication, name: str) -> deltalake.DeltaTable:
    """A table, at its version in the publication. Raises TablesDamaged; SchemaDiffers if a later otclog wrote it."""
    folder, version = root / name, publication.versions[name]
    what = f"{folder} cannot be read at version {version}, which publication {publication.number} names"
    try:
        table = deltalake.DeltaTable(str(folder), version=version)
    except DeltaError as error:
        raise damaged(root, what, error) from error
    if empty := _empty_commit(folder / "_delta_log", version):
        raise damaged(root, what, f"{empty} is empty")
    require_not_newer(root, name, table)
    return table


def standing(root: Path) -> dict[str, deltalake.DeltaTable]:
    """The tables that are published; before there is a publication, those that its writer, which died, has made.

    Raises TablesDamaged, SchemaDiffers.
    """
    try:
        publication = latest(root)
    except NothingPublished:
        return _unpublished(root)
    return {name: table_of(root, publication, name) for name in publication.versions}


def _unpublished(root: Path) -> dict[str, deltalake.DeltaTable]:
    made = {}
    for name in ADDED:
        with suppress(DeltaError):  # not made yet, or in part: that is put back before anybody writes
            made[name] = deltalake.DeltaTable(str(root / name))
            require_not_newer(root, name, made[name])
    return made


def damaged(root: Path, what: str, why: object) -> TablesDamaged:
    """What to do about tables of which `what` is not as it was written."""
    reason = str(why).partition("\n")[0]
    return TablesDamaged(
        f"{what} ({reason}): bring {root} back from a backup; or, to extract all that the log has anew, move {root} "
        "away; then run `otclog extract`, which sets its group back to where the tables end"
    )


def _empty_commit(log: Path, version: int) -> Path | None:
    """A commit of nothing at all, which Delta takes for one that changed nothing: the rows it wrote would just be gone.

    Those before a checkpoint stand in that, and are not looked at.
    """
    for number in range(version, -1, -1):
        commit = log / f"{number:020}.json"
        with suppress(FileNotFoundError):  # Delta may have removed it behind a checkpoint
            if not commit.stat().st_size:
                return commit
        if (log / f"{number:020}.checkpoint.parquet").exists():
            break
    return None


def require_tables(root: Path) -> None:
    """See that this otclog can write to the tables as they are.

    Raises TablesDamaged unless every table that is published is there, for one made anew would hide that it was lost;
    SchemaDiffers where one has other columns.
    """
    for name, table in standing(root).items():
        require_present(root, name, table)


def _numbers(root: Path) -> list[int]:
    return [int(file.stem) for file in _folder(root).glob("*.json") if file.stem.isdecimal()]


def _folder(root: Path) -> Path:
    return root / "_published"
