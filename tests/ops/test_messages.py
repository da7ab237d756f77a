"""What otclog's programs say of a mail, in the topic `ops` of its own log."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import conf
from log import CommitLog, open_log
from log.errors import PartitionBusy
from log.opslog import TOPIC, ensure_topic
from log.reading import has_topic, records_of, sources_of
from log.types import TopicPartition

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OPS = TopicPartition(TOPIC, 0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a mail that waits in its Maildir, whose programs say what they do to the log alone."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    shutil.copy(ROOT / "samples" / "ust_run_text.eml", tmp_path / "mail" / "new" / "one")
    (tmp_path / "otclog.toml").write_text(
        '[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n[logging]\nops = "info"\n'
    )
    return tmp_path


@pytest.fixture
def log(home: Path) -> Iterator[CommitLog]:
    """Its log."""
    with closing(open_log(conf.load(home / "otclog.toml").log)) as opened:
        yield opened


def otclog(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("otclog")
    return subprocess.run([program, *words], cwd=home, text=True, capture_output=True, check=False)


def said_in(log: CommitLog) -> list[dict[str, Any]]:
    return [json.loads(each.value or b"") for each in records_of(log, OPS)] if has_topic(log, TOPIC) else []


def test_one_search_follows_a_mail_through_all_programs(home: Path, log: CommitLog) -> None:
    assert otclog(home, "watch", "--once").returncode == 0
    done = otclog(home, "extract")
    assert done.returncode == 0, done.stderr
    assert "parsed" not in done.stderr  # that is said to the log alone
    (taken, *_) = [each for each in said_in(log) if each["unit"] == "otclog watch" and "sha256" in each]
    found = [each for each in said_in(log) if each.get("sha256") == taken["sha256"]]
    assert [each["unit"] for each in found] == ["otclog watch", "otclog extract"]
    assert {(each["topic"], each["offset"], each["message_id"]) for each in found} == {
        ("mails", 0, taken["message_id"])
    }
    assert "source" in found[0]
    assert "run" in found[1]


def test_the_error_that_ends_a_command_is_in_the_topic_and_on_stderr(home: Path, log: CommitLog) -> None:
    log.create_topic("mails", 1)
    done = otclog(home, "topic", "alter", "no-such", "--partitions", "8")
    assert done.returncode == 1
    (said,) = said_in(log)
    assert (said["level"], said["unit"]) == ("error", "otclog topic alter")
    assert said["event"] == done.stderr.removeprefix("otclog: ").rstrip("\n")


def test_a_command_ends_though_the_log_takes_no_messages(home: Path, log: CommitLog) -> None:
    ensure_topic(log)

    def take(_: Mapping[TopicPartition, PartitionBusy]) -> None:
        assert otclog(home, "watch", "--once").returncode == 0

    log.append_new([OPS], take)  # whose partition this process has locked meanwhile
    assert sum(log.span(source).stop for source in sources_of(log, "mails")) == 1
    assert said_in(log) == []
