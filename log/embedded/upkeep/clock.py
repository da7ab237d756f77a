"""Whether the clock can be believed, before anything is deleted by it.

A clock that jumps a year forward would make every record too old. So the time of each look is written down. When the
clock is a day away from where it was at the last look, it is doubted, and nothing is deleted by age until it has run on
steadily for a day: time enough for a person, or NTP, to set it right. A machine that was switched off for longer only
deletes so much later.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from log.disk.documents import read_document, write_document

if TYPE_CHECKING:
    from pathlib import Path

JUMP_MS = 24 * 3600 * 1000


def believed_now_ms(file: Path) -> int | None:
    """UTC milliseconds since the epoch, None while the clock is doubted. Raises OSError."""
    now_ms, seen = time.time_ns() // 1_000_000, read_document(file)
    last_ms = now_ms if seen is None else int(seen["seen_ms"])
    doubted_since_ms = None if seen is None else seen["doubted_since_ms"]
    if abs(now_ms - last_ms) > JUMP_MS:
        doubted_since_ms = now_ms
    elif doubted_since_ms is not None and now_ms - doubted_since_ms > JUMP_MS:
        doubted_since_ms = None
    write_document(file, {"seen_ms": now_ms, "doubted_since_ms": doubted_since_ms})
    return now_ms if doubted_since_ms is None else None
