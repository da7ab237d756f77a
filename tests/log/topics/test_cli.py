from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.protection import protect
from otclog import app
from tests.log.rot import flip

SETTINGS = """
[log]
root = "log"
replicas = ["disk-1", "disk-2", "disk-3"]
"""


@pytest.fixture
def otclog(tmp_path: Path) -> Callable[..., Result]:
    config = tmp_path / "otclog.toml"
    config.write_text(SETTINGS)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--config", str(config), "--json"])

    return run


@pytest.fixture
def log(open_embedded: Callable[..., EmbeddedLog]) -> Iterator[EmbeddedLog]:
    """The log of the settings, with ten records."""
    opened = open_embedded()
    opened.create_topic("mails", 1)
    opened.append("mails", [Record(b"key", b"%d" % number) for number in range(10)])
    yield opened
    opened.close()


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.usefixtures("log")
def test_a_new_retention_says_what_it_leaves_alone(otclog: Callable[..., Result]) -> None:
    told = otclog("topic", "alter", "mails", "--retention", "1s").stderr
    assert "whole segments are deleted, and none that is still written to" in told
    assert not otclog("topic", "alter", "mails", "--retention", "none").stderr
    assert not otclog("topic", "alter", "mails", "--partitions", "2").stderr


def test_a_topic_is_altered(log: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    (row,) = rows(otclog("topic", "alter", "mails", "--retention", "90d", "--partitions", "3"))
    assert (row["partitions"], row["retention_s"], row["cleanup"]) == (3, 90 * 86400, "delete")
    (row,) = rows(otclog("topic", "alter", "mails", "--retention-bytes", "1000"))
    assert (row["retention_s"], row["retention_bytes"]) == (90 * 86400, 1000)
    (row,) = rows(otclog("topic", "alter", "mails", "--retention", "none"))
    assert row["retention_s"] is None
    (row,) = rows(
        otclog("topic", "alter", "mails", "--segment-age", "12h", "--compaction-lag", "5m", "--tombstones", "2d")
    )
    assert (row["segment_age_s"], row["compaction_lag_s"], row["tombstone_s"]) == (12 * 3600, 300, 2 * 86400)
    assert otclog("topic", "alter", "mails", "--partitions", "1").exit_code == 1
    assert otclog("topic", "alter", "mails", "--retention", "soon").exit_code == 2
    assert log.topic_config("mails").retention_bytes == 1000


def test_a_topic_is_copied_and_deleted(log: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    assert rows(otclog("topic", "copy", "mails", "more", "--partitions", "4")) == [
        {"from": "mails", "to": "more", "copied": 10}
    ]
    assert len(log.describe("more")) == 4
    shown = otclog("topic", "delete", "mails")
    assert rows(shown) == [{"topic": "mails", "would_delete": 10}]
    assert "add --execute" in shown.stderr
    assert len(log.read(TopicPartition("mails", 0), 0, 2**20)) == 10
    assert rows(otclog("topic", "delete", "mails", "--execute")) == [{"topic": "mails", "deleted": 10}]
    assert otclog("topic", "delete", "mails").exit_code == 1  # there is none any more
    assert [name for name in log.topics() if not name.startswith("__")] == ["more"]


def test_what_a_protected_group_has_not_read_is_not_deleted(log: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    source = TopicPartition("mails", 0)
    log.commit("extract", {source: 4})
    protect(log, "extract")
    refused = otclog("topic", "delete-records", "mails", "--partition", "0", "--before", "6")
    assert refused.exit_code == 1
    assert "the protected group extract has read up to offset 4 only" in refused.stderr
    command = ("topic", "delete-records", "mails", "--partition", "0", "--execute", "--before")
    assert rows(otclog(*command, "4"))[0]["start"] == 4
    assert log.span(source).start == 4
    assert rows(otclog(*command, "6", "--force"))[0]["unread"] == {"extract": 2}
    assert log.span(source).start == 6


def test_records_are_deleted_only_when_told_so_and_after_a_look(
    log: EmbeddedLog, otclog: Callable[..., Result]
) -> None:
    source = TopicPartition("mails", 0)
    log.create_topic("other", 1)
    for group, offset in {"extract": 4, "audit": 7, "slow": 0}.items():
        log.commit(group, {source: offset})
    log.commit("elsewhere", {TopicPartition("other", 0): 0})
    command = ("topic", "delete-records", "mails", "--partition", "0", "--before")
    shown = otclog(*command, "6")
    row = {"topic": "mails", "partition": 0, "start": 6, "unread": {"extract": 2, "slow": 6}}
    assert rows(shown) == [row | {"would_delete": 6}]
    assert "nothing was deleted: add --execute" in shown.stderr
    assert log.span(source).start == 0
    assert rows(otclog(*command, "6", "--execute")) == [row | {"deleted": 6}]
    assert log.span(source).start == 6
    assert rows(otclog(*command, "3"))[0] == row | {"would_delete": 0, "unread": {}}
    for words in (("11",), ("11", "--execute")):
        refused = otclog(*command, *words)
        assert (refused.exit_code, "offset 11 is not in [6, 10]" in refused.stderr) == (1, True)


def test_a_topic_is_not_copied_into_itself(log: EmbeddedLog, otclog: Callable[..., Result]) -> None:
    refused = otclog("topic", "copy", "mails", "mails", "--partitions", "8")
    assert (refused.exit_code, "cannot be copied into itself" in refused.stderr) == (1, True)
    assert len(log.read(TopicPartition("mails", 0), 0, 2**20)) == 10


def test_a_number_of_partitions_that_a_target_does_not_have_is_refused(
    log: EmbeddedLog, otclog: Callable[..., Result]
) -> None:
    log.create_topic("more", 2)
    assert "another number of partitions" in otclog("topic", "copy", "mails", "more", "--partitions", "4").stderr
    assert log.describe("more")[0].end == 0
    assert rows(otclog("topic", "copy", "mails", "more", "--partitions", "2"))[0]["copied"] == 10


def test_what_tending_mended_is_done_and_yet_a_reason_to_look_at_the_disk(
    log: EmbeddedLog, otclog: Callable[..., Result], options: LogSettings
) -> None:
    flip(options.replicas[1] / "mails-0" / f"{0:020d}.log", 90)
    log.close()
    done = otclog("log", "tend")
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (row["action"], row["ok"], row["look"], done.exit_code) == ("mend", True, True, 1)
    assert row["detail"].endswith("damaged at offset 0, and mended from another replica: look at its disk")
    assert otclog("log", "tend").exit_code == 0
