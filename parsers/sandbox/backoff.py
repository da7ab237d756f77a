"""Children that are lost one after the other are not replaced at once: a crash loop must not eat the machine."""

from __future__ import annotations

import time
from collections import deque

_LOST = 3  # children ...
_WITHIN_S = 1.0  # ... in this time are too many


class BackOff:
    """Remembers when children were lost."""

    def __init__(self) -> None:
        self._lost_at: deque[float] = deque(maxlen=_LOST)  # seconds of the monotonic clock

    def lost(self) -> None:
        """A child is gone before its time."""
        self._lost_at.append(time.monotonic())

    def wait(self) -> None:
        """Sleep where the last three were lost within a second: as long again, so that no more go in a second."""
        if len(self._lost_at) == _LOST:
            time.sleep(max(self._lost_at[0] + _WITHIN_S - time.monotonic(), 0))
