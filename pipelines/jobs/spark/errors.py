"""Errors of a run that say something of the log, the mails or the machine, as errors of the pipelines.

The log is read and mails are parsed in processes of Spark's; what is raised there reaches the driver as an error of
Spark's, whose message holds the other process's traceback. So does what Java says of a disk or a process. A run that is
too small for Spark raises the same in the driver itself.
"""

from __future__ import annotations

import re
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from log.errors import CorruptRecord, LogError, NoRecord, OffsetOutOfRange
from parsers.sandbox.failures import ParserChanged, StartFailed
from pipelines.errors import JobCutOff, JobFailed, ParsersDiffer, PipelineError, RecordsUnreadable, SparkLost
from pipelines.jobs.spark.session import jvm_ended

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURS = "|".join(re.escape(error.__module__) for error in (LogError, StartFailed, PipelineError))
_RAISED = re.compile(rf"^(?:{_OURS})\.(\w+): (.*)", re.MULTILINE)
_MACHINE = re.compile(r"^(?:Caused by)?: java\.(?:io|net|nio\.file)\.\w+: (.*)", re.MULTILINE)
_DENIED = re.compile(r"^(?:\w+Error): (\[Errno \d+\] .*)", re.MULTILINE)  # in a process that runs our code
_WORKER_GONE = re.compile(r"(?:Python worker (?:exited|failed)|EOFException occurred while reading)[^\n]*")
_CUT_OFF = re.compile(r"^(?:Caused by)?: java\.io\.(EOFException)$", re.MULTILINE)  # and no more is said
_LOST = re.compile(r"org\.apache\.spark\.sql\.kafka010\.KafkaIllegalStateException: ([^;\n]*)")
_BROKERS = re.compile(r"^(?:Caused by)?: org\.apache\.kafka\.common\.errors\.((?!OffsetOutOf)\w+: .*)", re.MULTILINE)
_NO_PYTHON = re.compile(r"Error from python worker:\s+(\S[^\n]*)")  # such as of a pack's
_REMOVED = re.compile(r"Master removed our application: \w+")  # its executors do not start; the workers' logs say why
_HOST = re.compile(r"(?m)\(TID \d+\) \((\S+) executor (?!driver\))|^on host (\S+)$")  # of a task that failed
_OF_THE_MACHINE = (_NO_PYTHON, _MACHINE, _DENIED, _WORKER_GONE, _CUT_OFF, _REMOVED)  # what says most comes first


@contextmanager
def spark_errors_as_pipeline_errors(folder: str | None = None) -> Iterator[None]:
    """Errors that say something as ours; any other stays. `folder` is where tasks write meanwhile.

    Raises JobFailed, RecordsUnreadable, ParsersDiffer and JobCutOff for what our own code raised, JobCutOff for
    what the machine denied, and SparkLost.
    """
    try:
        yield
    except (LogError, ParserChanged, StartFailed) as error:  # in this process: a small run reads and parses itself
        raise _ours(type(error).__name__, str(error)) from error
    except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
        if jvm_ended():
            raise SparkLost("Spark's process is gone (killed? out of memory?): run the command again") from error
        text = str(error)
        on = _elsewhere(text)
        if raised := _RAISED.findall(text):
            name, message = raised[-1]  # of a chain the last is what was not caught
            raise _ours(name, message, on) from error
        if lost := _LOST.search(text):
            raise JobFailed(
                f"{lost[1]}: nothing is published; retention deleted records since the run was planned"
            ) from error
        if told := _BROKERS.findall(text):
            kind = JobFailed if "Authenti" in told[-1] or "Authoriz" in told[-1] else JobCutOff
            raise kind(f"the brokers did not let Spark read, nothing was published: {told[-1]}{on}") from error
        if denied := next(filter(None, (each.findall(text) for each in _OF_THE_MACHINE)), None):
            where = f" with {folder}" if folder else ""
            raise JobCutOff(f"Spark could not go on{where}, nothing was published: {denied[-1]}{on}") from error
        raise


def _elsewhere(text: str) -> str:
    """Which other machine a task failed on; nothing where it was this one."""
    hosts = {first or second for first, second in _HOST.findall(text)} - {socket.gethostname()}
    return f" (on {', '.join(sorted(hosts))})" if hosts else ""


def _ours(name: str, message: str, on: str = "") -> PipelineError:
    """What an error of the log, the parsers or the store is to a run, by the name of its class; `on` names a host."""
    if name == ParserChanged.__name__:
        return ParsersDiffer(f"{message}{on}: nothing is published; run the command again")
    if name in {CorruptRecord.__name__, NoRecord.__name__}:
        return RecordsUnreadable(message)
    if name == OffsetOutOfRange.__name__:
        return JobFailed(f"{message}: nothing is published; retention deleted records since the run was planned")
    return (JobCutOff if name in _names_of_retriable() else JobFailed)(message + on)


def _names_of_retriable() -> set[str]:
    """StartFailed among them: no mail can be parsed for now, and none is to blame."""
    of_log = {each.__name__ for each in LogError.__subclasses__() if each.retriable}
    return (
        of_log | {each.__name__ for each in PipelineError.__subclasses__() if each.retriable} | {StartFailed.__name__}
    )
