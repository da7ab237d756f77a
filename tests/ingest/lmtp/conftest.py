"""A client at a raw socket, and the daemon: within the test on a real log, or as a process of its own."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.lmtp.commit import GroupCommit
from ingest.lmtp.deliveries import Deliveries, taker
from ingest.lmtp.protocol import Connection, Service

if TYPE_CHECKING:
    from conf import Settings
    from log import CommitLog

ROOT = Path(__file__).parent.parent.parent.parent
PROGRAM = "import typer; from ingest.lmtp.cli import lmtp; typer.run(lmtp)"
MAX_BYTES = 500_000


class Client:
    """Says what it is told, and reads replies."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self._replies = self.socket.makefile("rb")
        self.greeting = self.reply()

    def reply(self) -> str:
        """The next reply, its lines joined; "" when the connection was closed."""
        lines = []
        while line := self._replies.readline():
            lines.append(line.decode().rstrip("\r\n"))
            if line[3:4] != b"-":
                break
        return "\n".join(lines)

    def say(self, line: str | bytes, replies: int = 1) -> list[str]:
        """Send a line, or many, and read so many replies."""
        self.send((line.encode() if isinstance(line, str) else line) + b"\r\n")
        return [self.reply() for _ in range(replies)]

    def send(self, raw: bytes) -> None:
        """These bytes."""
        self.socket.sendall(raw)

    def begin(self, *recipients: str) -> list[str]:
        """Greet, and name a mail's recipients; the replies to them."""
        self.say("LHLO test")
        self.say("MAIL FROM:<desk@dealer.example>")
        return [self.say(f"RCPT TO:<{each}>")[0] for each in recipients]

    def data(self, wire: bytes, replies: int = 1) -> list[str]:
        """A mail by DATA: what goes over the wire before the last dot."""
        assert self.say("DATA")[0].startswith("354")
        return self.say(wire + b".", replies)

    def codes(self, wire: bytes, replies: int) -> list[str]:
        """The codes of the replies to such a mail."""
        return [reply[:3] for reply in self.data(wire, replies)]

    def close(self) -> None:
        """Leave without a word."""
        self._replies.close()
        self.socket.close()


@pytest.fixture
def serve(commit_log: CommitLog, settings: Settings, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Starts the daemon's parts, in a thread, on the real log; gives the path of the socket."""
    stops: list[Callable[[], None]] = []

    def start(*, recipients: tuple[str, ...] = ("*",), connections: int = 20, used: Settings = settings) -> Path:
        path = tmp_path / "lmtp.sock"
        loop = asyncio.new_event_loop()
        deliveries = Deliveries(commit_log, used, lambda _: None)
        executor = ThreadPoolExecutor(1)
        executor.submit(deliveries.begin).result(60)
        commit = GroupCommit(deliveries.publish, executor, 100, 10**7)
        service = Service(commit.deliver, taker(recipients), used.log.root, MAX_BYTES, connections, 60)
        listening = threading.Event()

        async def run() -> None:
            server = await loop.create_unix_server(lambda: Connection(service), path)
            committing = asyncio.create_task(commit.run())
            listening.set()
            await service.idle.wait()
            server.close()
            commit.end()
            await committing

        def stop() -> None:
            loop.call_soon_threadsafe(service.end)
            thread.join(60)
            executor.submit(deliveries.close).result(60)
            executor.shutdown()
            loop.close()

        thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
        thread.start()
        stops.append(stop)
        assert listening.wait(30)
        return path

    yield start
    for stop in stops:
        stop()


@pytest.fixture
def connect() -> Iterator[Callable[[Path], Client]]:
    """Opens clients, and closes them at the end."""
    opened: list[Client] = []

    def open_one(path: Path) -> Client:
        opened.append(Client(path))
        return opened[-1]

    yield open_one
    for client in opened:
        client.close()


@pytest.fixture
def start_daemon(
    settings: Settings, tmp_path: Path, spawn: Callable[..., subprocess.Popen[bytes]]
) -> Callable[..., subprocess.Popen[bytes]]:
    """The command in a process of its own, once it listens, its JSON in the file `batches`; killed at the end."""

    def start(output: Path = tmp_path / "batches") -> subprocess.Popen[bytes]:
        with output.open("wb") as file:
            command = [sys.executable, "-c", PROGRAM, "--config", str(tmp_path / "otclog.toml"), "--json"]
            process = spawn(command, cwd=ROOT, stdout=file)
        end = time.monotonic() + 60
        while not (said := output.read_text()).endswith("\n"):
            assert time.monotonic() < end, "it does not listen"
            assert process.poll() is None
            time.sleep(0.01)
        assert json.loads(said.splitlines()[0]) == {"listening": str(settings.lmtp.socket)}
        return process

    return start
