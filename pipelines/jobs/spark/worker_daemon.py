"""What Spark forks its Python workers from: it has imported what they need, so that none of them does.

Spark starts it as `python -m pipelines.jobs.spark.worker_daemon pyspark.worker`, once for each environment. The one
thread that these imports start is jemalloc's, which that stops before a fork and starts again behind it.
"""

from __future__ import annotations

import os
from importlib import import_module

ROLE = "OTCLOG_WORKERS"  # in the environment of a Python function; workers of different environments are never mixed
READ, PARSE = "read", "parse"

_NEEDED = {
    READ: ("pyspark.worker", "log.embedded.spark"),
    PARSE: (
        "pyspark.worker",
        "pipelines.jobs.parse_step",
        "pipelines.jobs.claimed",
        "parsers.sandbox",
        "pipelines.jobs.writing",
    ),
}


def preload(role: str) -> None:
    """Import what workers of this role will."""
    for name in _NEEDED[role]:
        import_module(name)


if __name__ == "__main__":
    from pyspark.daemon import manager

    preload(os.environ[ROLE])
    manager()
