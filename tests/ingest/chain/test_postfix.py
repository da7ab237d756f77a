"""From Postfix into the log, by the lines of conf/postfix: over LMTP as another user, and through otclog-deliver.

A private Postfix on a loopback port, its queue and settings in a folder of its own. Postfix adds its `Received` line
above what a sender gave it; below that, mails are compared byte for byte.
"""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import conf
from log import CommitLog, StoredRecord, open_log

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CONF = ROOT / "conf" / "postfix"
OTCLOG = str(Path(sys.executable).with_name("otclog"))
SAMPLES = [path.read_bytes() for path in sorted((ROOT / "samples").glob("*.eml"))]
DESK, STRANGER = "desk@prices.example.com", "somebody@prices.example.com"
# Postfix' own services, of its master.cf.proto, without chroot. qmgr is woken each second, not each 300: a mail that it
# finds still held by a delivery goes back to the incoming queue, which it reads when a mail comes or when it is woken.
SERVICES = """\
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
discard unix - - n - - discard
"""

Needs = Callable[[str], str]
Stored = Callable[[CommitLog, str], list[StoredRecord]]
Spawn = Callable[..., "subprocess.Popen[bytes]"]


class Postfix:
    """Runs until `end`. Its folder is open to all: its programs have a user of their own, `postfix`."""

    def __init__(self, spawn: Spawn, program: str, folder: Path, config: dict[str, str]) -> None:
        self.port = free_port()
        self._folder, self._program = folder, program
        (folder / "etc").mkdir()
        for name in ("queue", "data"):
            (folder / name).mkdir()
        shutil.chown(folder / "data", "postfix")
        (folder / "etc" / "main.cf").write_text(
            f"compatibility_level = 3.6\nqueue_directory = {folder}/queue\ndata_directory = {folder}/data\n"
            f"maillog_file = {folder}/log\nmaillog_file_prefixes = {folder}\ninet_interfaces = loopback-only\n"
            "myhostname = mx.example.com\nmydestination =\nmynetworks = 127.0.0.0/8\nalias_maps =\n"
            "minimal_backoff_time = 1s\nmaximal_backoff_time = 2s\nqueue_run_delay = 1s\nnotify_classes =\n"
            "smtpd_peername_lookup = no\nsmtp_dns_support_level = disabled\ndefault_transport = discard:\n"
            + config["main.cf"]
        )
        own = f"127.0.0.1:{self.port} inet n - n - - smtpd\n{SERVICES}"
        (folder / "etc" / "master.cf").write_text(own + config["master.cf"])
        command = [program, "-c", str(folder / "etc"), "start-fg"]
        self._process = spawn(command, start_new_session=True, stderr=subprocess.DEVNULL)
        until(self._listens, 60, self.log)

    def send(self, raw: bytes, to: str = DESK) -> None:
        """Hand it a mail by SMTP; the sender need not come again. Raises SMTPException where it is refused."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail("dealer@bank.example", [to], raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    def log(self) -> str:
        """What it has said."""
        return (self._folder / "log").read_text() if (self._folder / "log").exists() else ""

    def queued(self) -> int:
        """Mails it still holds: by their names, looked at twice, for they move from folder to folder meanwhile."""
        kinds = ("incoming", "active", "deferred", "maildrop") * 2
        found = [path for kind in kinds for path in (self._folder / "queue" / kind).rglob("*") if path.is_file()]
        return len({path.name for path in found})

    def end(self) -> None:
        """End the whole of it, by the number its master wrote down."""
        file = self._folder / "queue" / "pid" / "master.pid"
        if file.exists():
            os.kill(int(file.read_text()), signal.SIGTERM)
        self._process.wait(60)

    def _listens(self) -> bool:
        assert self._process.poll() is None, self.log()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def home(needs: Needs) -> Iterator[Path]:
    """A folder whose inside others may reach; below it, otclog's home."""
    if os.geteuid() != 0:
        pytest.skip("needs root: Postfix' programs have users of their own")
    needs("postfix")
    folder = Path(tempfile.mkdtemp(prefix="otclog-postfix-"))
    folder.chmod(0o711)
    (folder / "lib").mkdir(0o700)
    (folder / "run").mkdir(0o710)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def start(home: Path, needs: Needs, spawn: Spawn) -> Iterator[Callable[[dict[str, str]], Postfix]]:
    """Starts a Postfix with the lines of conf/postfix, its paths put below the folder and these changes."""
    started: list[Postfix] = []

    def run(changes: dict[str, str]) -> Postfix:
        texts = {}
        for name in ("main.cf", "master.cf"):
            text = (CONF / name).read_text()
            for old, new in changes.items():
                text = text.replace(old, new)
            texts[name] = text.replace("/run/otclog", str(home / "run"))
        (home / "postfix").mkdir(0o755)
        started.append(Postfix(spawn, needs("postfix"), home / "postfix", texts))
        return started[-1]

    yield run
    for each in started:
        each.end()


@contextmanager
def lmtp(home: Path, group: str) -> Iterator[None]:
    """The daemon, its socket's folder as conf/systemd/otclog-tmpfiles.conf makes it."""
    os.chown(home / "run", 0, grp.getgrnam(group).gr_gid)
    (home / "lib" / "otclog.toml").write_text(
        f'[log]\nroot = "log"\nreplicas = ["log/1", "log/2", "log/3"]\n'
        f'[lmtp]\nsocket = "{home}/run/lmtp.sock"\ngroup = "{group}"\n'
    )
    command = [OTCLOG, "lmtp", "--json", "--config", str(home / "lib" / "otclog.toml")]
    with subprocess.Popen(command, cwd=home / "lib", stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "listening" in json.loads(process.stdout.readline())
            yield
            process.terminate()
            process.stdout.read()
            assert process.wait(60) == 0
        finally:
            process.kill()


def as_sent(home: Path, stored: Stored) -> list[bytes]:
    """What the log has, below the line that Postfix put above it, its line ends LF."""
    settings = conf.load(home / "lib" / "otclog.toml", {})
    with closing(open_log(settings.log)) as log:
        values = [(record.value or b"").replace(b"\r\n", b"\n") for record in stored(log, "mails")]
    received = re.compile(rb"Received: from .*\n(?:[ \t].*\n)+")
    assert all(received.match(value) for value in values)
    return sorted(received.sub(b"", value, count=1) for value in values)


def sent(raws: list[bytes]) -> list[bytes]:
    return sorted(raw.replace(b"\r\n", b"\n") for raw in raws)


def until(condition: Callable[[], bool], seconds: float, said: Callable[[], str]) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, said()
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def through_deliver(home: Path) -> dict[str, str]:
    """Changes to the sample: a user who is there, and a Python that he may run."""
    environ = f"PYTHONPATH={ROOT} OTCLOG_LMTP_SOCKET={home}/run/lmtp.sock"
    script = "import sys, ingest.deliver; sys.exit(ingest.deliver.main())"
    program = f"/usr/bin/env {environ} /usr/bin/python3 -c {{ {script} }}"
    deliver = "/opt/otclog/.venv/bin/otclog-deliver --config /etc/otclog/otclog.toml"
    chosen = {"virtual_transport = otclog:": "#", "# virtual_transport = otclog-d": "virtual_transport = otclog-d"}
    return {**chosen, deliver: program, "user=otclog:otclog": "user=nobody:nogroup"}


def test_over_lmtp_postfix_delivers_as_a_user_of_the_sockets_group_and_every_mail_is_in_the_log(
    home: Path, start: Callable[[dict[str, str]], Postfix], stored: Stored
) -> None:
    with lmtp(home, "postfix"):
        postfix = start({})
        for raw in SAMPLES:
            postfix.send(raw)
        until(lambda: postfix.queued() == 0, 120, postfix.log)
        assert pwd.getpwnam("postfix").pw_uid != (home / "run" / "lmtp.sock").stat().st_uid
    assert as_sent(home, stored) == sent(SAMPLES)


def test_through_otclog_deliver_every_mail_is_in_the_log(
    home: Path, start: Callable[[dict[str, str]], Postfix], stored: Stored
) -> None:
    with lmtp(home, "nogroup"):
        postfix = start(through_deliver(home))
        for raw in SAMPLES[:4]:
            postfix.send(raw)
        until(lambda: postfix.queued() == 0, 120, postfix.log)
    assert as_sent(home, stored) == sent(SAMPLES[:4])


@pytest.mark.parametrize("by_pipe", [False, True], ids=["LMTP", "otclog-deliver"])
def test_while_the_daemon_is_away_postfix_keeps_the_mail_and_brings_it_once(
    home: Path, start: Callable[[dict[str, str]], Postfix], stored: Stored, by_pipe: bool
) -> None:
    postfix = start(through_deliver(home) if by_pipe else {})
    postfix.send(SAMPLES[0])
    until(lambda: "status=deferred" in postfix.log(), 60, postfix.log)
    with lmtp(home, "nogroup" if by_pipe else "postfix"):
        until(lambda: postfix.queued() == 0, 120, postfix.log)
    assert "status=bounced" not in postfix.log()
    assert as_sent(home, stored) == sent(SAMPLES[:1])


def test_a_socket_whose_group_is_another_is_closed_to_postfix_and_the_mail_stays(
    home: Path, start: Callable[[dict[str, str]], Postfix], stored: Stored
) -> None:
    with lmtp(home, "nogroup"):
        postfix = start({})
        postfix.send(SAMPLES[0])
        until(lambda: "status=deferred" in postfix.log(), 60, postfix.log)
        assert "Permission denied" in postfix.log()
        assert postfix.queued() == 1
    assert as_sent(home, stored) == []


def test_lines_longer_than_smtp_allows_come_whole_and_strangers_are_refused(
    home: Path, start: Callable[[dict[str, str]], Postfix], stored: Stored
) -> None:
    long = b"From: d@x.example\nMessage-ID: <1@x.example>\nDate: Mon, 23 Nov 2026 09:00:00 +0000\n\n"
    long += b"ABC 5.25 99.5/100.5 " * 3000 + b"\n"
    with lmtp(home, "postfix"):
        postfix = start({})
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            postfix.send(long, STRANGER)
        postfix.send(long)
        until(lambda: postfix.queued() == 0, 120, postfix.log)
    assert as_sent(home, stored) == [long]
