"""A log as a whole tended: every partition of every topic, each by one process at a time (tending.py)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.disk.lock import FileLock
from log.embedded.recovery.restoring import find_lost_identities, find_lost_topics
from log.embedded.topics import sources
from log.embedded.upkeep.clock import believed_now_ms
from log.embedded.upkeep.retention import advance_start
from log.embedded.upkeep.scrubbing import scrub
from log.embedded.upkeep.tending import Tender, tending
from log.errors import DiskFull, LogError, LogUnusable
from log.protection import hold_on, protected
from log.reading import holds_mails
from log.topic_rules import check_offset
from log.types import Tended

if TYPE_CHECKING:
    from collections.abc import Callable

    from log.embedded.open_log import OpenedLog
    from log.types import TopicPartition


def tend(log: OpenedLog, progress: Callable[[], None]) -> list[Tended]:
    """See `CommitLog`."""
    done: list[Tended] = []
    now_ms = None
    try:
        now_ms = _believed_now_ms(log)
    except (DiskFull, LogUnusable) as error:  # all else is due, the more so where disks fail
        detail = f"nothing is deleted by its age, as the clock's file cannot be kept: {error}"
        done.append(Tended("", 0, "clock", ok=False, detail=detail))
    detail = "the root had lost its topic.json: restored from the replicas"
    done += find_lost_identities(log)
    done += [Tended(topic, 0, "restore", ok=True, detail=detail) for topic in find_lost_topics(log)]
    groups = protected(log)
    for source in sources(log.home):
        progress()
        done += _tend(log, source, now_ms, groups)
    done += [each for each in scrub(log, progress) if each.alarms]  # that all is well is no news
    return list(dict.fromkeys(done))  # the scrub finds in each replica what all have lost


def delete_records(log: OpenedLog, source: TopicPartition, before: int) -> int:
    """See `CommitLog`."""
    check_offset(source, before, range(log.span(source).stop))
    with disk_errors_as_log_errors():
        partition = log.partition(source)
        with tending(log, partition):
            start = advance_start(partition, before)
            Tender(log.home, partition, log.topic_config(source.topic)).drop_deleted()
            return start


def check_compactable(log: OpenedLog, topic: str) -> None:
    """Raise LogUnusable for a topic of mails: of a sender only the last one would be left."""
    for source in sources(log.home, topic):
        if holds_mails(log, source):
            raise LogUnusable(f"{topic} holds mails: compacted, of a sender only the last one would be left")


def _believed_now_ms(log: OpenedLog) -> int | None:
    lock = FileLock(log.home.clock_lock_file, f"clock of {log.home.root}", log.options.lock_timeout_s)
    with disk_errors_as_log_errors(), contextlib.closing(lock), lock:
        return believed_now_ms(log.home.clock_file)


def _tend(log: OpenedLog, source: TopicPartition, now_ms: int | None, groups: list[str]) -> list[Tended]:
    done: list[Tended] = []
    try:
        with disk_errors_as_log_errors():
            partition = log.partition(source)
            with tending(log, partition):
                tender = Tender(log.home, partition, log.topic_config(source.topic))
                done = tender.done
                tender.mend()
                tender.expel()
                tender.rejoin()
                tender.retain(now_ms, hold_on(log, source, groups))
                if log.topic_config(source.topic).cleanup == "compact":
                    check_compactable(log, source.topic)  # they may have come since it was made so
                    tender.compact()
    except LogError as error:
        done.append(Tended(source.topic, source.partition, "tend", ok=False, detail=str(error)))
    return done
