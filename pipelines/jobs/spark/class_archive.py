"""The archive of a session's classes (HotSpot's AppCDS): later JVMs map them, instead of finding and checking each.

usage: python -m pipelines.jobs.spark.class_archive FILE     (scripts/setup does, once)

A JVM that the archive was not made by, or whose jars lie elsewhere or have changed, goes without, and says nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import conf
from log import Record, open_log
from pipelines.jobs.extract import extract
from pipelines.jobs.spark import session

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
_HOME = "[log]\n[[ingest.sources]]\npath = 'mail'\nkind = 'maildir'\n[extract]\nsmall_mails = 0\n"  # by Spark, all


def record(archive: Path) -> None:
    """Extract the sample mails, in a folder that goes again; what its JVM has loaded by then is in `archive`."""
    unfinished = archive.with_suffix(".new")  # a session that starts meanwhile goes without
    session.CLASSES = archive  # a JVM that runs out of an archive writes none
    os.environ["JAVA_TOOL_OPTIONS"] = f"-XX:ArchiveClassesAtExit={unfinished}"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "otclog.toml"
        file.write_text(_HOME)
        settings = conf.load(file, {})
        with closing(open_log(settings.log)) as log:
            log.create_topic("mails", 1)
            log.append("mails", [Record(key=b"", value=mail.read_bytes()) for mail in sorted(SAMPLES.glob("*.eml"))])
            extract(settings, log, "archive", "mails", sys.maxsize)
        _end_jvm(settings)
    unfinished.replace(archive)


def _end_jvm(settings: conf.Settings) -> None:
    """End the session and its JVM, which then writes the archive; return when it has."""
    spark = session.spark_session(settings)
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 -- PySpark has no public door to its JVM
    spark.stop()
    gateway.proc.stdin.close()
    gateway.proc.wait()


if __name__ == "__main__":
    record(Path(sys.argv[1]).absolute())
