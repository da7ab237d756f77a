"""ops.alerts.cli: the commands, as they are typed."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import conf
from conf.home import make_home
from ops import findings
from ops.alerts import accounting
from ops.alerts.file import keep_note, ms, opened
from ops.alerts.lines import LOOK, OLD_S
from ops.alerts.outbox import due, failed, give_up
from otclog import app


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The settings of a home whose first look already tells."""
    file = make_home(tmp_path / "home")
    file.write_text(f"{file.read_text()}\n[alerts]\nlooks = 1\n")
    return file


def otclog(file: Path, *words: str, code: int = 0) -> Result:
    done = CliRunner().invoke(app, [*words, "--config", str(file)])
    assert done.exit_code == code, done.output
    return done


def test_what_is_wrong_is_told_by_a_look_listed_until_it_is_right_and_said_by_the_exit_code(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert otclog(file, "ops", "alerts", "--json").stdout == ""
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    said = otclog(file, "ops", "alerts", "run").stdout
    assert said.startswith("firing: disk ")
    assert otclog(file, "ops", "alerts", "run").stdout == ""
    (row,) = map(json.loads, otclog(file, "ops", "alerts", "--json", code=1).stdout.splitlines())
    assert (row["kind"], row["level"], row["state"]) == ("disk", "warning", "firing")
    assert "1 alarm; last look" in otclog(file, "status").stdout
    monkeypatch.undo()
    assert otclog(file, "ops", "alerts", "run").stdout.startswith("resolved: disk ")
    assert otclog(file, "ops", "alerts", "--json").stdout == ""


def test_what_is_silenced_is_listed_with_its_silence_and_told_to_nobody_until_that_is_ended(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    otclog(file, "ops", "alerts", "silence", "disk:*home*", "--for", "2h", "--reason", "it is replaced")
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    assert otclog(file, "ops", "alerts", "run").stdout == ""
    alarm, silence = map(json.loads, otclog(file, "ops", "alerts", "--json", code=1).stdout.splitlines())
    assert (alarm["state"], alarm["kind"]) == ("silenced", "disk")
    assert [silence[name] for name in ("state", "kind", "subject", "text")] == [
        "silence",
        "disk",
        "*home*",
        "it is replaced",
    ]
    ends = datetime.fromisoformat(silence["until"]) - datetime.now(UTC)
    assert timedelta(hours=1) < ends < timedelta(hours=2)
    otclog(file, "ops", "alerts", "silence", "disk:*home*", "--end")
    (row,) = map(json.loads, otclog(file, "ops", "alerts", "--json", code=1).stdout.splitlines())
    assert row["state"] == "firing"
    assert otclog(file, "ops", "alerts", "run").stdout.startswith("firing: disk ")
    assert (
        "there is no silence disk:*home*"
        in otclog(file, "ops", "alerts", "silence", "disk:*home*", "--end", code=2).stderr
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("disk:", "--for", "2h", "--reason", "x"), "names no subject"),
        (("disk", "--for", "2h", "--reason", " "), "how long and why"),
        (("disk", "--for", "2h"), "how long and why"),
        (("disk", "--for", "2h", "--end"), "--end takes no --for"),
    ],
)
def test_a_silence_without_subject_end_or_reason_is_refused(file: Path, words: tuple[str, ...], says: str) -> None:
    told = otclog(file, "ops", "alerts", "silence", *words, code=2).stderr
    assert says in " ".join(told.replace("│", " ").split())


def test_a_look_that_is_old_or_was_never_made_is_told_by_status_and_by_alerts(file: Path) -> None:
    assert "nobody has looked yet" in otclog(file, "ops", "alerts").stderr
    assert "  look  " not in otclog(file, "status").stdout
    otclog(file, "ops", "alerts", "run")
    assert "look: the last was made" in otclog(file, "ops", "alerts").stderr
    with opened(conf.load(file, {}).alerts.state) as db:
        keep_note(db, LOOK, ms(datetime.now(UTC) - timedelta(minutes=16)))
    assert "look: the last was made 16 min ago: does the timer" in otclog(file, "ops", "alerts", code=1).stderr
    assert "warn  look " in otclog(file, "status").stdout
    sink = '[[alerts.sinks]]\nname = "page"\nkind = "command"\ncommand = ["true"]\n'
    file.write_text(file.read_text() + sink)
    assert "fail  look " in otclog(file, "status", code=1).stdout
    otclog(file, "ops", "alerts", "run")
    assert "  look  " not in otclog(file, "status").stdout
    conf.load(file, {}).alerts.state.unlink()
    assert "nobody has looked yet: have a timer" in otclog(file, "ops", "alerts", code=1).stderr
    assert "nobody has looked yet: have a timer" in otclog(file, "status", code=1).stdout


def test_the_help_says_when_the_exit_code_is_1_though_nothing_fires(file: Path) -> None:
    said = " ".join(otclog(file, "ops", "alerts", "--help").stdout.replace("│", " ").split())
    assert f"if the last look is older than {OLD_S / 60:g} minutes" in said
    assert "if nobody has looked yet though the settings name a heartbeat or a sink other than standard output" in said


def test_a_look_after_a_long_time_without_any_is_no_alarm(file: Path) -> None:
    sinks = ['name = "cron"\nkind = "stdout"', 'name = "page"\nkind = "command"\ncommand = ["true"]']
    file.write_text(file.read_text() + "".join(f"[[alerts.sinks]]\n{sink}\n" for sink in sinks))
    with opened(conf.load(file, {}).alerts.state) as db:
        keep_note(db, LOOK, ms(datetime.now(UTC) - timedelta(days=1)))
    assert otclog(file, "ops", "alerts", "run").stdout == ""


@pytest.mark.parametrize(("what", "length"), [("dsk", "2h"), ("disk", "soon")])
def test_a_silence_of_no_alarm_or_no_length_is_refused(file: Path, what: str, length: str) -> None:
    otclog(file, "ops", "alerts", "silence", what, "--for", length, "--reason", "x", code=2)


def test_a_check_tells_each_sink_and_says_which_does_not_take_it(file: Path, tmp_path: Path) -> None:
    sinks = ['name = "cron"\nkind = "stdout"', f'name = "page"\nkind = "command"\ncommand = ["{tmp_path}/none"]']
    file.write_text(file.read_text() + "".join(f"[[alerts.sinks]]\n{sink}\n" for sink in sinks))
    said = otclog(file, "ops", "alerts", "check", "--json", code=1).stdout.splitlines()
    assert [(row["sink"], row["taken"]) for row in map(json.loads, said)] == [("cron", True), ("page", False)]
    assert (
        "test: alerts test: a test of this sink: nothing is wrong"
        in otclog(file, "ops", "alerts", "check", code=1).stdout
    )


def test_status_tells_of_a_sink_that_takes_nothing_and_fails_once_an_alert_is_given_up(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = '[[alerts.sinks]]\nname = "page"\nkind = "command"\ncommand = ["false"]\n'
    file.write_text(file.read_text() + sink)
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    told = otclog(file, "ops", "alerts", "run", code=75).stderr
    assert "sink page: 1 alert not taken yet: false: ended with 1" in told
    assert "sink page: 1 alert not taken yet" in otclog(file, "ops", "alerts", code=1).stderr
    otclog(file, "ops", "alerts", "run")
    monkeypatch.undo()
    assert "warn  alerts   page: 1 alert not taken yet: false: ended with 1" in otclog(file, "status").stdout
    now = datetime.now(UTC) + timedelta(days=1, seconds=1)
    with opened(conf.load(file, {}).alerts.state) as db:
        failed(db, due(db, "page", now)[0].number, "down", now)
        give_up(db, ["page"], now)
    said = otclog(file, "status", code=1).stdout
    assert "fail  alerts   page: 1 alert not taken yet; 1 alert undelivered in the last day: down" in said


def test_that_something_fires_and_there_is_no_sink_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(file.read_text().replace("looks = 1", "looks = 1\nsinks = []"))
    assert otclog(file, "ops", "alerts", "run").stderr == ""
    monkeypatch.setattr(findings, "FREE_BYTES", 1 << 60)
    assert "nobody is told: the settings have no [[alerts.sinks]]" in otclog(file, "ops", "alerts", "run").stderr


def test_an_account_says_why_it_cannot_be_asked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert otclog(file, "ops", "alerts", "account").output == ""

    def broken(_: conf.Settings) -> None:
        raise OSError(5, "Input/output error", "/data")

    monkeypatch.setitem(accounting._CHECKS, "claims", ("log", broken))
    with opened(conf.load(file, {}).alerts.state) as db:
        db.execute("DELETE FROM accounts")
    told = otclog(file, "ops", "alerts", "account", code=1).stderr
    assert told == "cannot be asked: claims: /data: Input/output error\n"


def test_a_file_of_another_version_is_told_as_that(file: Path) -> None:
    with opened(conf.load(file, {}).alerts.state) as db:
        db.execute("ALTER TABLE outbox DROP COLUMN whom")
    assert "move it away" in otclog(file, "ops", "alerts", "run", code=1).stderr


def test_a_file_that_cannot_be_used_is_told_in_a_line(file: Path) -> None:
    conf.load(file, {}).alerts.state.write_bytes(b"no database, but a text of some length")
    conf.load(file, {}).alerts.state.chmod(0o600)
    command: list[str | Path] = [Path(sys.executable).with_name("otclog"), "ops", "alerts", "run", "--config", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{conf.load(file, {}).alerts.state}: alerts cannot be kept: file is not a database. It is" in done.stderr
    assert "move it away, and the next look begins a new one" in done.stderr
    assert "lost are silences, what was still to be told" in done.stderr
    assert "Traceback" not in done.stderr
