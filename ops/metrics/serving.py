"""The files of metrics of all processes, as one page over HTTP: for a Prometheus that reads no files."""

from __future__ import annotations

from contextlib import contextmanager, suppress
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
