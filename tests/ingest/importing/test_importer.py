"""Imports of real files into a real log: whole, interrupted, killed, repeated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.folders.serving import Batch
from ingest.importing.importer import Importer, Interrupted
from log import CommitLog, PartitionBusy, StoredRecord
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

ROOT = Path(__file__).parent.parent.parent.parent
PROGRAM = "import typer; from ingest.importing.cli import import_mails; typer.run(import_mails)"
FROM = b"From a@b.example Mon Nov  2 10:00:00 2026\n"

AMail = Callable[..., bytes]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def box(tmp_path: Path, a_mail: AMail) -> Path:
    """An mbox of 400 mails."""
    file = tmp_path / "old.mbox"
    file.write_bytes(b"".join(FROM + raw + b"\n" for raw in all_mails(a_mail)))
    return file


def all_mails(a_mail: AMail) -> list[bytes]:
    return [a_mail(number, f"d{number % 9}@x.example", size=number % 100) + b"\n" for number in range(400)]


def run(log: CommitLog, settings: Settings, *named: Path) -> tuple[list[Batch], list[int]]:
    batches: list[Batch] = []
    done: list[int] = []
    with closing(Importer(log, settings, batches.append, done.append)) as importer:
        for path in named:
            importer.run(path)
    return batches, done


def test_every_mail_goes_into_the_backfill_topic_once_however_often(
    commit_log: CommitLog, settings: Settings, box: Path, a_mail: AMail, stored: Stored
) -> None:
    before = box.read_bytes()
    batches, done = run(commit_log, settings, box)
    assert Counter(each.value for each in stored(commit_log, "mails-backfill")) == Counter(all_mails(a_mail))
    assert stored(commit_log, "mails") == []
    assert (sum(batch.published for batch in batches), sum(done)) == (400, len(before))
    again, _ = run(commit_log, settings, box, box)
    assert [(batch.mails, batch.published) for batch in again] == [(400, 0)] * 2
    assert box.read_bytes() == before
    assert stored(commit_log, "ingest-journal") == []  # the same file is no second source


def test_a_mail_that_came_by_another_way_is_not_imported(
    commit_log: CommitLog, settings: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    (tmp_path / "a.eml").write_bytes(a_mail(1))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.eml").write_bytes(a_mail(1))
    run(commit_log, settings, tmp_path / "a.eml", tmp_path / "folder")
    assert len(stored(commit_log, "mails-backfill")) == 1
    (line,) = [json.loads(each.value or b"") for each in stored(commit_log, "ingest-journal")]
    assert line["source"] == f"import:{tmp_path / 'folder'}"


def test_asked_to_stop_it_notes_how_far_it_came_and_goes_on_from_there(
    commit_log: CommitLog, settings: Settings, box: Path, a_mail: AMail, stored: Stored
) -> None:
    small = replace(settings, ingest=replace(settings.ingest, batch_mails=50))
    first: list[Batch] = []

    def stop_at_the_third(batch: Batch) -> None:
        first.append(batch)
        if len(first) == 3:
            importer.stop()

    with (
        closing(Importer(commit_log, small, stop_at_the_third, lambda _: None)) as importer,
        pytest.raises(Interrupted),
    ):
        importer.run(box)
    assert len(stored(commit_log, "mails-backfill")) == 150
    rest, done = run(commit_log, small, box)
    assert sum(batch.mails for batch in rest) == 250
    assert done[0] > 0
    assert sum(done) == box.stat().st_size
    assert Counter(each.value for each in stored(commit_log, "mails-backfill")) == Counter(all_mails(a_mail))


@pytest.mark.slow
def test_killed_at_any_moment_and_repeated_it_imports_every_mail_once(
    settings: Settings, tmp_path: Path, box: Path, a_mail: AMail, stored: Stored
) -> None:
    command = [sys.executable, "-c", PROGRAM, str(box), "--config", str(tmp_path / "otclog.toml"), "--json"]
    environ = os.environ | {"OTCLOG_INGEST_BATCH_MAILS": "10"}
    seen = []
    for wanted in (3, 9, 17):
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)
        with process:
            assert process.stdout is not None
            for _ in range(wanted):
                process.stdout.readline()
            process.kill()
        with closing(EmbeddedLog(settings.log)) as log:
            found = Counter(each.value for each in stored(log, "mails-backfill"))
        assert max(found.values()) == 1
        seen.append(len(found))
    assert seen[0] < seen[1] < seen[2]
    last = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
    assert sum(json.loads(line)["mails"] for line in last.stdout.splitlines()) < 400 - 150
    with closing(EmbeddedLog(settings.log)) as log:
        assert Counter(each.value for each in stored(log, "mails-backfill")) == Counter(all_mails(a_mail))


def test_while_another_process_holds_the_log_it_says_try_again_and_loses_nothing(
    commit_log: CommitLog, settings: Settings, box: Path, a_mail: AMail, stored: Stored
) -> None:
    with closing(Importer(commit_log, settings, lambda _: None, lambda _: None)) as importer:
        commit_log.create_topic("mails-backfill", 4)
        held = partition_for(commit_log, "mails-backfill", b"d1@x.example")
        with closing(EmbeddedLog(settings.log)) as other, other.exclusive(held), pytest.raises(PartitionBusy):
            importer.run(box)
        importer.run(box)
    assert Counter(each.value for each in stored(commit_log, "mails-backfill")) == Counter(all_mails(a_mail))


def test_a_large_mail_of_an_mbox_becomes_a_claim(
    commit_log: CommitLog, settings: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    large = a_mail(1, size=settings.log.inline_max_bytes) + b"\n"
    (tmp_path / "box").write_bytes(FROM + large + b"\n" + FROM + a_mail(2) + b"\n")
    run(commit_log, settings, tmp_path / "box")
    records = {"claim" in dict(each.headers): each for each in stored(commit_log, "mails-backfill")}
    assert json.loads(records[True].value or b"")["size"] == len(large)
    assert records[False].value == a_mail(2)


def test_a_signal_ends_the_command_with_try_again(tmp_path: Path, box: Path, settings: Settings) -> None:
    assert settings.log.root.parent == tmp_path
    box.write_bytes(box.read_bytes() * 40)
    command = [sys.executable, "-c", PROGRAM, str(box), "--config", str(tmp_path / "otclog.toml"), "--json"]
    environ = os.environ | {"OTCLOG_INGEST_BATCH_MAILS": "5"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 75
    assert errors == "otclog: interrupted; the same command goes on from here\n"
