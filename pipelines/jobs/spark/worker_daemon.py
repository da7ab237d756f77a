"""What Spark forks its Python workers from: it has imported what they need, so that none of them does.

Spark starts it as `python -m pipelines.jobs.spark.worker_daemon pyspark.worker`, once for each environment. The one
thread that these imports start is jemalloc's, which that stops before a fork and starts again behind it.
"""

from __future__ import annotations

import os
import sys
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


def report(*words: str, file: object = None) -> None:  # noqa: ARG001 -- as `print` is called
    """What the daemon says of a worker whose last words nobody takes, unless the task that it worked for has ended.

    Where a task fails, on a full disk, the JVM hangs up on the workers of the others. Why it failed is told by the job,
    in a line; a traceback of each of these is no news.
    """
    if not isinstance(sys.exception(), ConnectionError):
        sys.stderr.write(" ".join(words) + "\n")


if __name__ == "__main__":
    from pyspark import daemon

    preload(os.environ[ROLE])
    daemon.print = report  # type: ignore[attr-defined]  # it prints nothing else
    daemon.manager()
