"""Tables in a bucket of a real S3 server: the rows are those on a local disk, whatever befalls the line or the driver."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pytest
from typer.testing import Result

from pipelines.errors import FilesMissing, PipelineError, StoreUnreachable, StoreUnusable, TablesDamaged
from pipelines.jobs.extract import extract
from pipelines.jobs.plan import IntentFile, in_writing
from pipelines.jobs.reparsing.reparse import reparse
from pipelines.readers.prices import prices
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.store.bucket import Bucket
from tests.pipelines.conftest import Home
from tests.pipelines.proxy import EXPIRED, Proxy, troubled
from tests.pipelines.stores import Server

pytestmark = pytest.mark.slow

Otclog = Callable[..., Result]


def in_bucket(home: Home, url: str, credentials: Path) -> Home:
    tables = replace(home.settings.tables, root=url, credentials=credentials)
    return replace(home, settings=replace(home.settings, tables=tables))


@pytest.fixture
def remote(home: Home, s3: Server, url: str) -> Home:
    """A home whose tables lie in the bucket."""
    return in_bucket(home, url, s3.credentials)


@pytest.fixture
def over_the_line(home: Home, s3: Server, url: str, proxy: Proxy, tmp_path: Path) -> Home:
    """The same by way of the proxy."""
    address = f"http://127.0.0.1:{proxy.port}"
    return in_bucket(home, url, s3.with_credentials(tmp_path / "keys", AWS_ENDPOINT_URL=address))


def run(home: Home, max_mails: int = 1000) -> None:
    extract(home.settings, home.log, home.group, home.topic, max_mails)


def test_a_home_in_a_bucket_is_extracted_reparsed_and_read_as_one_on_a_disk(
    remote: Home, extracted: Home, otclog: Otclog
) -> None:
    run(remote, max_mails=5)
    run(remote)
    assert remote.outcomes() == extracted.outcomes()
    assert remote.log.committed(remote.group) == remote.ends
    all_of_it = [OffsetRange(source.topic, source.partition, 0, end) for source, end in remote.ends.items()]
    reparse(remote.settings, remote.log, all_of_it)
    assert remote.outcomes() == extracted.outcomes()
    assert not list(remote.store.list("_staging"))
    shown = [otclog(each, "prices", "--json") for each in (remote, extracted)]
    assert [result.exit_code for result in shown] == [0, 0], shown[0].output
    ours, theirs = ([json.loads(line) for line in result.stdout.splitlines()] for result in shown)
    assert sorted(row["record_id"] for row in ours) == sorted(row["record_id"] for row in theirs)
    for words in (("explain", ours[0]["record_id"]), ("rejects",), ("upgrade",), ("upgrade", "--execute")):
        assert otclog(remote, *words).exit_code == 0


STEPS = (
    "pipelines.jobs.run.written",
    "pipelines.jobs.run.replaced",
    "pipelines.jobs.run.check_written",
    "pipelines.jobs.plan.IntentFile.start",
    "pipelines.jobs.committing.commit",
    "pipelines.jobs.committing.publish",
    "pipelines.jobs.plan.IntentFile.end",
    "pipelines.jobs.extract._advance",
)


class Killed(Exception):
    pass


@pytest.mark.timeout(900)
def test_crashes_at_every_step_and_in_the_runs_that_heal_them_leave_the_same_rows(
    remote: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    for step in STEPS:
        with monkeypatch.context() as patched:
            patched.setattr(step, killed)
            with pytest.raises(Killed):
                run(remote)
        assert remote.log.committed(remote.group) == remote.starts
        if step in STEPS[-2:]:
            assert remote.outcomes() == extracted.outcomes()
        else:
            assert not list(remote.store.list("_published"))
    run(remote)
    assert remote.outcomes() == extracted.outcomes()
    assert in_writing(remote.store) is None


DRIVER = """
import os, signal, sys
from dataclasses import replace
from functools import partial
from pathlib import Path
import conf
from log import open_log
import pipelines.jobs.run
from pipelines.jobs.extract import extract
pipelines.jobs.committing.publish = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
settings = conf.load(Path(sys.argv[1]), {})
settings = replace(settings, tables=replace(settings.tables, root=sys.argv[2], credentials=Path(sys.argv[3])))
extract(settings, open_log(settings.log), sys.argv[4], "mails", 1000)
"""


@pytest.mark.timeout(300)  # the lease of the one that is dead must end first
def test_a_driver_killed_before_it_publishes_is_healed_by_the_next_run(
    remote: Home, extracted: Home, tmp_path: Path
) -> None:
    tables = remote.settings.tables
    command = [sys.executable, "-c", DRIVER, str(remote.file), str(tables.root), str(tables.credentials), remote.group]
    assert subprocess.run(command, stderr=subprocess.DEVNULL, cwd=tmp_path, check=False, timeout=200).returncode == -9
    assert in_writing(remote.store) is not None
    run(remote)
    assert remote.outcomes() == extracted.outcomes()
    assert remote.log.committed(remote.group) == remote.ends


@pytest.mark.timeout(900)
def test_over_a_line_that_cuts_delays_and_answers_500_the_rows_are_the_same(
    over_the_line: Home, extracted: Home, proxy: Proxy
) -> None:
    proxy.plan = troubled(11, 0.15)
    for _ in range(5):
        try:
            run(over_the_line)
        except PipelineError as error:
            assert error.retriable, error  # noqa: PT017 -- some runs may, and the next one goes on
            continue
        break
    proxy.plan = iter(())
    run(over_the_line)
    assert over_the_line.outcomes() == extracted.outcomes()
    assert sum(proxy.met.values()) - proxy.met["pass"] > 10


def test_a_token_that_expires_amid_a_run_and_a_store_that_goes_are_told_in_one_line_and_nothing_is_published(
    over_the_line: Home, extracted: Home, proxy: Proxy
) -> None:
    proxy.only, proxy.plan = "PUT .*_delta_log/", iter([EXPIRED] * 1000)
    with pytest.raises(StoreUnusable, match=r"^s3://otclog/.*: the session token has expired: get new credentials$"):
        run(over_the_line)
    proxy.only, proxy.plan = "", iter(())
    assert not list(over_the_line.store.list("_published"))
    run(over_the_line)
    assert over_the_line.outcomes() == extracted.outcomes()


def told(home: Home, otclog: Otclog, *words: str) -> str:
    """What a command that must fail says, in one line."""
    result = otclog(home, *words)
    assert result.exit_code == 1, result.output
    (line,) = [line for line in result.stderr.splitlines() if not line.endswith("…")]  # but what it is at
    return line


def test_a_bucket_that_is_not_there_and_a_wrong_key_are_told_with_what_to_do(
    home: Home, s3: Server, url: str, tmp_path: Path, otclog: Otclog
) -> None:
    none = in_bucket(home, "s3://no-such-bucket/tables", s3.credentials)
    wrong = in_bucket(home, url, s3.with_credentials(tmp_path / "wrong", AWS_SECRET_ACCESS_KEY="wrong"))
    for words in (("prices",), ("extract",), ("upgrade",)):
        assert "no such bucket: make it, or correct [tables] root" in told(none, otclog, *words)
        assert "the signature is wrong: correct the secret key" in told(wrong, otclog, *words)


def test_a_file_that_is_gone_before_its_commit_and_a_table_that_somebody_else_wrote_are_told(
    remote: Home, extracted: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(file: IntentFile, writing: Any) -> None:
        store.delete([f"quotes/{writing.changes['quotes'].added[0].path}"])
        start(file, writing)

    store, start = remote.store, IntentFile.start
    with monkeypatch.context() as patched:
        patched.setattr(IntentFile, "start", gone)
        with pytest.raises(FilesMissing, match=r"quotes/.* is not there with the \d+ bytes"):
            run(remote)
    assert not list(store.list("_published"))
    run(remote)
    assert remote.outcomes() == extracted.outcomes()
    before = latest(store).number
    rows = pa.table({"a": [1]})
    deltalake.write_deltalake(
        store.uri("mails"), rows, mode="overwrite", schema_mode="overwrite", storage_options=store.storage_options()
    )
    assert len(list(prices(store, {}))) == len(list(prices(extracted.store, {}))), "what is published stays"
    reparse(remote.settings, remote.log, [OffsetRange(*source, 0, 1) for source in remote.ends])
    assert latest(store).number == before + 1
    assert f"{store.uri('mails')} had commits that no run published" in caplog.text
    assert remote.outcomes() == extracted.outcomes()
    store.delete([f"mails/_delta_log/{latest(store).versions['mails']:020}.json"])
    with pytest.raises(TablesDamaged, match="cannot be read at version"):
        list(prices(store, {}))


def test_doctor_proves_the_bucket(remote: Home, home: Home, s3: Server, otclog: Otclog) -> None:
    def told(home: Home) -> list[tuple[str, str]]:
        result = otclog(home, "doctor", "--json")
        assert result.stdout, result.output
        found = map(json.loads, result.stdout.splitlines())
        return [(each["state"], each["detail"]) for each in found if each["check"] == "tables"]

    assert told(remote)[0] == ("ok", f"{remote.settings.tables.root}: of writers at once one wins")
    assert [state for state, _ in told(remote)] == ["ok", "ok"]
    ((state, detail),) = told(in_bucket(home, "s3://no-such-bucket/tables", s3.credentials))
    assert (state, "there is no such bucket" in detail) == ("fail", True)


def test_a_store_that_cannot_be_reached_is_told_as_such(
    over_the_line: Home, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.tables.store.bucket.Bucket", partial(Bucket, patience_s=1.0))
    store = over_the_line.store
    proxy.plan = iter(["cut"] * 10_000)
    with pytest.raises(StoreUnreachable, match="no answer from 127"):
        list(prices(store, {}))
