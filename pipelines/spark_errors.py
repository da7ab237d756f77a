"""Errors of our own parts that come out of Spark.

The log is read and mails are parsed in processes of Spark's; what is raised there reaches the driver as an error of
Spark's, whose message holds the other process's traceback.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from log.errors import LogError
from parsers.sandbox.failures import StartFailed
from pipelines.errors import JobCutOff, JobFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURS = "|".join(re.escape(error.__module__) for error in (LogError, StartFailed))
_RAISED = re.compile(rf"^(?:{_OURS})\.(\w+): (.*)", re.MULTILINE)


@contextmanager
def spark_errors_as_pipeline_errors() -> Iterator[None]:
    """Raises JobFailed and JobCutOff for what our own code raised in Spark; any other error of Spark's stays."""
    try:
        yield
    except PySparkException as error:
        raised = _RAISED.findall(str(error))
        if not raised:
            raise
        name, message = raised[-1]  # of a chain the last is what was not caught
        raise (JobCutOff if name in _names_of_retriable() else JobFailed)(message) from error


def _names_of_retriable() -> set[str]:
    """StartFailed among them: no mail can be parsed for now, and none is to blame."""
    return {StartFailed.__name__, *(each.__name__ for each in LogError.__subclasses__() if each.retriable)}
