from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.segment.names import segment_file
from otclog import app
from tests.log.batches import encode
from tests.log.rot import flip_batch


@pytest.fixture
def otclog(tmp_path: Path) -> Callable[..., Result]:
    config = tmp_path / "otclog.toml"
    config.write_text('[log]\nroot = "log"\nreplicas = ["disk-1", "disk-2", "disk-3"]\n')

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--config", str(config), "--json"])

    return run


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_replica_is_brought_back_by_tending(
    embedded: EmbeddedLog, otclog: Callable[..., Result], tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "disk-2")
    embedded.append("mails", [Record(b"key", b"value")])
    (listed,) = (row for row in rows(otclog("replica", "list")) if row["replica"] == 2)
    assert (listed["reachable"], listed["in_sync"], listed["partitions"]) == (False, 0, 1)
    (done,) = rows(otclog("log", "tend"))
    assert (done["action"], done["ok"]) == ("rejoin", True)
    assert [row["ok"] for row in rows(otclog("replica", "verify"))] == [True] * 3
    assert rows(otclog("replica", "resync", "2"))[0]["ok"]


def test_a_replica_that_cannot_be_read_hides_none_of_the_others(
    embedded: EmbeddedLog, otclog: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(folder: Path, _: str = "") -> int:
        if folder.name == "disk-2":
            raise PermissionError(errno.EACCES, "Permission denied", str(folder / "archive"))
        return 0

    assert embedded.topics()
    (tmp_path / "disk-2" / "replica.json").unlink()
    monkeypatch.setattr("log.embedded.admin.replica_admin.set_aside_bytes", denied)
    assert [row["reachable"] for row in rows(otclog("replica", "list"))] == [True, False, True]


def test_what_a_replica_has_set_aside_is_told_until_somebody_removes_it(
    open_embedded: Callable[..., EmbeddedLog], otclog: Callable[..., Result], tmp_path: Path
) -> None:
    log = open_embedded(compression="none")
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"key", b"value")])
    with segment_file(tmp_path / "disk-3" / "mails-0", 0).open("ab") as file:
        file.write(encode([Record(b"key", b"of disk-3 alone")], 1, 2**40, 0, "none"))
    away = (tmp_path / "disk-3").rename(tmp_path / "away")
    log.append("mails", [Record(b"key", b"another value")])
    away.rename(tmp_path / "disk-3")
    assert "set aside" in rows(otclog("log", "tend"))[0]["detail"]
    assert rows(otclog("log", "tend")) == [{"done": 0}]
    aside = tmp_path / "disk-3" / "archive"
    size = sum(path.stat().st_size for path in aside.rglob("*.log"))
    for command in ("list", "verify"):
        said = otclog("replica", command)
        assert [row["set_aside"] for row in rows(said)] == [0, 0, size]
        assert f"{aside} has {size} bytes of records that the log does not have" in said.stderr
    shutil.rmtree(aside)
    for command in ("list", "verify"):
        said = otclog("replica", command)
        assert ([row["set_aside"] for row in rows(said)], said.stderr) == ([0, 0, 0], "")


def test_replicas_are_added_and_removed(embedded: EmbeddedLog, otclog: Callable[..., Result], tmp_path: Path) -> None:
    done = otclog("replica", "replace", "3", str(tmp_path / "disk-4"))
    assert [(row["replica"], row["in_sync"]) for row in rows(done)] == [(1, 1), (2, 1), (4, 1)]
    assert f'"{tmp_path}/disk-4"]' in done.stderr
    assert embedded.append("mails", [Record(b"key", b"value")])[0].offset == 0


def test_an_unclean_election_needs_the_flag(embedded: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    shown = otclog("replica", "elect", "mails:0", "--replica", "2")
    assert shown.exit_code == 0
    assert [json.loads(line)["lost"] for line in shown.stdout.splitlines()] == [0, 0, 0]
    assert embedded.describe("mails")[0].epoch == 0
    (row,) = rows(otclog("replica", "elect", "mails:0", "--replica", "2", "--unclean"))
    assert row["elected"]
    assert embedded.describe("mails")[0].epoch == 1


def test_a_replica_is_named_by_its_folder_though_disks_before_it_are_gone(
    embedded: EmbeddedLog, options: LogSettings
) -> None:
    shutil.rmtree(options.replicas[0])
    shutil.rmtree(options.replicas[1])
    assert Replicas(embedded).number(str(options.replicas[1])) == 2
    assert Replicas(embedded).number(f"{options.replicas[2]}/../disk-3") == 3
    with pytest.raises(LogUnusable, match="is no replica"):
        Replicas(embedded).number("/nonexistent")


def test_a_replica_whose_disk_damaged_something_is_told_by_how_much_was_mended(
    embedded: EmbeddedLog, otclog: Callable[..., Result], tmp_path: Path, numbered: Callable[..., list[Record]]
) -> None:
    embedded.append("mails", numbered(5))
    flip_batch(tmp_path / "disk-1" / "mails-0", 0)
    assert len(embedded.read(TopicPartition("mails", 0), 0, 2**20)) == 5
    assert otclog("log", "tend").exit_code == 1, "damage is an alarm, though it was mended"
    assert [row["mended"] for row in rows(otclog("replica", "list"))] == [1, 0, 0]
    assert otclog("log", "verify").exit_code == 0


def test_a_replica_is_taken_out_only_when_told_to(embedded: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    shown = otclog("replica", "remove", "3")
    assert [row["replica"] for row in rows(shown)] == [1, 2, 3]
    assert "nothing was removed: add --execute" in shown.stderr
    assert len(embedded.describe("mails")[0].isr) == 3
    assert [row["replica"] for row in rows(otclog("replica", "remove", "3", "--execute"))] == [1, 2]
