from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pipelines.errors import StoreUnreachable, StoreUnusable
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.interface import Store
from pipelines.tables.store.probe import prove
from tests.pipelines.proxy import Proxy, troubled

pytestmark = pytest.mark.slow


def test_a_store_that_keeps_its_promises_passes_and_nothing_is_left(store: Store) -> None:
    prove(store)
    assert list(store.list()) == []


def test_a_line_in_trouble_changes_nothing(behind: Callable[[float], Bucket], proxy: Proxy, bucket: Store) -> None:
    proxy.plan = troubled(1, 0.2)
    prove(behind(60))
    assert list(bucket.list()) == []


class Forgetful(ThreadingHTTPServer):
    """Objects in memory, for whoever comes; which headers' conditions it does not heed, or says it cannot."""

    def __init__(self, ignored: str, cannot: str) -> None:
        super().__init__(("127.0.0.1", 0), _Objects)
        self.ignored, self.cannot = ignored, cannot
        self.objects: dict[str, bytes] = {}
        self.lock = threading.Lock()


class _Objects(BaseHTTPRequestHandler):
    server: Forgetful

    def put(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            found = self.server.objects.get(self.path)
            wanted = {name: self.headers[name] for name in ("If-None-Match", "If-Match") if self.headers[name]}
            if self.server.cannot in wanted:
                return self.answer(501, b"<Error><Code>NotImplemented</Code></Error>")
            wanted.pop(self.server.ignored, None)
            if ("If-None-Match" in wanted and found is not None) or (
                "If-Match" in wanted and wanted["If-Match"] != tag(found)
            ):
                return self.answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            self.server.objects[self.path] = data
        return self.answer(200, b"", data)

    def get(self) -> None:
        found = self.server.objects.get(self.path)
        if found is None:
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        return self.answer(200, found, found)

    def post(self) -> None:
        keys = re.findall(rb"<Key>.*?</Key>", self.rfile.read(int(self.headers["Content-Length"])))
        self.server.objects.clear()
        deleted = b"".join(b"<Deleted>" + key + b"</Deleted>" for key in keys)
        self.answer(200, b"<DeleteResult>" + deleted + b"</DeleteResult>")

    def answer(self, status: int, body: bytes, content: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("ETag", tag(content))
        self.send_header("Last-Modified", "Tue, 24 Nov 2026 12:00:00 GMT")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


for _method, _call in {"PUT": _Objects.put, "GET": _Objects.get, "POST": _Objects.post}.items():
    setattr(_Objects, f"do_{_method}", _call)


def tag(data: bytes | None) -> str:
    return "" if data is None else f'"{hashlib.md5(data).hexdigest()}"'


@contextmanager
def forgetful(tmp_path: Path, ignored: str = "", cannot: str = "") -> Iterator[tuple[Bucket, Forgetful]]:
    file = tmp_path / "credentials"
    server = Forgetful(ignored, cannot)
    file.touch(0o600)
    address = f"http://127.0.0.1:{server.server_address[1]}"
    file.write_text(f"AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b\nAWS_ENDPOINT_URL={address}\n")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Bucket("s3://otclog/tables", file, 2), server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_server_of_these_tests_passes_where_it_heeds_all(tmp_path: Path) -> None:
    with forgetful(tmp_path) as (store, _):
        prove(store)


@pytest.mark.parametrize(
    ("ignored", "promise"),
    [("If-None-Match", r"put-if-absent \(If-None-Match\)"), ("If-Match", r"compare-and-set \(If-Match\)")],
)
def test_a_store_that_does_not_heed_a_condition_is_refused_in_one_line(
    tmp_path: Path, ignored: str, promise: str
) -> None:
    with forgetful(tmp_path, ignored=ignored) as (store, server):
        with pytest.raises(
            StoreUnusable, match=f"^s3://otclog/tables: the store does not honour {promise}, .*: use one that does$"
        ):
            prove(store)
        assert server.objects == {}


@pytest.mark.parametrize("cannot", ["If-None-Match", "If-Match"])
def test_a_store_that_says_that_it_has_no_conditions_is_refused(tmp_path: Path, cannot: str) -> None:
    with forgetful(tmp_path, cannot=cannot) as (store, _), pytest.raises(StoreUnusable, match="NotImplemented"):
        prove(store)


def test_a_store_that_cannot_be_reached_is_not_taken_for_one_without_promises(
    behind: Callable[[float], Bucket], proxy: Proxy
) -> None:
    proxy.plan = iter(["cut"] * 1000)
    with pytest.raises(StoreUnreachable):
        prove(behind(0.3))
