"""What a log counts, whatever its backend."""

from __future__ import annotations

from log.metrics.counting import appending, count_fsync, count_tended

__all__ = ["appending", "count_fsync", "count_tended"]
