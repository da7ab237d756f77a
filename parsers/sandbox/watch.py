"""The clocks of the part that a child is at, read from outside."""

from __future__ import annotations

import time

WALL_FACTOR = 4.0  # a part may wait, for memory or a busy machine, this many times its CPU deadline


class Watch:
    """The clocks of one part: CPU time as the measure, wall time for a child that only sleeps."""

    def __init__(self, pid: int, deadline_s: float) -> None:
        self._clock = (~pid << 3) | 2  # the kernel's id of another process's CPU clock (clock_getcpuclockid(3))
        self._deadline_s = deadline_s
        self.restart()

    def restart(self) -> None:
        """A new part begins."""
        self._cpu = self._cpu_now()
        self._wall = time.monotonic()

    def expired(self) -> str:
        """Why the part's time is up; '' while it is not."""
        if self._cpu_now() - self._cpu > self._deadline_s:
            return f"more than {self._deadline_s:g} s of CPU time"
        if time.monotonic() - self._wall > WALL_FACTOR * self._deadline_s:
            return f"no answer in {WALL_FACTOR * self._deadline_s:g} s"
        return ""

    def _cpu_now(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:  # it has just died; its pipe will say so
            return 0.0
