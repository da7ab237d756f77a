"""The daemon as a process of its own: asked to end, killed, and under many clients at once."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol

import pytest

from conf import Settings
from log import CommitLog, StoredRecord, open_log

KILLS = 4
CLIENTS = 6


class Client(Protocol):
    def reply(self) -> str: ...
    def say(self, line: str | bytes, replies: int = 1) -> list[str]: ...
    def send(self, raw: bytes) -> None: ...
    def begin(self, *recipients: str) -> list[str]: ...
    def close(self) -> None: ...


StartDaemon = Callable[..., "subprocess.Popen[bytes]"]
Connect = Callable[[Path], Client]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


def logged(settings: Settings, stored: Stored) -> Counter[bytes | None]:
    with closing(open_log(settings.log)) as log:
        return Counter(record.value for record in stored(log, "mails"))


def deliver(client: Client, raw: bytes) -> str:
    client.send(b"MAIL FROM:<>\r\nRCPT TO:<a@here>\r\nBDAT %d LAST\r\n%s" % (len(raw), raw))
    return [client.reply() for _ in range(3)][-1]


def test_asked_to_end_it_finishes_the_mail_under_way_and_sends_the_others_off(
    settings: Settings, start_daemon: StartDaemon, connect: Connect, stored: Stored
) -> None:
    daemon = start_daemon()
    assert settings.lmtp.socket is not None
    idle, busy = connect(settings.lmtp.socket), connect(settings.lmtp.socket)
    idle.say("LHLO here")
    busy.begin("a@here")
    assert busy.say("DATA")[0].startswith("354")
    busy.send(b"From: a@b.example\r\n")
    daemon.send_signal(signal.SIGTERM)
    assert idle.reply()[:3] == "421"
    assert not idle.reply()
    assert busy.say(b"\r\nrest\r\n.")[0][:3] == "250"
    assert not busy.reply()
    assert daemon.wait(30) == 0
    assert not settings.lmtp.socket.exists()
    assert list(logged(settings, stored)) == [b"From: a@b.example\r\n\r\nrest\r\n"]


def test_a_second_signal_ends_it_at_once(
    settings: Settings, start_daemon: StartDaemon, connect: Connect, stored: Stored
) -> None:
    daemon = start_daemon()
    assert settings.lmtp.socket is not None
    client, idle = connect(settings.lmtp.socket), connect(settings.lmtp.socket)
    idle.say("LHLO here")
    client.begin("a@here")
    client.say("DATA")
    daemon.send_signal(signal.SIGTERM)
    assert idle.reply()[:3] == "421"
    assert daemon.poll() is None, "the mail under way may come in yet"
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(30) == -signal.SIGTERM
    assert logged(settings, stored) == {}


@pytest.mark.slow
def test_killed_at_any_moment_it_has_every_mail_that_it_acknowledged_once(
    settings: Settings,
    start_daemon: StartDaemon,
    connect: Connect,
    stored: Stored,
    record_property: Callable[[str, object], None],
) -> None:
    assert settings.lmtp.socket is not None
    path = settings.lmtp.socket
    chance = random.Random(5)
    acknowledged: set[bytes] = set()
    sent: set[bytes] = set()

    def send_until_it_dies(client: Client, number: int) -> None:
        with suppress(OSError):
            client.say("LHLO here")
            while True:
                raw = b"From: d%d@x.example\n\nmail %d\n" % (number, len(sent))
                sent.add(raw)
                if deliver(client, raw)[:3] == "250":
                    acknowledged.add(raw)
                else:
                    return

    for _ in range(KILLS):
        daemon = start_daemon()
        clients = [connect(path) for _ in range(CLIENTS)]
        threads = [threading.Thread(target=send_until_it_dies, args=(each, n)) for n, each in enumerate(clients)]
        for thread in threads:
            thread.start()
        time.sleep(chance.uniform(0.1, 0.5))
        daemon.kill()
        for thread in threads:
            thread.join(60)
        found = logged(settings, stored)
        assert set(found.values()) <= {1}  # none, where it died before it had taken the first
        assert acknowledged <= found.keys() <= sent
    assert acknowledged, "some kill must have come after the first mail"
    record_property(
        "count", f"lmtp, kill -9: {KILLS} kills, {len(acknowledged):,} mails acknowledged, 0 lost or doubled"
    )
    start_daemon()
    client = connect(path)
    client.say("LHLO here")
    assert {deliver(client, raw)[:3] for raw in sent} == {"250"}  # as senders do: once more
    assert logged(settings, stored) == Counter(sent)


@pytest.mark.slow
def test_mails_that_come_at_once_share_an_append(
    settings: Settings, tmp_path: Path, start_daemon: StartDaemon, connect: Connect, stored: Stored
) -> None:
    daemon = start_daemon()
    assert settings.lmtp.socket is not None
    path = settings.lmtp.socket

    def send(number: int) -> None:
        client = connect(path)
        client.say("LHLO here")
        for mail in range(30):
            assert deliver(client, b"From: d%d@x.example\n\n%d\n" % (number, mail))[:3] == "250"

    threads = [threading.Thread(target=send, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(30) == 0
    batches = [json.loads(line) for line in (tmp_path / "batches").read_text().splitlines()[1:]]
    assert sum(batch["published"] for batch in batches) == 300 == len(logged(settings, stored))
    assert len(batches) < 250
    assert max(batch["mails"] for batch in batches) > 1


@pytest.mark.slow
def test_a_mail_of_any_size_costs_little_memory(
    settings: Settings, start_daemon: StartDaemon, connect: Connect, stored: Stored
) -> None:
    daemon = start_daemon()
    assert settings.lmtp.socket is not None
    client = connect(settings.lmtp.socket)
    client.say("LHLO here")
    assert deliver(client, b"From: a@b.example\n\nsmall\n")[:3] == "250"
    before = peak(daemon.pid)
    block = random.Random(1).randbytes(1 << 20)
    client.send(b"MAIL FROM:<>\r\nRCPT TO:<a@here>\r\nRCPT TO:<b@here>\r\nBDAT %d LAST\r\n" % (200 * len(block)))
    for _ in range(200):
        client.send(block)
    assert [client.reply()[:3] for _ in range(5)] == ["250"] * 5
    assert peak(daemon.pid) - before < 40 << 20
    (large,) = [value for value in logged(settings, stored) if value and b"small" not in value]
    assert json.loads(large)["size"] == 200 << 20


def peak(pid: int) -> int:
    """Bytes of memory that the process has held at most."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) << 10


def test_a_folder_of_messages_that_vanishes_leaves_no_mail_without_an_answer(
    tmp_path: Path, settings: Settings, start_daemon: StartDaemon, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    monkeypatch.setenv("OTCLOG_LOGGING_FILE", str(tmp_path / "logs" / "m.log"))
    monkeypatch.setenv("OTCLOG_LOGGING_LEVEL", "info")
    process = start_daemon()
    assert isinstance(settings.lmtp.socket, Path)
    client = connect(settings.lmtp.socket)
    client.say("LHLO test")
    assert deliver(client, b"From: a@b.example\r\n\r\none\r\n").startswith("250")
    (tmp_path / "logs").rename(tmp_path / "away")
    assert deliver(client, b"From: a@b.example\r\n\r\ntwo\r\n").startswith("250")
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert (tmp_path / "away" / "m.log").read_text().count("published at") == 1
