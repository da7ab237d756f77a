"""What a check found, and the checks that doctor and status share."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import conf
from conf.printable import said
from log import LogError
from pipelines.errors import PipelineError
from pipelines.tables.publication import standing
from pipelines.tables.store.store import store_of
from pipelines.tables.versions import present, version_of

FREE_BYTES = 5 << 30  # below this a replica's disk is called short: a busy day of mail takes about as much

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    state: State
    detail: str


def in_words(error: Exception) -> str:
    """What a check met: ours and the system's errors as they say it, any other with its kind."""
    is_told = isinstance(error, OSError | LogError | PipelineError | conf.ConfigError | subprocess.SubprocessError)
    return said(error) if is_told else f"{type(error).__name__}: {error}"


def no_log_yet(settings: conf.Settings) -> Finding:
    """Whether a log that is not there was never made, or is gone."""
    tables = settings.tables.folder
    of_a_log = [settings.ingest.ledger, *([tables / "_published"] if tables else [])]
    there = [path for path in of_a_log if path.exists()]
    if there:
        return Finding("log", "fail", f"{settings.log.root}: no log, though {there[0]} is of one: mount its disks")
    return Finding("log", "ok", f"{settings.log.root}: no log yet, made at first use; are its disks mounted?")


def upgrade_due(settings: conf.Settings) -> str | None:
    """What to say of tables that an earlier otclog made, and this one does not write to; None if there are none.

    Raises TablesDamaged, SchemaDiffers.
    """
    versions = {name: version_of(table) for name, table in standing(store_of(settings.tables)).items()}
    older = [f"{name} ({each} of {present(name)})" for name, each in versions.items() if each < present(name)]
    if not older:
        return None
    return f"of an earlier version: {', '.join(older)}; `otclog upgrade --execute` is due, until then extract fails"


def room(folder: Path, settings: conf.Settings) -> tuple[State, int]:
    """Whether the disk of a folder, which may not be made yet, has room for mails; and its free bytes."""
    free = shutil.disk_usage(there(folder)).free
    if free >= FREE_BYTES:
        return "ok", free
    return "warn" if free > settings.ingest.batch_bytes else "fail", free  # the mails of one append


def there(folder: Path) -> Path:
    """The folder, or the one above it where it will be made."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())
