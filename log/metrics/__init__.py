"""What a log counts, whatever its backend."""

from __future__ import annotations

from log.metrics.clients import ClientStatistics
from log.metrics.counting import appending, count_fsync, count_tended

__all__ = ["ClientStatistics", "appending", "count_fsync", "count_tended"]
