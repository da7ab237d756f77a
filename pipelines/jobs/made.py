"""What a run has made before anything names it: data files of every table, and what they amount to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pipelines.jobs.counts import Counts
from pipelines.tables.datafiles import DataFile
from pipelines.tables.replacing import Survivors

Files = dict[str, list[DataFile]]  # by table
Known = dict[tuple[str, str], Survivors]  # by table and path of the file that they are of


@dataclass(frozen=True, slots=True)
class Made:
    """The outcomes of a plan's records, as files that no commit names."""

    files: Files
    counts: Counts
    settings_sha256: str
    started_ts: datetime
    parse_s: float
    write_s: float
    pack_sha256: str | None = None  # of the otclog that was sent to executors on other machines
