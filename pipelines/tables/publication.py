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
    path = _folder(root) / f"{max(numbers)}.json"
    try:
        content = json.loads(path.read_text("utf-8"))
        versions = {name: operator.index(version) for name, version in content["versions"].items()}
        return Publication(**content | {"versions": versions})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise TablesDamaged(
            f"{path} is not the publication that was written ({error}): bring it back from a backup, or move it away: "
            "then the one before it holds until the next run publishes"
        ) from error


def table_of(root: Path, publication: Publication, name: str) -> deltalake.DeltaTable:
    """A table, at its version in the publication. Raises TablesDamaged."""
    folder, version = root / name, publication.versions[name]
    what = f"{folder} cannot be read at version {version}, which publication {publication.number} names"
    try:
        table = deltalake.DeltaTable(str(folder), version=version)
    except DeltaError as error:
        raise damaged(root, what, error) from error
    if empty := _empty_commit(folder / "_delta_log", version):
        raise damaged(root, what, f"{empty} is empty")
    return table


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
    """Raise TablesDamaged unless every table that is published is there: one made anew would hide that it was lost."""
    with suppress(NothingPublished):
        publication = latest(root)
        for name in publication.versions:
            table_of(root, publication, name)


def _numbers(root: Path) -> list[int]:
    return [int(file.stem) for file in _folder(root).glob("*.json") if file.stem.isdecimal()]


def _folder(root: Path) -> Path:
    return root / "_published"
