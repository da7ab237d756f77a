"""What comes through a pipe, as far as it makes one append: many small ones would each wait for the disk."""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING

from ops.shipping.lines import CHUNK_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

MOMENT_S = 0.02  # what follows sooner goes with what came ...
MOST_S = 0.2  # ... for so long


def pieces(descriptor: int, most: int = CHUNK_BYTES, moment_s: float = MOMENT_S) -> Iterator[bytes]:
    """What is there, and what comes within a moment; b"" last at the end. Nothing is waited for where nothing is there.

    It ends behind the piece that makes `most` bytes.
    """
    end, wait_s, length = time.monotonic() + MOST_S, 0.0, 0
    while length < most and select.select([descriptor], [], [], wait_s)[0]:
        piece = os.read(descriptor, CHUNK_BYTES)
        yield piece
        if not piece:
            return
        length += len(piece)
        wait_s = min(moment_s, max(end - time.monotonic(), 0.0))
