"""pipelines.jobs.lane, and `otclog extract --backfill`, which reads by it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import conf
from conf.heartbeat import Heartbeat
from conf.settings import backfill_group
from log import CommitLog, Record, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim
from pipelines.jobs.extract import extract, membership
from pipelines.jobs.lane import backlog, bytes_of, first_bytes
from pipelines.tables.locks import lease
from pipelines.tables.ranges import OffsetRange
from tests.pipelines.conftest import TOPIC, Home

pytestmark = pytest.mark.slow

Otclog = Callable[..., Result]
OLD = "mails-backfill"


@pytest.fixture
def two(settings: conf.Settings, tmp_path: Path, mails: list[bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A log with new mails and with old ones, of which nothing is extracted; no run needs Spark."""
    monkeypatch.setenv("OTCLOG_EXTRACT_SMALL_MAILS", "1000")
    few = dataclasses.replace(settings.extract, small_mails=1000)
    log = open_log(settings.log)
    for topic in (TOPIC, OLD):
        log.create_topic(topic, 2)
        log.append(topic, [Record(b"%d" % number, mail) for number, mail in enumerate(mails[:6])])
    yield Home(dataclasses.replace(settings, extract=few), log, "live", tmp_path / "otclog.toml")
    log.close()


def read(log: CommitLog, group: str) -> dict[str, int]:
    """How many records the group has behind it, by topic."""
    found: dict[str, int] = {}
    for source, offset in log.committed(group).items():
        found[source.topic] = found.get(source.topic, 0) + offset
    return found


def runs(home: Home) -> list[tuple[str, int]]:
    """Group and records of each run, in the order of their making."""
    rows = sorted(home.rows("runs"), key=lambda row: str(row["started_ts"]))
    return [(str(row["group"]), int(row["records"])) for row in rows]


def test_old_mails_are_read_by_a_group_of_their_own_while_the_extraction_goes_on(two: Home, otclog: Otclog) -> None:
    with lease(two.store, two.group):
        result = otclog(two, "extract", "--backfill")
    assert result.exit_code == 0, result.output
    assert read(two.log, backfill_group(two.group)) == {OLD: 6}
    assert read(two.log, two.group) == {}
    assert runs(two) == [("live.backfill", 6)]


def test_an_old_range_of_the_extraction_s_own_topic_is_what_the_lane_is_moved_back_to(
    two: Home, otclog: Otclog
) -> None:
    extract(two.settings, two.log, two.group, TOPIC, 1000)
    before = two.outcomes()
    assert otclog(two, "extract", "--backfill", "--topic", TOPIC).exit_code == 0
    assert runs(two) == [("live", 6)], "it begins where the extraction stands"
    moved = otclog(two, "group", "rewind", "live.backfill", TOPIC, "--to-earliest", "--execute")
    assert moved.exit_code == 0, moved.output
    with lease(two.store, two.group):
        assert otclog(two, "extract", "--backfill", "--topic", TOPIC, "--max-mails", "4").exit_code == 0
    assert runs(two) == [("live", 6), ("live.backfill", 4)]
    assert two.outcomes() == before
    assert read(two.log, two.group) == {TOPIC: 6}


def test_the_lane_waits_while_an_extraction_that_runs_has_more_to_read_than_is_set(
    two: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTCLOG_EXTRACT_BACKFILL_LAG", "5")
    waits = Heartbeat.rest

    def rest(*arguments: Any) -> None:
        extract(two.settings, two.log, two.group, TOPIC, 1)
        waits(*arguments)

    with membership(two.log, two.group, TOPIC), monkeypatch.context() as patched:
        assert backlog(two.log, two.group) == 6
        patched.setattr(Heartbeat, "rest", rest)
        result = otclog(two, "extract", "--backfill")
    assert result.exit_code == 0, result.output
    assert "group live has 6 mails to read: group live.backfill waits" in result.stderr
    assert runs(two) == [("live", 1), ("live.backfill", 6)]


def test_nobody_is_waited_for_who_does_not_run(two: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTCLOG_EXTRACT_BACKFILL_LAG", "0")
    assert backlog(two.log, two.group) == 0
    assert "waits" not in otclog(two, "extract", "--backfill").stderr
    assert runs(two) == [("live.backfill", 6)]


def test_a_rate_is_kept_by_small_runs_with_rests_between_them(
    two: Home, otclog: Otclog, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    monkeypatch.setattr(Heartbeat, "rest", lambda _, seconds, *more: rests.append(seconds))  # noqa: ARG005
    began = time.monotonic()
    assert otclog(two, "extract", "--rate", "0.2").exit_code == 0
    assert runs(two) == [("live", 2)] * 3
    took = time.monotonic() - began
    assert sum(rests) + took > 2 * 10, "2 mails at 0.2 a second are 10 s, rests and the run together"


def test_bytes_end_a_command_with_the_mail_that_makes_it_so_many(two: Home, otclog: Otclog) -> None:
    everything = [OffsetRange(TOPIC, number, 0, two.log.span(TopicPartition(TOPIC, number)).stop) for number in (0, 1)]
    least = first_bytes(two.log, everything, 1)
    assert sum(map(len, least)) == 1
    assert first_bytes(two.log, everything, bytes_of(two.log, least)) == least
    more = first_bytes(two.log, everything, bytes_of(two.log, least) + 1)
    assert sum(map(len, more)) == 2
    assert first_bytes(two.log, everything, bytes_of(two.log, everything)) == everything
    assert otclog(two, "extract", "--max-bytes", str(bytes_of(two.log, least) + 1)).exit_code == 0
    assert runs(two) == [("live", 2)]


def test_a_claim_weighs_what_its_mail_does(two: Home) -> None:
    two.log.create_topic("claims", 1)
    claim = Claim("a" * 64, 5_000_000)
    two.log.append("claims", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),)), Record(b"k", b"x" * 10)])
    assert bytes_of(two.log, [OffsetRange("claims", 0, 0, 2)]) == 5_000_010
