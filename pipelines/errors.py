"""The errors of the pipelines, one tree; `retriable` says whether the same call may succeed later.

PipelineError
├── SparkUnusable           Spark cannot start here
├── ClusterSilent           (retriable) Spark's master or workers do not answer
├── NothingToRead           no such topic, or the offsets asked for are not kept
├── NothingLearnt           a mail and its truth teach nothing that can be written
├── NothingPublished        there are no tables yet
├── TablesDamaged           a file or folder among the tables is gone, or not what was written
│   └── NotStored           (FileNotFoundError, too) the store of the tables has nothing of that name
├── StoreUnusable           the store of the tables refuses us, or cannot keep what two writers need
├── OtherLog                the tables have rows of another log, of a topic that was made anew, or of records it lost
├── SchemaDiffers           a table is of an earlier or later otclog, with fewer columns or more
├── FilesMissing            a commit names files that are not there: nothing was published
├── UnknownRecord           no published quote has this record_id
├── BadSelection            a selection or filter that cannot be understood
├── ShadowOutdated          a shadow whose parsers or rows are others by now
│   └── Overtaken           (retriable) so is that of a reparse in hand: it is gone, another try makes a new one
├── NotUndoable             a run whose rows of before are gone, or were written over since
├── NotAllowed              a reparse changes more than the gate lets pass
├── NotConserved            counts of a run do not add up: nothing was published, no offset committed
├── DemoFailed              a step of the demo did not do what it shows
├── RecordsDamaged          a partition goes on with records that no replica has whole
├── SparkLost               Spark's JVM has ended; another process may try again
├── ParsersDiffer           the parsers were changed amid a run; another process may try again
├── JobFailed               a process of Spark's could not read the log, or parse
│   └── RecordsUnreadable   it met records that no replica has whole
├── JobCutOff               (retriable) the same, or write its files, for now
├── GroupBusy               (retriable) another process extracts for this group
├── TableBusy               (retriable) another process writes these tables
├── StoreUnreachable        (retriable) no answer, or none but errors, from the store of the tables
├── Changed                 (retriable) another process wrote what was to be replaced
└── LeaseLost               (retriable) another process took the lease over while this one stood still
"""

from __future__ import annotations


class PipelineError(Exception):
    """Root of the tree."""

    retriable = False
    exit_code = 1


class SparkUnusable(PipelineError):
    """Spark cannot start here; the message says what to do."""


class ClusterSilent(PipelineError):
    """Spark's master does not answer, or gives no executor; no session was started."""

    retriable = True


class NothingToRead(PipelineError):
    """No such topic, or the offsets asked for are not kept; the message says what to do."""


class NothingLearnt(PipelineError):
    """A mail and its truth teach nothing that can be written; the message says why."""


class NothingPublished(PipelineError):
    """There are no tables yet."""


class TablesDamaged(PipelineError):
    """A file or folder among the tables is gone, or not what was written; the message says what to do."""


class NotStored(TablesDamaged, FileNotFoundError):
    """The store of the tables has nothing of that name."""


class StoreUnusable(PipelineError):
    """The store of the tables refuses us, or cannot keep what two writers need; the message says what to do."""


class SchemaDiffers(PipelineError):
    """A table is of an earlier or later otclog, with fewer columns or more; the message says what to do."""


class OtherLog(PipelineError):
    """The tables have rows of another log, of a topic made anew, or of records it lost; the message says what to do."""


class FilesMissing(PipelineError):
    """A commit was to name files that are not there, or remove some that its table does not hold."""


class UnknownRecord(PipelineError):
    """No published quote has this record_id."""


class BadSelection(PipelineError):
    """A selection or filter that cannot be understood."""

    exit_code = 2


class ShadowOutdated(PipelineError):
    """The parsers of a shadow, or the rows that it was compared with, are others by now."""

    def __init__(self, shadow_id: str, why: str) -> None:
        """`why`: what has changed, a clause."""
        super().__init__(f"{why} since shadow {shadow_id} was made: `otclog shadow drop {shadow_id}`, and make it anew")
        self.why = why


class Overtaken(ShadowOutdated):
    """Another run has changed what a reparse in hand was compared with; nothing is left of it."""

    retriable = True

    def __init__(self, why: str) -> None:
        """`why`: what has changed, a clause."""
        PipelineError.__init__(self, f"{why} while they were parsed: nothing is published, and nothing is left of it")
        self.why = why


class NotUndoable(PipelineError):
    """A run's rows of before are not kept any more, or a later run has written over its own; the message says what."""


class NotAllowed(PipelineError):
    """A reparse changes more than the gate lets pass; the message says what, and of whom."""


class NotConserved(PipelineError):
    """Counts of a run do not add up: nothing was published, no offset committed."""


class RecordsDamaged(PipelineError):
    """A partition goes on with records that no replica has whole; the message says which, and how to pass them."""


class DemoFailed(PipelineError):
    """A step of the demo did not do what it shows."""


class JobFailed(PipelineError):
    """A process of Spark's could not read the log, or parse; the message is its own."""


class RecordsUnreadable(JobFailed):
    """A process of Spark's met records that no replica has whole; the message is its own."""


class SparkLost(PipelineError):
    """Spark's JVM has ended. This process has no other: its caller tries again with a new one, as a service does."""

    exit_code = 75


class ParsersDiffer(PipelineError):
    """Processes of a run have different parser versions: the code was changed meanwhile. The next process has one."""

    exit_code = 75


class JobCutOff(PipelineError):
    """A process of Spark's could not read the log, parse or write its files, for now; the message is its own."""

    retriable = True


class GroupBusy(PipelineError):
    """Another process extracts for this group."""

    retriable = True


class TableBusy(PipelineError):
    """Another process writes these tables."""

    retriable = True


class StoreUnreachable(PipelineError):
    """No answer, or none but errors, from the store of the tables; what was to be written may be there all the same."""

    retriable = True


class Changed(PipelineError):
    """Another process wrote what was to be replaced."""

    retriable = True


class LeaseLost(PipelineError):
    """Another process took the lease over while this one stood still, or was cut off: this one must write no more."""

    retriable = True
