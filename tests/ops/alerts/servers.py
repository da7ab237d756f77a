"""Whom tests tell: a mail server, and a receiver of POSTs that answers late, wrongly or never. On loopback."""

from __future__ import annotations

import json
import socket
import threading
from asyncio import Server
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from aiosmtpd.controller import Controller


class Mails:
    """What a mail server was sent, for whom, the codes with which it answers before it takes any, and whom it refuses.

    Whom it puts off it does so often.
    """

    def __init__(self, *answers: str, refused: tuple[str, ...] = (), put_off: dict[str, int] | None = None) -> None:
        self.mails: list[EmailMessage] = []
        self.whom: list[list[str]] = []
        self._answers, self._refused, self._put_off = list(answers), refused, put_off or {}

    async def handle_RCPT(  # noqa: N802 -- aiosmtpd's name
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self._refused:
            return "550 nobody"
        if self._put_off.get(address):
            self._put_off[address] -= 1
            return "450 come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 -- aiosmtpd's name
        if self._answers:
            return self._answers.pop(0)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.whom.append(list(envelope.rcpt_tos))
        return "250 OK"


class AnyPort(Controller):
    """One that asks itself, to see whether it runs, at the port that it was given."""

    @property
    def address(self) -> tuple[str, int]:
        found: tuple[str, int] = cast("Server", self.server).sockets[0].getsockname()
        return found

    def _trigger_server(self) -> None:
        socket.create_connection(self.address).close()


@contextmanager
def mail_server(mails: Mails, **options: Any) -> Iterator[str]:
    # With a name: else it asks DNS for its own, which takes a minute where nobody answers.
    server = AnyPort(mails, hostname="127.0.0.1", port=0, server_hostname="here", **options)
    server.start()
    try:
        yield f"127.0.0.1:{server.address[1]}"
    finally:
        server.stop()


class Posts(ThreadingHTTPServer):
    """A receiver that answers as it is told, and keeps what it was sent."""

    daemon_threads = True

    def __init__(self, *answers: int, wait: threading.Event | None = None) -> None:
        self.got: list[tuple[str | None, dict[str, Any]]] = []
        self.answers, self.wait = list(answers), wait
        self.beats = 0  # GETs
        super().__init__(("127.0.0.1", 0), Receiver)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?key=1"


class Receiver(BaseHTTPRequestHandler):
    server: Posts

    def do_GET(self) -> None:
        self.server.beats += 1
        self.send_response(200)
        self.end_headers()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.got.append((self.headers["Authorization"], body))
        if self.server.wait:
            self.server.wait.wait(20)
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def receiver(*answers: int, wait: threading.Event | None = None) -> Iterator[Posts]:
    server = Posts(*answers, wait=wait)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        if wait:
            wait.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def dripping() -> Iterator[str]:
    """A server that answers one byte at a time, and never has done so; its address."""
    ended = threading.Event()

    def answer() -> None:
        with listener.accept()[0] as connection, suppress(OSError):
            while not ended.wait(0.1):
                connection.sendall(b"H")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            ended.set()
            thread.join()


@contextmanager
def repeating() -> Iterator[str]:
    """A mail server that refuses each login, and says what it was told; its address."""

    def answer() -> None:
        with listener.accept()[0] as connection, connection.makefile("rb") as lines, suppress(OSError):
            connection.sendall(b"220 here\r\n")
            for line in lines:
                is_login = line.upper().startswith(b"AUTH")
                connection.sendall(b"535 no " + line if is_login else b"250-here\r\n250 AUTH PLAIN\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        thread.join()
