"""The files of metrics of all processes, as one page over HTTP: for a Prometheus that reads no files."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.registry import Collector

from conf.families import from_text, joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from prometheus_client import Metric


class Written(Collector):
    """What the files of a folder say now."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> list[Metric]:
        """See the class. A file that a power cut left without its content says nothing until it is written again."""
        found: list[Metric] = []
        for path in sorted(self._folder.glob("*.prom")):
            with suppress(FileNotFoundError, ValueError):
                found += from_text(path.read_text(encoding="utf-8"))
        return joined(found)


def loopback(address: str) -> tuple[str, int]:
    """Host and port of `127.0.0.1:9464` or `[::1]:9464`; port 0 is any.

    Raises ValueError for another form, and beyond loopback: whoever asks is answered, by no password and no TLS.
    """
    host, _, port = address.rpartition(":")
    try:
        ip = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        raise ValueError(f"{address!r} is no IP:PORT: write 127.0.0.1:9464") from None
    if not ip.is_loopback:
        raise ValueError(f"{ip} is not this machine's own (127.0.0.1, [::1])")
    if not (port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise ValueError(f"{port!r} is no port")
    return str(ip), int(port)


@contextmanager
def served(folder: Path, host: str, port: int) -> Iterator[str]:
    """Answer whoever asks, until the block ends; the URL is given. Raises OSError with the address, if in use."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Written(folder))
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
