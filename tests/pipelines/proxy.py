"""A bad line before a server: it relays requests, and cuts, delays or answers them by a plan."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from random import Random

OK = "pass"
TROUBLES = ("500", "503", "cut", "lost", "half", "slow")
EXPIRED = "expired"
_BODY = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>{}</Code><Message>planned</Message></Error>'
_ANSWERS = {
    "500": (500, _BODY.format("InternalError")),
    "503": (503, _BODY.format("SlowDown")),
    EXPIRED: (400, _BODY.format("ExpiredToken") + "<Token-0>top-secret-token</Token-0>"),
}


class Proxy(ThreadingHTTPServer):
    """Relays to `upstream` (HOST:PORT); each request meets the next fate of `plan`, once that has ended all pass.

    `only`: a request whose line has not this pattern passes, and the plan waits.
    """

    daemon_threads = False

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Relay)
        self.upstream = upstream
        self.plan: Iterator[str] = repeat(OK)
        self.only = ""
        self.met: Counter[str] = Counter()
        self._plans = threading.Lock()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def fate(self, request: str) -> str:
        with self._plans:
            if not re.search(self.only, request):
                return OK
            fate = next(self.plan, OK)
            self.met[fate] += 1
            return fate

    def handle_error(self, *_: object) -> None:
        """A client that went away is no news."""


def troubled(seed: int, share: float) -> Iterator[str]:
    """Without end: each request is in trouble with this probability."""
    random = Random(seed)
    while True:
        yield random.choice(TROUBLES) if random.random() < share else OK


class _Relay(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def relay(self) -> None:
        self.close_connection = True
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fate = self.server.fate(f"{self.command} {self.path}")
        if fate in _ANSWERS:
            status, text = _ANSWERS[fate]
            self.answer(status, [("Content-Type", "application/xml")], text.encode(), len(text))
        elif fate != "cut":
            if fate == "slow":
                time.sleep(0.05)
            status, headers, data = self.ask(body)
            if fate != "lost":
                length = next((int(value) for name, value in headers if name.lower() == "content-length"), len(data))
                self.answer(status, headers, data[: len(data) // 2] if fate == "half" else data, length)

    def ask(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self.server.upstream, timeout=30)
        try:
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.endheaders(body or None)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()

    def answer(self, status: int, headers: list[tuple[str, str]], data: bytes, length: int) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in {"content-length", "connection", "transfer-encoding"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


for _method in ("GET", "PUT", "POST", "DELETE", "HEAD"):
    setattr(_Relay, f"do_{_method}", _Relay.relay)


@contextmanager
def running(upstream: str) -> Iterator[Proxy]:
    proxy = Proxy(upstream)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()
