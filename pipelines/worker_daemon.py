"""What Spark forks its Python workers from: it has imported what they need, so that none of them does.

Spark starts it as `python -m pipelines.worker_daemon MODULE`, once for each module and environment. The one thread that
these imports start is jemalloc's, which that stops before a fork and starts again behind it.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

ROLE = "OTCLOG_WORKERS"  # in the environment of a Python function; workers of different environments are never mixed
READ, PARSE = "read", "parse"

_RUNS_TASKS = "pyspark.worker"  # other modules plan a read: one worker each, which imports the little that it needs
_NEEDED = {
    READ: (_RUNS_TASKS, "log.spark"),
    PARSE: (_RUNS_TASKS, "pipelines.parse_step", "pipelines.claimed", "parsers.sandbox"),
}


def preload(module: str, role: str) -> None:
    """Import what workers of this module and role will."""
    if module == _RUNS_TASKS:
        for name in _NEEDED.get(role, ()):
            import_module(name)


if __name__ == "__main__":
    from pyspark.daemon import manager

    preload(sys.argv[1], os.environ.get(ROLE, ""))
    manager()
