"""ops.alerts: the whole set on loopback, of a real log and tables, with a clock that the test moves."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import conf
from conf.heartbeat import Beat
from conf.home import make_home
from log import Record, open_log
from log.opslog import TOPIC, ensure_topic, record_of
from ops import findings
from ops.alerts.accounting import account
from ops.alerts.file import ms, opened
from ops.alerts.looking import _complete_until, look
from ops.analysis.analyse import analyse
from ops.status import status
from pipelines.jobs.plan import new_run_id
from pipelines.tables.publication import latest
from pipelines.tables.ranges import OffsetRange
from tests.ops.alerts.dealers import traffic
from tests.ops.alerts.dealers.traffic import Mail, regular
from tests.ops.alerts.servers import Mails, Posts, mail_server, receiver
from tests.ops.alerts.tables import publish
from tests.ops.test_accounts import home as extracted
from tests.ops.test_accounts import mails, without
from tests.pipelines.conftest import Home
from tests.pipelines.stores import publish_now

pytestmark = pytest.mark.slow

__all__ = ["extracted", "mails"]  # fixtures

FIRST = date(2026, 6, 1)  # a Monday
TODAY = FIRST + timedelta(weeks=9)
LATE = '[status]\noldest_unread_after_s = 0.2\n[logging]\nops = "warning"\n'
FEW = {f"europe-{number}" for number in (0, 2, 3, 5, 9, 11)}


@dataclass
class Whole:
    """A home, whom it tells, and the time."""

    settings: conf.Settings
    posts: Posts
    mails: Mails
    sent: list[Mail]
    now: datetime
    offset: int = 0
    told: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def until(self, now: datetime, but: Callable[[Mail], Mail | None] = lambda mail: mail) -> None:
        """What dealers send up to then is extracted."""
        new = [read for mail in self.sent if self.now < mail.at <= now and (read := but(mail))]
        self.offset = publish(self.settings, new, self.offset)
        self.now = now

    def look(self, times: int = 2, minutes: float = 1) -> list[tuple[str, str, str]]:
        """Look so often; what both sinks were newly told: state, kind, subject."""
        for _ in range(times):
            self.now += timedelta(minutes=minutes)
            look(self.settings, self.now)
        posted = Counter((body["state"], body["kind"], body["subject"]) for _, body in self.posts.got)
        assert len(self.mails.mails) == posted.total(), "both sinks are told the same"
        new, self.told = posted - self.told, posted
        return sorted(new.elements())


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Whole]:
    """Nine weeks of six dealers' mails; a sink that takes mails and one that takes POSTs, and a heartbeat."""
    received = Mails()
    with receiver() as posts, mail_server(received) as server:
        file = make_home(tmp_path / "home")
        sinks = f"""
[alerts]
accounts_every_s = 31_536_000
heartbeat = "http://127.0.0.1:{posts.server_port}/beat"
[[alerts.sinks]]
name = "hook"
kind = "webhook"
url = "{posts.url}"
[[alerts.sinks]]
name = "mail"
kind = "smtp"
server = "{server}"
security = "plain"
sender = "otclog@a.example"
to = ["desk@a.example"]
"""
        file.write_text(file.read_text() + LATE + sinks)
        settings = conf.load(file, {})
        with closing(open_log(settings.log)) as log:
            log.create_topic("mails", 2)
        sent = [mail for mail in traffic.mails(FIRST, 7 * 12, lambda *_: False) if mail.dealer in FEW]
        start = datetime(FIRST.year, FIRST.month, FIRST.day, tzinfo=UTC)
        found = Whole(settings, posts, received, sent, start)
        with opened(settings.alerts.state) as db:  # of generated rows no run says that it made them: nobody asks
            for kind in ("rows", "groups", "claims"):
                db.execute("INSERT INTO accounts VALUES (?, ?, '', '')", (kind, ms(start + timedelta(days=365))))
        found.until(at(TODAY, 0))
        yield found


def at(day: date, hour: int) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def test_dealers_that_fall_silent_or_are_read_no_more_are_told_of_once_and_resolved(whole: Whole) -> None:
    name = regular()
    for days in range(1, 4):  # Monday to Wednesday; it is silent on Tuesday
        day = TODAY + timedelta(days=days - 1)
        whole.until(at(day, 20), lambda mail: None if mail.dealer == name and mail.at.date().weekday() == 1 else mail)
        expected = [[], [("firing", "silent", name)], [("resolved", "silent", name)]]
        assert whole.look() == expected[days - 1]
    assert whole.look() == []
    whole.until(at(TODAY + timedelta(days=3), 23), lambda _: None)
    assert whole.look() == [], "a holiday of all"
    whole.until(
        at(TODAY + timedelta(days=4), 23),
        lambda mail: mail._replace(quotes=0, filled=0) if mail.dealer == name else mail,
    )
    assert whole.look() == [("firing", "quotes", name)]
    assert whole.look() == []
    whole.until(at(TODAY + timedelta(days=7), 23))
    assert whole.look() == [("resolved", "quotes", name)]


def test_a_replica_that_vanishes_and_a_log_that_is_down_are_told_of_once_and_resolved(whole: Whole) -> None:
    assert whole.look() == []
    replica = whole.settings.log.replicas[1]
    replica.rename(replica.with_name("away"))
    assert whole.look(1) == []
    assert whole.look(1) == [("firing", "replica", "2")]
    replica.with_name("away").rename(replica)
    with closing(open_log(whole.settings.log)) as log:
        log.tend()
    assert whole.look(3) == [("resolved", "replica", "2")]
    root, away = whole.settings.log.root, whole.settings.log.root.with_name("away")
    beats = whole.posts.beats
    root.rename(away)
    assert whole.look(5) == [("firing", "log", str(root))]
    assert whole.posts.beats == beats, "what is not known is not well"
    away.rename(root)
    assert whole.look(3) == [("resolved", "log", str(root))]
    assert whole.posts.beats > beats


def test_of_what_cannot_be_asked_nothing_is_resolved(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    root = whole.settings.log.root
    (root / "heartbeats").mkdir(0o700)
    dead = Beat("watch", "mail", "here", "1", pid=2**22 + 1, start_ticks=1, boot="", started=1.0, beat=1.0)
    (root / "heartbeats" / "watch-1-1-.json").write_text(json.dumps(asdict(dead)))
    with monkeypatch.context() as full:
        full.setattr(findings, "FREE_BYTES", 1 << 60)
        assert whole.look() == [("firing", "disk", str(root)), ("firing", "process", "watch")]
    with monkeypatch.context() as failing:
        failing.setattr("ops.findings.shutil.disk_usage", broken)
        assert whole.look(4) == [("firing", "disk", str(root))], "now critical"
    away = root.with_name("away")
    root.rename(away)
    assert whole.look(4) == [("firing", "log", str(root))]
    away.rename(root)
    (root / "heartbeats" / "watch-1-1-.json").unlink()
    resolved = [("resolved", "disk", str(root)), ("resolved", "log", str(root)), ("resolved", "process", "watch")]
    assert whole.look(3) == resolved


def broken(*_: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_disk_that_fills_is_told_of_as_long_as_it_is_full(whole: Whole, needs: Callable[..., str]) -> None:
    mount, umount = needs("mount", root=True), needs("umount", root=True)
    folder = whole.settings.ingest.sources[0].path
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=False, capture_output=True)
    if done.returncode:
        pytest.skip(f"a disk cannot be mounted here: {done.stderr.decode()}")
    try:
        for name in ("new", "cur", "tmp"):
            (folder / name).mkdir(0o700)
        assert whole.look(3) == [("firing", "disk", str(folder))]
    finally:
        subprocess.run([umount, folder], check=True)
    assert whole.look(3) == [("resolved", "disk", str(folder))]


def test_an_analysis_that_is_dead_is_told_of_and_stops_the_heartbeat(whole: Whole) -> None:
    with closing(open_log(whole.settings.log)) as log:
        ensure_topic(log)
        say(log)
        analyse(whole.settings, log)
        whole.look()
        assert whole.posts.beats == 2
        say(log)
        time.sleep(0.3)
        assert whole.look(3) == [("firing", "lag", f"ops-analyse/{TOPIC}")]
        assert whole.posts.beats == 2
        analyse(whole.settings, log)
    assert whole.look(3) == [("resolved", "lag", f"ops-analyse/{TOPIC}")]
    assert whole.posts.beats == 5


def say(log: Any) -> None:
    log.append(TOPIC, [record_of({"event": "late", "level": "warning"}, "here", "test")])


def test_tables_that_cannot_be_read_are_told_of_and_leave_dealers_as_they_are(whole: Whole) -> None:
    name = regular()
    whole.until(at(TODAY + timedelta(days=1), 0))
    whole.until(at(TODAY + timedelta(days=1), 20), lambda mail: None if mail.dealer == name else mail)
    assert whole.look() == [("firing", "silent", name)]
    whole.until(at(TODAY + timedelta(days=2), 6), lambda _: None)
    tables = whole.settings.tables.folder
    assert tables
    (tables / "mails").rename(tables / "away")
    told = whole.look(3)
    assert ("firing", "alerts", "look") in told
    assert ("resolved", "silent", name) not in told
    (tables / "away").rename(tables / "mails")
    assert ("resolved", "alerts", "look") in whole.look(3)


def test_a_long_history_is_counted_by_several_looks_and_dealers_are_judged_once_it_is_whole(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = regular()
    whole.until(at(TODAY + timedelta(days=1), 0))
    whole.until(at(TODAY + timedelta(days=1), 20), lambda mail: None if mail.dealer == name else mail)
    monkeypatch.setattr("ops.alerts.looking.COUNTING_S", 0.0)
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    disk = ("firing", "disk", str(whole.settings.log.root))
    assert whole.look() == [disk], "what else is wrong is told meanwhile"
    assert whole.look(10) == []
    assert whole.look(3) == [("firing", "silent", name)]
    assert whole.look() == []


def test_in_thirty_quiet_days_nobody_is_told_and_each_look_is_a_sign_of_life(whole: Whole) -> None:
    looks = 0
    for hours in range(7, 24 * 30, 8):
        whole.until(
            at(TODAY, 0) + timedelta(hours=hours), lambda mail: None if mail.at.day == 26 else mail
        )  # a holiday
        assert whole.look(1) == [], whole.now
        looks += 1
    assert whole.posts.beats == looks


def test_what_is_wrong_besides_is_told_though_nobody_can_judge_dealers(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ops.alerts.looking.falls", broken)
    assert [kind for _, kind, _ in whole.look(3)] == ["alerts"]
    monkeypatch.undo()
    assert [(state, kind) for state, kind, _ in whole.look(3)] == [("resolved", "alerts")]


def test_while_mails_wait_to_be_extracted_nobody_is_called_silent_for_what_may_be_among_them(
    settings: conf.Settings,
) -> None:
    now = datetime.now(UTC) + timedelta(days=1)
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        assert _complete_until(list(status(settings)), settings, now) == now
        log.append("mails", [Record(b"key", b"mail")])
    complete = _complete_until(list(status(settings)), settings, now)
    assert complete
    assert now - timedelta(days=1, minutes=2) < complete < now - timedelta(hours=23)


def test_mails_without_an_outcome_are_told_at_once_and_resolved_within_the_hour(
    extracted: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, now = extracted.settings, datetime.now(UTC)
    for name in ("new", "cur", "tmp"):
        (settings.ingest.sources[0].path / name).mkdir(parents=True)
    whole = latest(extracted.store).versions
    without(extracted, "mails", OffsetRange("mails", 1, 1, 2))
    account(settings, now)
    look(settings, now)
    assert "firing: rows tables: mails-1: 1 offsets that were extracted have no outcome: 1" in capsys.readouterr().out
    publish_now(extracted.store, new_run_id(), dict(whole))
    account(settings, now + timedelta(minutes=30))
    look(settings, now + timedelta(minutes=30))
    assert "rows" not in capsys.readouterr().out
    account(settings, now + timedelta(minutes=61))
    look(settings, now + timedelta(minutes=61))
    assert "resolved: rows tables: " in capsys.readouterr().out


def test_a_receiver_that_is_down_for_an_hour_hears_each_change_once_in_order(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.posts.answers += [500, 503, 500]
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    for number in range(8):
        look(whole.settings, whole.now + timedelta(minutes=10 * number))
        if number == 3:
            monkeypatch.undo()
    said = [(body["id"], body["state"]) for _, body in whole.posts.got]
    assert [state for state, _ in Counter(said).items()] == list(dict.fromkeys(said))
    assert [state for _, state in dict.fromkeys(said)] == ["firing", "resolved"]
    assert len(whole.mails.mails) == 2


def test_alerts_survive_kills_neither_lost_nor_told_by_two_ids(tmp_path: Path) -> None:
    """Runs of the command are killed at any time, while a program is told of a disk that is full now and then."""
    file, out, chance = make_home(tmp_path / "home"), tmp_path / "out", random.Random(5)
    told = f"import sys; open({str(out)!r}, 'a').write(sys.stdin.read() + chr(10))"
    sink = f'[[alerts.sinks]]\nname = "page"\nkind = "command"\ncommand = ["{sys.executable}", "-c", "{told}"]\n'
    file.write_text(f"{file.read_text()}\n[alerts]\nlooks = 1\n{sink}")
    for number in range(12):
        is_full = number % 2 == 0
        code = f"from ops import findings; findings.FREE_BYTES = {1 << 60 if is_full else 0}; from otclog import main; main()"
        command = [sys.executable, "-c", code, "ops", "alerts", "run", "--config", str(file)]
        if chance.random() < 0.7:
            process = subprocess.Popen(command, cwd=Path(__file__).parents[3])
            time.sleep(chance.uniform(0.3, 2.5))
            process.send_signal(signal.SIGKILL)
            process.wait()
        subprocess.run(command, cwd=Path(__file__).parents[3], check=True)
    said = [json.loads(line) for line in out.read_text().splitlines() if line]
    states = [body["state"] for body in {body["id"]: body for body in said}.values()]
    assert states == ["firing", "resolved"] * 6


def test_while_the_log_is_away_no_dealer_is_called_silent_and_none_that_was_is_called_back(whole: Whole) -> None:
    name, tuesday = regular(), TODAY + timedelta(days=1)
    whole.until(at(tuesday, 0))
    assert whole.look() == []
    whole.until(at(tuesday, 20), lambda mail: None if mail.dealer == name else mail)
    root, away = whole.settings.log.root, whole.settings.log.root.with_name("away")
    root.rename(away)
    assert whole.look(3) == [("firing", "log", str(root))]
    away.rename(root)
    assert whole.look(3) == [("firing", "silent", name), ("resolved", "log", str(root))]
    root.rename(away)
    assert whole.look(3) == [("firing", "log", str(root))]
    away.rename(root)
    assert whole.look(3) == [("resolved", "log", str(root))]


def test_old_mails_that_an_import_left_waiting_keep_nobody_from_being_called_silent(settings: conf.Settings) -> None:
    now = datetime.now(UTC) + timedelta(days=1)
    with closing(open_log(settings.log)) as log:
        for topic in ("mails", settings.ingest.backfill_topic):
            log.create_topic(topic, 1)
        log.append(settings.ingest.backfill_topic, [Record(b"key", b"mail")])
    lines = list(status(settings))
    waiting = [line.values["topic"] for line in lines if line.what == "group" and line.values["oldest_unread"]]
    assert waiting == [settings.ingest.backfill_topic]
    assert _complete_until(lines, settings, now) == now
