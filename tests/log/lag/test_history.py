from __future__ import annotations

import logging
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from log.errors import LogUnusable
from log.lag.history import FILE, History, Query, Sighting, history_of

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
KEY = ("extract", "topic-id", 0)


def seen_at(at_ms: int, state: str = "OK", committed: int = 5, partition: int = 0) -> Sighting:
    return Sighting("extract", "topic-id", partition, at_ms, "mails", committed, 9, 4, 400, 1.5, state, at_ms, 0)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return history_of(tmp_path)


def times(history: History) -> list[int]:
    """Minutes since the epoch of what is kept of partition 0."""
    with sqlite3.connect(history._path or "") as db:
        found = db.execute("SELECT at_ms / 60000 FROM sightings WHERE partition = 0 ORDER BY at_ms").fetchall()
    db.close()
    return [minutes for (minutes,) in found]


def test_one_a_minute_is_kept_and_another_state_at_once(history: History) -> None:
    for at_ms in (0, 2_000, 59_999, 60_000):
        history.note([seen_at(DAY_MS + at_ms)])
    assert times(history) == [1440, 1441]
    history.note([seen_at(DAY_MS + 62_000, "WARN")])
    assert [row["state"] for row in history.rows(None, 0)] == ["OK", "OK", "WARN"]


def test_after_a_day_one_an_hour_is_left_and_after_thirty_days_none(history: History) -> None:
    for minutes in range(0, 180, 10):
        history.note([seen_at(minutes * MINUTE_MS)])
    assert len(times(history)) == 18
    for hours in (3, 4):
        history.note([seen_at(DAY_MS + hours * HOUR_MS)])
    assert times(history) == [0, 60, 120, 1440 + 180, 1440 + 240]
    for hours in (2, 3):
        history.note([seen_at(30 * DAY_MS + hours * HOUR_MS)])
    assert times(history) == [120, 1440 + 180, 1440 + 240, 30 * 1440 + 120, 30 * 1440 + 180]


def test_a_look_by_a_clock_that_is_a_year_ahead_costs_no_sighting_and_the_next_one_drops_it(history: History) -> None:
    for minutes in range(0, 600, 10):
        history.note([seen_at(minutes * MINUTE_MS)])
    history.note([seen_at(365 * DAY_MS, committed=9)])
    assert len(times(history)) == 61
    for second in range(60):
        history.note([seen_at(600 * MINUTE_MS + second * 1000)])
    assert times(history) == [*range(0, 610, 10)]


def test_what_is_seen_by_a_clock_that_is_ahead_by_less_is_not_asked_until_then(history: History) -> None:
    history.note([seen_at(30 * MINUTE_MS, committed=9)])
    for second in range(60):
        history.note([seen_at(second * 1000)])
    assert times(history) == [0, 30]
    assert history.seen([Query(KEY, MINUTE_MS, 5)])[0].furthest == 5


def test_how_far_a_group_came_is_kept_though_none_was_due(history: History) -> None:
    for second in range(50):
        history.note([seen_at(DAY_MS + second * 1000, committed=second)])
    assert [row["committed"] for row in history.rows(None, 0)] == [0, 49]
    assert history.seen([Query(KEY, DAY_MS + MINUTE_MS, 10)])[0].furthest == 49
    for second in range(50, 300):
        history.note([seen_at(DAY_MS + second * 1000, committed=second)])
    assert [row["committed"] for row in history.rows(None, 0)] == [0, 60, 120, 180, 240, 299]


def test_it_stays_small(history: History) -> None:
    """Looked at each minute, for as long as anything is kept."""
    minutes = [*range(0, 29 * 1440, 60), *range(29 * 1440, 30 * 1440)]
    history.note([seen_at(each * MINUTE_MS, partition=number) for each in minutes for number in range(2)])
    assert len(history.rows(None, 0)) == 2 * (29 * 24 + 1440)
    assert history._path is not None
    assert history._path.stat().st_size < 2 * 300 * 1024


def test_a_sighting_is_read_back_as_lag_is_shown(history: History) -> None:
    history.note([seen_at(DAY_MS), seen_at(DAY_MS, partition=1)])
    row = {"group": "extract", "topic": "mails", "partition": 0, "committed": 5, "end": 9, "lag": 4, "bytes": 400}
    assert history.rows("extract", DAY_MS)[0] == {"at": "1970-01-02T00:00:00.000Z", **row, "age_s": 1.5, "state": "OK"}
    assert len(history.rows(None, DAY_MS)) == 2
    assert history.rows("audit", 0) == history.rows(None, DAY_MS + 1) == []


def test_it_knows_where_a_group_stood_at_most_since_a_generation_and_since_when_it_stands(history: History) -> None:
    for minute, committed, generation in ((1, 100, 0), (2, 30, 1), (3, 50, 1), (4, 50, 1)):
        history.note([seen_at(minute * MINUTE_MS, committed=committed)._replace(generation=generation)])
    ask = Query(KEY, 10 * MINUTE_MS, 50, 1)
    (seen,) = history.seen([ask])
    assert (seen.furthest, seen.stands_since_ms, seen.waits_since_ms) == (50, 3 * MINUTE_MS, 3 * MINUTE_MS)
    before, of_the_first, other = history.seen(
        [ask._replace(before_ms=3 * MINUTE_MS), ask._replace(generation=0), ask._replace(key=("audit", "topic-id", 0))]
    )
    assert (before.furthest, of_the_first.furthest, of_the_first.furthest_at_ms) == (30, 100, MINUTE_MS)
    assert (other.furthest, other.stands_since_ms, other.waits_since_ms) == (0, None, None)


WRITER = """
import sys
from pathlib import Path
from log.lag.history import History, Sighting
history = History(Path(sys.argv[1]))
for minute in range(60):
    history.note([Sighting("g", "id", int(sys.argv[2]), minute * 60000, "mails", 1, 2, 1, 9, None, "OK", 1, 0)])
"""


def test_several_processes_write_at_once_and_nothing_is_lost(
    history: History, tmp_path: Path, spawn: Callable[..., subprocess.Popen[str]]
) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / FILE)]
    writers = [spawn([*command, str(number)], stderr=subprocess.PIPE, text=True) for number in range(3)]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == ["", "", ""]
    assert len(history.rows("g", 0)) == 180


def test_it_is_its_owners_alone(history: History) -> None:
    history.note([seen_at(0)])
    assert history._path is not None
    assert stat.S_IMODE(history._path.stat().st_mode) == 0o600


def test_a_file_that_is_none_is_told_once_left_as_it_is_and_hinders_nobody(
    history: History, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    with caplog.at_level(logging.WARNING):
        history.note([seen_at(0)])
        assert history.seen([Query(KEY, 1, 5, 0)])[0].furthest == 0
    with pytest.raises(LogUnusable, match="how far groups were behind cannot be read: file is not a database"):
        history.rows(None, 0)
    (told,) = caplog.messages
    assert told.startswith(f"{tmp_path / FILE}: how far groups were behind is not kept: file is not a database")
    assert (tmp_path / FILE).read_bytes() == b"no database" * 100


@pytest.mark.slow
def test_a_file_that_another_process_keeps_locked_is_told_once_and_tried_again_the_next_time(
    history: History, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    history.note([seen_at(0)])
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with caplog.at_level(logging.WARNING):
        history.note([seen_at(HOUR_MS)])
        history.note([seen_at(HOUR_MS)])
    (told,) = caplog.messages
    assert told.endswith("database is locked")
    other.close()
    history.begin_look()
    history.note([seen_at(2 * HOUR_MS)])
    assert times(history) == [0, 120]


def test_of_a_log_that_is_not_there_nothing_is_kept_or_made(tmp_path: Path) -> None:
    history = history_of(tmp_path / "log")
    history.note([seen_at(0)])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(LogUnusable, match="another user's"):
        history.rows(None, 0)


def test_before_the_first_look_there_is_nothing_to_show(history: History, tmp_path: Path) -> None:
    assert (history.rows(None, 0), list(tmp_path.iterdir())) == ([], [])


def test_within_a_look_another_processs_lock_is_waited_for_once(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("log.lag.history.BUSY_S", 0.3)
    history.note([seen_at(0)])
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    history.begin_look()
    for _ in range(10):
        history.seen([Query(KEY, 1, 5)])
    history.note([seen_at(HOUR_MS)])
    assert time.monotonic() - begun < 2.7  # each of eleven for itself: 3.3
    other.close()
    history.begin_look()
    assert history.seen([Query(KEY, 1, 5)])[0].furthest == 5


def test_a_name_that_is_no_text_and_a_row_that_somebody_else_wrote_hinder_no_look(
    history: History, tmp_path: Path
) -> None:
    assert history.seen([Query(("\udcff", "topic-id", 0), 1, 5)])[0].furthest == 0
    history.note([seen_at(0)._replace(group="\udcff")])
    assert history.seen([Query(("\udcff", "topic-id", 0), 1, 5)])[0].furthest == 0
    with pytest.raises(LogUnusable, match="cannot be read"):
        history.rows("\udcff", 0)
    history.note([seen_at(0)])
    with sqlite3.connect(tmp_path / FILE) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute("UPDATE sightings SET at_ms = 'zz'")
    db.close()


def test_a_link_in_its_place_is_not_followed_by_who_reads(
    history: History, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    aim = tmp_path_factory.mktemp("other") / "file"
    aim.touch()
    (tmp_path / FILE).symlink_to(aim)
    history.seen([Query(KEY, 1, 5)])
    assert aim.read_bytes() == b""


def test_nothing_is_written_into_a_log_that_is_another_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    history_of(tmp_path).note([seen_at(0)])
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_its_place_is_not_followed(
    history: History, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    aim = tmp_path_factory.mktemp("other") / "file"
    (tmp_path / FILE).symlink_to(aim)
    history.note([seen_at(0)])
    assert not aim.exists()
