"""The same mails through a log of either kind: the tables have the same rows."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import conf
from conf.home import make_home
from conf.settings import LogSettings
from ingest.generate import generate
from ingest.watch import Watcher
from log import open_log
from pipelines.jobs.extract import extract
from pipelines.tables.publication import latest, table_of
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of
from tests.brokers import emptied, on_kafka

APPENDED = {"received_ts", "received_day"}  # by the log's clock
CLOCKED = {"run_id", "started_ts", "ended_ts", "parse_s", "write_s"}  # of a run
OWN = {"settings_sha256"}  # of a home, which names its log


def taken_and_extracted(home: Path, mails: Path, log_of: Callable[[LogSettings], LogSettings]) -> dict[str, str]:
    """A digest of each table: of all rows that came of the mails, and of all columns but those of clocks."""
    settings = conf.load(make_home(home), {})
    settings = replace(settings, log=log_of(settings.log), extract=replace(settings.extract, small_mails=0))  # by Spark
    for second, mail in enumerate(sorted(mails.glob("*.eml"))):
        to = home / "mail" / "new" / mail.name
        shutil.copyfile(mail, to)
        os.utime(to, (second, second))  # which the watcher goes by
    with closing(open_log(settings.log)) as log:
        Watcher(log, settings, lambda _: None).run_once()
        assert not any((home / "mail" / "new").iterdir())
        assert extract(settings, log, settings.extract.group, settings.ingest.topic, 10**6) is not None
    store = store_of(settings.tables)
    published = latest(store)
    return {name: digest(table_of(store, published, name).to_pyarrow_table()) for name in TABLES}


def digest(table: pa.Table) -> str:
    kept = [name for name in table.column_names if name not in APPENDED | CLOCKED | OWN]
    rows = sorted(repr(row) for batch in table.select(kept).to_batches() for row in batch.to_pylist())
    return f"{len(rows)} rows, {hashlib.sha256(chr(10).join(rows).encode()).hexdigest()}"


@pytest.mark.parametrize(
    "mails",
    [
        pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
        pytest.param(5000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_the_same_mails_give_the_same_rows_at_the_same_offsets_on_either_log_but_for_its_clock(
    spark: SparkSession,
    brokers: Path,
    mails: int,
    tmp_path: Path,
    record_property: Callable[[str, str], None],
) -> None:
    assert spark is not None
    emptied(brokers)
    assert sum(1 for _ in generate(tmp_path / "mails", mails, seed=1)) == mails
    embedded = taken_and_extracted(tmp_path / "embedded", tmp_path / "mails", lambda log: log)
    kafka = taken_and_extracted(tmp_path / "kafka", tmp_path / "mails", lambda log: on_kafka(log, brokers))
    assert kafka == embedded
    assert embedded["mails"].startswith(f"{mails} rows")
    told = ", ".join(f"{name} {found[: found.index(',') + 10]}" for name, found in embedded.items())
    record_property("count", f"{mails} mails through both logs, equal: {told}")
