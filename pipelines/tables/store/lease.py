"""A lease: one holder at a time of what a name stands for, by compare-and-set, for machines that share only the store.

The holder puts itself into a small file, and renews that at a third of its length. No clock is compared with another
machine's: who waits takes the lease over when the file has not changed for its whole length by his own clock; the
holder counts on it for less than that, from before its last renewal, by its own. Who was stopped between asking `check`
and writing is not held up by any lease: that is what the fence is for.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pipelines.errors import Changed, LeaseLost, NotStored, PipelineError, TablesDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.tables.store.interface import Store, Tag

logger = logging.getLogger(__name__)

LENGTH_S = 30.0
COUNTED_ON = 0.8  # of its length: clocks do not all go at one rate
LONGEST_PAUSE_S = 1.0


@contextmanager
def leased(
    store: Store, name: str, busy: type[PipelineError], what: str, *, length_s: float = LENGTH_S, wait_s: float = 0.0
) -> Iterator[Lease]:
    """Hold the lease `name`; ask its `check` before each step that others will see.

    Raises `busy`, which says that `what` is done and by whom, once another process has renewed it and `wait_s` is over;
    that its holder is dead takes its length to see.
    """
    lease = Lease(store, name, length_s)
    holder = _take(lease, store, name, _now() + wait_s)
    if holder is not None:
        raise busy(f"{what} by process {holder['pid']} on {holder['host']}; try again")
    thread = threading.Thread(target=lease.keep, name=f"lease {name}")
    thread.start()
    try:
        yield lease
    finally:
        lease.stop.set()
        thread.join()
        lease.release()


def lease_is_free(store: Store, name: str) -> bool:
    """Whether nobody has taken the lease, or who had it gave it back."""
    said, _ = _looked_at(store, name)
    return said is None or said["holder"] is None


class Lease:
    """Held, until somebody takes it over."""

    def __init__(self, store: Store, name: str, length_s: float) -> None:
        self._store, self._name, self._length_s = store, name, length_s
        self._holder = {"host": socket.gethostname(), "pid": os.getpid(), "id": secrets.token_hex(8)}
        self._since = datetime.now(UTC)
        self._renewals = 0
        self._renewing = threading.Lock()
        self._tag: Tag | None = None
        self._counted_until = 0.0
        self._lost = False
        self.stop = threading.Event()

    def take(self, tag: Tag | None) -> None:
        """Put this holder in the place of the one with this tag, None for nobody. Raises FileExistsError, Changed."""
        started = _now()
        data = self._content(self._holder)
        put = self._store.put_new(self._name, data) if tag is None else self._store.swap(self._name, data, tag)
        self._tag = put
        self._counted_until = started + COUNTED_ON * self._length_s

    def check(self) -> None:
        """Return if this is the holder; renews it where that is not sure. Raises LeaseLost, StoreUnreachable."""
        if self._lost or _now() >= self._counted_until:
            self._renew()

    def keep(self) -> None:
        """Renew it until `stop`, or until it is lost."""
        while not self.stop.wait(self._length_s / 3):
            try:
                self._renew()
            except LeaseLost:
                return  # `check` tells
            except (PipelineError, OSError) as error:
                logger.warning("lease %s is not renewed: %s", self._name, error)

    def release(self) -> None:
        """Let it be free at once, where that can be done; else it is when its length is over."""
        try:
            if not self._lost and self._tag:
                self._store.swap(self._name, self._content(None), self._tag)
        except (PipelineError, OSError) as error:
            logger.warning("lease %s is not given back: %s", self._name, error)

    def _renew(self) -> None:
        with self._renewing:
            while not self._lost:
                try:
                    self.take(self._tag)
                except Changed:
                    self._tag = self._own_tag()  # of an earlier renewal, whose answer was lost
                    self._lost = self._tag is None
                else:
                    return
        raise LeaseLost(f"another process took {self._store.uri(self._name)} over while this one stood still")

    def _own_tag(self) -> Tag | None:
        try:
            data, tag = self._store.tagged(self._name)
        except NotStored:
            return None
        return tag if _parsed(self._name, data)["holder"] == self._holder else None

    def _content(self, holder: dict[str, Any] | None) -> bytes:
        self._renewals += 1  # no two contents are equal
        until = datetime.now(UTC) + timedelta(seconds=self._length_s)
        said = {
            "holder": holder,
            "since": self._since.isoformat(timespec="seconds"),
            "until": until.isoformat(timespec="seconds"),
            "length_s": self._length_s,
            "written": f"{self._holder['id']}-{self._renewals}",
        }
        return json.dumps(said, indent=1).encode()


def _take(lease: Lease, store: Store, name: str, until: float) -> dict[str, Any] | None:
    """Take it once it is free, or has not changed for as long as it says. Or the holder, if that one has renewed it."""
    first = seen = None
    seen_at = _now()
    while True:
        said, tag = _looked_at(store, name)
        if tag != seen:
            first, seen, seen_at = first or tag, tag, _now()
        if said is None or said["holder"] is None or _now() - seen_at >= said["length_s"]:
            with suppress(FileExistsError, Changed):
                lease.take(tag)
                return None
        elif tag != first and _now() >= until:
            holder: dict[str, Any] = said["holder"]
            return holder
        else:
            time.sleep(min(LONGEST_PAUSE_S, said["length_s"] / 10))


def _looked_at(store: Store, name: str) -> tuple[dict[str, Any] | None, Tag | None]:
    try:
        data, tag = store.tagged(name)
    except NotStored:
        return None, None
    return _parsed(name, data), tag


def _parsed(name: str, data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(data)
        if said["holder"] is None or {"host", "pid", "id"} <= said["holder"].keys():
            return {"holder": said["holder"], "length_s": float(said["length_s"])}
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise TablesDamaged(f"{name} is no lease: remove it while no otclog runs")


def _now() -> float:
    """Seconds since the machine's start, the time that it slept among them; nobody sets this clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
