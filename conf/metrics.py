"""What a process counts is in a text file, in Prometheus' format, while it runs and afterwards.

    <folder>/otclog-watch-0.prom      0640, replaced whole every few seconds, and when the process ends
    <folder>/otclog-watch-0.lock      held by the process whose file it is

Each room declares what it counts where that happens, by prometheus-client, under names that begin with `otclog_`. What
counts goes on in the next process where the last one of its command left it: else two runs that take as many mails
each would look like one. Each sample says its `unit`, the command in full, and its `slot`: 0, or a higher number where
several processes of the command run at once.

Nothing here fails a process, or has it wait: a file that cannot be written is told once, and tried again.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import re
import sys
import time
from contextlib import suppress
from importlib import metadata
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from typer._click.globals import get_current_context  # as conf.formats

from conf.printable import said

if TYPE_CHECKING:
    from prometheus_client import Metric

    from conf.settings import MetricsSettings

FOLDER_MODE = 0o750  # a collector of the group may read them
FILE_MODE = 0o640
EVERY_S = 5.0
END_S = 2.0  # a process that ends waits no longer for a write
PREFIX = "otclog_"
OWN_LABELS = ("unit", "slot")

logger = logging.getLogger(__name__)


def begin_metrics(settings: MetricsSettings) -> None:
    """What this process counts goes into the folder of the settings from now on, if they name one."""
    if settings.folder is None:
        return
    context = get_current_context(silent=True)
    unit = context.command_path if context else Path(sys.argv[0]).name
    _begun.append(Writer(settings.folder, unit))
    atexit.register(_begun[-1].end)
    _begun[-1].begin()


def flush_metrics() -> None:
    """For whoever has just looked: what is counted is written now, if it is at all."""
    for writer in _begun:
        writer.write()


class Writer:
    """Writes what this process counts, by a thread of its own."""

    def __init__(self, folder: Path, unit: str) -> None:
        """The `unit` is the command in full."""
        self._folder, self._unit, self._process = folder, unit, os.getpid()
        self._started = time.time()
        self._before: list[Metric] = []
        self._place: tuple[Path, int, int] | None = None  # the file, its number, and the lock
        self._failed = ""
        self._writing, self._is_over = Lock(), Event()
        self._thread = Thread(target=self._run, name="otclog-metrics", daemon=True)

    def begin(self) -> None:
        """Write now, and again every few seconds."""
        self.write()
        self._thread.start()

    def end(self) -> None:
        """Write once more, and let go of the file; nothing in a forked child, nor where a disk hangs amid a write."""
        if os.getpid() != self._process or self._is_over.is_set():
            return
        self._is_over.set()
        self._thread.join(END_S)

    def write(self) -> None:
        """Replace the file by what is counted now."""
        with self._writing:
            try:
                self._write()
                self._failed = ""
            except Exception as error:  # noqa: BLE001 -- whatever it is, what the process is there for goes on
                if said(error) != self._failed:
                    logger.warning("what is counted is not written now: %s", said(error))
                self._failed = said(error)

    def _run(self) -> None:
        while not self._is_over.wait(EVERY_S):
            self.write()
        self.write()
        if self._place:
            os.close(self._place[2])

    def _write(self) -> None:
        from conf.families import as_text, continued, labelled

        path, slot, _ = self._place = self._place or self._taken()
        families = continued([*self._own(), *counted()], self._before)
        replace_text(path, as_text(labelled(families, dict(zip(OWN_LABELS, (self._unit, str(slot)), strict=True)))))

    def _taken(self) -> tuple[Path, int, int]:
        """The first place that no living process has; what counted there goes on."""
        from conf.families import from_text, unlabelled

        make_folder(self._folder)
        name = re.sub("[^a-z0-9]+", "-", self._unit.lower()).strip("-")[:64]
        for slot in count():
            lock = os.open(
                self._folder / f"{name}-{slot}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
            )
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            path = self._folder / f"{name}-{slot}.prom"
            with suppress(FileNotFoundError, ValueError):  # a power cut left no content, or half of it
                self._before = unlabelled(from_text(path.read_text(encoding="utf-8")), OWN_LABELS)
            return path, slot, lock
        raise AssertionError

    def _own(self) -> list[Metric]:
        from prometheus_client.core import GaugeMetricFamily

        running = GaugeMetricFamily("otclog_process_running", "1 while the process runs, 0 when it has ended.")
        running.add_metric([], 0.0 if self._is_over.is_set() else 1.0)
        start = GaugeMetricFamily("otclog_process_start_time_seconds", "When the last process began, in Unix time.")
        start.add_metric([], self._started)
        written = GaugeMetricFamily(
            "otclog_process_written_time_seconds", "When these samples were written, in Unix time."
        )
        written.add_metric([], time.time())
        build = GaugeMetricFamily("otclog_build_info", "Which otclog it is; the value is 1.", labels=["version"])
        build.add_metric([metadata.version("otclog")], 1.0)
        return [running, start, written, build]


_begun: list[Writer] = []


def counted() -> list[Metric]:
    """What the rooms of this process count, as they have declared it."""
    from prometheus_client import REGISTRY, disable_created_metrics

    disable_created_metrics()  # type: ignore[no-untyped-call]  # the times when counters were made: this file is older
    return [each for each in REGISTRY.collect() if each.name.startswith(PREFIX)]


def make_folder(folder: Path) -> None:
    """Make it unless it is there, its owner's, and readable to its group. Raises OSError."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return
    folder.chmod(FOLDER_MODE)


def replace_text(path: Path, text: bytes) -> None:
    """The file holds the text; a reader never sees half of it. Raises OSError."""
    unfinished = path.with_suffix(".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    with open(os.open(unfinished, flags, FILE_MODE), "wb") as out:  # noqa: PTH123 -- whatever the umask is
        os.fchmod(out.fileno(), FILE_MODE)
        out.write(text)
    unfinished.replace(path)
