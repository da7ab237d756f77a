"""conf/systemd, conf/logrotate.conf, conf/crontab: files that programs of the system read, tried with those programs."""

from __future__ import annotations

import os
import pwd
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from conf import Settings
from log import open_log
from log.opslog import TOPIC, ensure_topic, record_of

ROOT = Path(__file__).parent.parent.parent
SYSTEMD = ROOT / "conf" / "systemd"
SERVICES = sorted(path.name for path in SYSTEMD.glob("*.service"))
BIN = str(Path(sys.executable).parent)
MOST = 2.0  # exposure, of 10
MAIL = b"From: a@b.example\n\nrun\n"

Needs = Callable[[str], str]


@pytest.mark.parametrize("unit", sorted(path.name for path in SYSTEMD.glob("otclog-*.[st]*[er]")))
def test_systemd_finds_nothing_wrong_with_a_unit(needs: Needs, unit: str) -> None:
    done = subprocess.run(
        [needs("systemd-analyze"), "verify", SYSTEMD / unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_is_exposed_to_little(needs: Needs, unit: str) -> None:
    command: list[str | Path] = [needs("systemd-analyze"), "security", "--offline=true", SYSTEMD / unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for (\S+): ([\d.]+)", done.stdout)
    assert found, done.stderr
    sys.stdout.write(found[0])
    assert float(found[2]) <= MOST


@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_starts_a_command_that_there_is(unit: str) -> None:
    text = (SYSTEMD / unit).read_text()
    (start,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    (path,) = re.findall(r"^Environment=PATH=(.+)$", text, re.MULTILINE)
    environ = {"PATH": path.replace("/opt/otclog/.venv/bin", BIN)}
    done = subprocess.run([*start.split(), "--help"], env=environ, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Usage" in done.stdout


@pytest.fixture(scope="module")
def allowed(needs: Needs) -> set[str]:
    """The system calls that the watcher's unit leaves, as systemd's own sets say."""
    return left_by(needs, "otclog-watch.service")


def left_by(needs: Needs, unit: str) -> set[str]:
    """The system calls that a unit leaves."""
    text = (SYSTEMD / unit).read_text()
    calls: set[str] = set(expanded(needs, "@default"))
    for names in re.findall(r"^SystemCallFilter=(.+)$", text, re.MULTILINE):
        named = {call for name in names.removeprefix("~").split() for call in expanded(needs, name)}
        calls = calls - named if names.startswith("~") else calls | named
    return calls


def expanded(needs: Needs, name: str) -> Iterator[str]:
    if not name.startswith("@"):
        yield name
        return
    command = [needs("systemd-analyze"), "syscall-filter", name]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            yield from expanded(needs, line)


def called(trace: Path) -> set[str]:
    """The system calls in a trace, but for what SQLite does for root alone."""
    lines = trace.read_text(errors="replace").splitlines()
    found = {match[1] for line in lines if (match := re.match(r"\d+\s+(?:<\.\.\. )?([a-z]\w*)[( ]", line))}
    return found - ({"fchown"} if os.geteuid() == 0 else set())


@pytest.mark.slow
def test_the_watcher_makes_only_the_calls_that_its_unit_leaves_it(
    needs: Needs, allowed: set[str], settings: Settings, tmp_path: Path
) -> None:
    new = settings.ingest.sources[0].path / "new"
    new.mkdir(parents=True)
    (new / "mail").write_bytes(MAIL)
    strace = (needs("strace"), "-f", "-qq", "-o", str(tmp_path / "trace"))
    command = [*strace, f"{BIN}/otclog", "watch", "--once", "--config", str(tmp_path / "otclog.toml")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert not list(new.iterdir())
    assert len(called(tmp_path / "trace")) > 20
    assert called(tmp_path / "trace") - allowed == set()


@pytest.mark.slow
def test_the_lmtp_daemon_makes_only_the_calls_that_its_unit_leaves_it(
    needs: Needs, allowed: set[str], settings: Settings, tmp_path: Path
) -> None:
    strace = (needs("strace"), "-f", "-qq", "-o", str(tmp_path / "trace"))
    config = ("--config", str(tmp_path / "otclog.toml"))
    with subprocess.Popen([*strace, f"{BIN}/otclog", "lmtp", *config], stderr=subprocess.DEVNULL) as tracer:
        try:
            end = time.monotonic() + 120
            while subprocess.run(
                [f"{BIN}/otclog-deliver", *config], input=MAIL, check=False, capture_output=True
            ).returncode:
                assert time.monotonic() < end
                time.sleep(0.1)
            daemon = int(Path(f"/proc/{tracer.pid}/task/{tracer.pid}/children").read_text().split()[0])
            os.kill(daemon, signal.SIGTERM)
            assert tracer.wait(60) == 0
        finally:
            tracer.kill()
    assert settings.lmtp.socket is not None
    assert called(tmp_path / "trace") - allowed == set()


@pytest.mark.slow
def test_what_ships_the_journal_makes_only_the_calls_that_its_unit_leaves_it(
    needs: Needs, allowed: set[str], settings: Settings, tmp_path: Path
) -> None:
    with closing(open_log(settings.log)):
        pass
    journal = tmp_path / "one.journal"
    entry = b"__REALTIME_TIMESTAMP=1795900000000000\n__MONOTONIC_TIMESTAMP=1\n_BOOT_ID=%s\nMESSAGE=x\n\n" % (
        b"0123" * 8
    )
    remote = [needs("systemd-journal-remote"), f"--output={journal}", "-"]
    subprocess.run(remote, input=entry, check=True, capture_output=True)
    strace = (needs("strace"), "-f", "-qq", "-o", str(tmp_path / "trace"))
    command: list[str | Path] = [
        *strace,
        f"{BIN}/otclog",
        "ops",
        "ship",
        "--journal",
        journal,
        "--once",
        "--config",
        tmp_path / "otclog.toml",
    ]
    done = subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert done.stdout == b"1 line into topic ops\n"
    assert called(tmp_path / "trace") - allowed == set()


@pytest.mark.slow
def test_what_looks_where_the_log_stands_makes_only_the_calls_that_its_unit_leaves_it(
    needs: Needs, settings: Settings, tmp_path: Path
) -> None:
    with closing(open_log(settings.log)):
        pass
    config = tmp_path / "otclog.toml"
    config.write_text(config.read_text() + '[metrics]\nfolder = "metrics"\n')
    strace = (needs("strace"), "-f", "-qq", "-o", str(tmp_path / "trace"))
    command = [*strace, f"{BIN}/otclog", "ops", "metrics", "--listen", "127.0.0.1:0", "--config", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as tracer:
        try:
            assert tracer.stderr
            while not (line := tracer.stderr.readline()).startswith(b"otclog: metrics are at"):
                assert line
            with urlopen(line.split()[-1].decode()) as answer:
                assert b"otclog_disk_free_bytes" in answer.read()
            daemon = int(Path(f"/proc/{tracer.pid}/task/{tracer.pid}/children").read_text().split()[0])
            os.kill(daemon, signal.SIGTERM)
            assert tracer.wait(60) == 0
        finally:
            tracer.kill()
    assert called(tmp_path / "trace") - left_by(needs, "otclog-ops-metrics.service") == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "command"),
    [("analyse", ("analyse",)), ("alerts", ("alerts", "run")), ("accounts", ("alerts", "account"))],
    ids=["analyse", "alerts", "accounts"],
)
def test_what_analyses_and_what_tells_make_only_the_calls_that_their_units_leave_them(
    needs: Needs, settings: Settings, tmp_path: Path, unit: str, command: tuple[str, ...]
) -> None:
    with closing(open_log(settings.log)) as log:
        ensure_topic(log)
        log.append(TOPIC, [record_of({"event": "late"}, "here", "test")])
    strace = (needs("strace"), "-f", "-qq", "-o", str(tmp_path / "trace"))
    config = ("--config", str(tmp_path / "otclog.toml"))
    done = subprocess.run([*strace, f"{BIN}/otclog", "ops", *command, *config], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert len(called(tmp_path / "trace")) > 20
    assert called(tmp_path / "trace") - left_by(needs, f"otclog-ops-{unit}.service") == set()


def test_the_folders_are_their_owners_alone(needs: Needs, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, to make folders of another user")
    (tmp_path / "etc").mkdir()
    for program, arguments in (("systemd-sysusers", []), ("systemd-tmpfiles", ["--create"])):
        file = SYSTEMD / f"otclog-{program.removeprefix('systemd-')}.conf"
        subprocess.run([needs(program), *arguments, f"--root={tmp_path}", file], check=True, capture_output=True)
    user = next(line for line in (tmp_path / "etc" / "passwd").read_text().splitlines() if line.startswith("otclog:"))
    uid, gid = map(int, user.split(":")[2:4])
    for name in ("etc/otclog", "run/otclog", "var/lib/otclog", "var/lib/otclog/mail", "var/log/otclog"):
        status = (tmp_path / name).stat()
        mode = 0o710 if name == "run/otclog" else 0o700  # the group may pass to the socket, and do nothing else
        assert (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid) == (mode, uid, gid)


def test_logrotate_rotates_and_keeps_files_private(needs: Needs, tmp_path: Path) -> None:
    logrotate = needs("logrotate")
    me = pwd.getpwuid(os.geteuid())
    files = tmp_path / "log" / "fetchmail.log", tmp_path / "lib" / "messages.log"
    for file in files:
        file.parent.mkdir(mode=0o700)
        file.write_text("line\n")
    text = (ROOT / "conf" / "logrotate.conf").read_text()
    text = text.replace("/var/log/otclog", str(tmp_path / "log"))
    text = text.replace("/var/lib/otclog", str(tmp_path / "lib")).replace("otclog otclog", f"{me.pw_name} {me.pw_gid}")
    (tmp_path / "conf").write_text(text)
    (tmp_path / "conf").chmod(0o600)
    for _ in range(2):
        command: list[str | Path] = [logrotate, "--force", "--state", tmp_path / "state", tmp_path / "conf"]
        subprocess.run(command, check=True, capture_output=True)
        for file in files:
            file.write_text("next\n")
    for file in files:
        kept = sorted(path.name for path in file.parent.iterdir())
        assert kept == [file.name, f"{file.name}.1", f"{file.name}.2.gz"]
        assert file.stat().st_mode & 0o777 == 0o600


def test_each_line_for_cron_runs_a_program_that_there_is_as_otclog(needs: Needs) -> None:
    text = (ROOT / "conf" / "crontab").read_text()
    lines = [line for line in text.splitlines() if line and not re.match(r"#|[A-Z_]+=", line)]
    assert len(lines) == 7
    for line in lines:
        *when, user, command = line.split(None, 6)
        assert len(when) == 5
        assert all(re.fullmatch(r"[\d*/,-]+", each) for each in when)
        assert user == "otclog"
        umask, _, program = command.partition("; ")
        assert umask == "umask 077"
        assert subprocess.run(["/bin/sh", "-n", "-c", command], check=False).returncode == 0
        name = program.split()[0]
        assert Path(BIN, name).exists() or needs(name)
