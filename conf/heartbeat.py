"""Signs of life: a small file a process, so that `otclog status` sees one that hangs, is stopped, or was killed.

<log's root>/heartbeats/<program>-<pid>-<start>-<boot>.json     0600, in a folder 0700

A process beats from the loop that does its work, each time that gets on, and never from a thread beside it: what
beats while the loop hangs would lie. The file is replaced whole, so that a reader never sees half of it, and is not
flushed: it tells of a living process, which a power cut ends too, and a flush would hang where a disk does. It goes
when the process ends in good order; what a killed one left is removed when the next of its program begins.

Whether a process lives is asked of the kernel. Its number alone may be another's by now, so its time of start counts,
and the boot it was started in where the kernel tells that (not in a unit with ProcSubset=pid).
"""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import metadata
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from conf.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "heartbeats"
BEAT_S = 2.0  # between two beats, at least; a loop that rests wakes up so often

Vitality = Literal["runs", "stopped", "gone"]

logger = logging.getLogger(__name__)


class Process(NamedTuple):
    """A process of this machine; no other one is equal to it."""

    pid: int
    start_ticks: int  # from the machine's start to its own, in clock ticks
    boot: str  # the first 8 digits of the boot id; "" where the kernel does not say

    @classmethod
    def own(cls) -> Process:
        """This one."""
        return cls(os.getpid(), _stat(os.getpid())[1], _boot())

    @property
    def vitality(self) -> Vitality:
        """What the kernel says of it. `stopped` is by a signal or a debugger."""
        now = _boot()
        if self.boot and now and self.boot != now:
            return "gone"
        state, start_ticks = _stat(self.pid)
        if start_ticks != self.start_ticks or state in {"", "Z", "X"}:
            return "gone"
        return "stopped" if state in {"T", "t"} else "runs"


@dataclass(frozen=True, slots=True)
class Beat:
    """What a process said of itself last. Times are Unix seconds, but for `beat_clock`."""

    program: str  # watch, lmtp, extract, tend, ship, metrics
    serves: str  # folders, an address, a group
    host: str
    version: str
    pid: int
    start_ticks: int
    boot: str
    started: float
    beat: float = 0.0
    beat_clock: float = 0.0  # of the monotonic clock, which nobody sets
    step: str = ""  # a step of its work that may take long; "" for its loop
    did: dict[str, int] = field(default_factory=dict)  # counts since it started
    did_last: float | None = None  # when it counted last

    @property
    def process(self) -> Process:
        """Whose it is."""
        return Process(self.pid, self.start_ticks, self.boot)

    @property
    def age_s(self) -> float:
        """Seconds since it was said."""
        return max(time.monotonic() - self.beat_clock, 0.0)


class Heartbeat:
    """This process's, until the block ends. May be called by any thread, but see above; no call of it raises."""

    def __init__(self, root: Path, program: str, serves: str) -> None:
        """`root` is the log's; where there is none yet, the first beat after it was made is the first that is seen."""
        own = Process.own()
        version = metadata.version("otclog")
        self._said = Beat(program, serves, socket.gethostname(), version, *own, started=time.time())
        self._folder = root / FOLDER
        self._file = self._folder / "{}-{}-{}-{}.json".format(program, *own)
        self._lock = Lock()
        self._did: dict[str, int] = {}
        self._did_last: float | None = None
        self._failed = ""
        remove_dead(self._folder, program)
        self.beat()

    def beat(self, step: str | None = None) -> None:
        """The loop gets on; `step` begins a step that may take long, and "" ends it. At most one write in BEAT_S."""
        is_due = time.monotonic() - self._said.beat_clock >= BEAT_S
        is_other = step is not None and step != self._said.step
        if (is_due or is_other) and self._lock.acquire(blocking=False):
            try:
                self._write(self._said.step if step is None else step)
            finally:
                self._lock.release()

    def count(self, **counts: int) -> None:
        """Add to what it did; said with the next beat."""
        self._did = self._did | {name: self._did.get(name, 0) + count for name, count in counts.items()}
        self._did_last = time.time()

    def rest(self, seconds: float, wait: Callable[[float], None], is_over: Callable[[], bool]) -> None:
        """Wait so long, or until `is_over`, by calls of `wait` for no longer than a beat."""
        end = time.monotonic() + seconds
        while not is_over() and (left := end - time.monotonic()) > 0:
            self.beat()
            wait(min(left, BEAT_S))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self, step: str) -> None:
        now, clock = time.time(), time.monotonic()
        self._said = replace(self._said, beat=now, beat_clock=clock, step=step, did=self._did, did_last=self._did_last)
        unfinished = self._file.with_suffix(".tmp")
        try:
            if not self._folder.parent.is_dir():
                return
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w") as out:  # noqa: PTH123 -- 0600 from the first byte
                json.dump(asdict(self._said), out)
            unfinished.replace(self._file)
            self._failed = ""
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            if said(error) != self._failed:
                logger.warning("`otclog status` cannot see this process: %s", said(error))
            self._failed = said(error)


def beats(root: Path) -> list[Beat]:
    """What the processes that use the log with this root said last, the dead ones among them. Raises OSError."""
    found = []
    for path in sorted((root / FOLDER).glob("*.json")):
        with suppress(FileNotFoundError, ValueError, TypeError):  # it just ended; or a power cut left no content
            content = json.loads(path.read_bytes())
            known = {each.name for each in fields(Beat)} & content.keys()  # another version's may have others
            found.append(Beat(**{name: content[name] for name in known}))
    return found


def remove_dead(folder: Path, program: str) -> None:
    """Remove what processes of this program left that were killed."""
    for path in folder.glob(f"{program}-*"):
        with suppress(OSError, ValueError):  # a name that is none of ours
            pid, start_ticks, boot = path.stem.split("-")[1:]
            if Process(int(pid), int(start_ticks), boot).vitality == "gone":
                path.unlink(missing_ok=True)


def _stat(pid: int) -> tuple[str, int]:
    """State and time of start of a process; nothing and 0 where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", 0
    fields = text.rpartition(")")[2].split()  # the name before may hold blanks and brackets
    return fields[0], int(fields[19])


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
    except OSError:
        return ""
