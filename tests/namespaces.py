"""Programs in network namespaces of their own, as on other hosts: they reach a broker of this machine by a relay alone."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator

import pytest

PREFIX = ["unshare", "--map-root-user", "--net"]
_SIOCSIFFLAGS, _UP = 0x8914, 0x41  # as in net/if.h: up and running


def namespaces_or_skip() -> None:
    """Skip the test where nobody may make one."""
    if not shutil.which("unshare"):
        pytest.skip("needs unshare: scripts/setup --system, as root")
    tried = subprocess.run([*PREFIX, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"network namespaces are not allowed here: {tried.stderr.strip()}")


def enter(channel: int, port: int) -> None:
    """In the namespace: its loopback is up, and whoever connects to the port there comes to the relay."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    listener = socket.create_server(("127.0.0.1", port))
    with socket.socket(fileno=channel) as to_relay:
        socket.send_fds(to_relay, [b"l"], [listener.fileno()])
    listener.close()


class Relay:
    """Carries bytes between listeners in namespaces and a port of this one, by a thread of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    @contextlib.contextmanager
    def channel(self) -> Iterator[int]:
        """For a program that is started in it: what to give to `enter`. Returns when it has entered."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            yield theirs.fileno()
            _, (fd, *_), _, _ = socket.recv_fds(ours, 1, 1)
        serving = asyncio.start_server(self._carry, sock=socket.socket(fileno=fd))
        self._servers.append(asyncio.run_coroutine_threadsafe(serving, self._loop).result(10))

    def close(self) -> None:
        """Carry nothing any more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        for server in self._servers:
            server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.1))
        self._loop.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            there = await asyncio.open_connection("127.0.0.1", self._port)
            await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.closing(writer), contextlib.suppress(OSError):  # also where the relay is closed amid it
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
