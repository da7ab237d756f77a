"""What an open log's root has lost and its replicas still tell."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from log.disk.files import disk_errors_as_log_errors
from log.embedded.home import has_lost_identity, write_identity
from log.embedded.replicas.behind import is_behind
from log.embedded.replicas.state import load_state
from log.embedded.replicas.watermark import read_watermark, this_boot
from log.embedded.topic_admin import bring_topics_back, topics_locked
from log.embedded.topics import load_topic
from log.errors import LogError, UnknownTopic
from log.types import Tended, TopicPartition

if TYPE_CHECKING:
    from log.embedded.open_log import OpenedLog
    from log.embedded.replicas.watermark import Watermark

logger = logging.getLogger(__name__)


def find_lost_identities(log: OpenedLog) -> list[Tended]:
    """Write each replica.json again that is lost or damaged, where the folder is a replica of this log; what was done.

    Without it the replica takes no new topic, and cannot come back once it is out of sync.
    """
    done = []
    for number, folder in log.home.replicas.items():
        try:
            with disk_errors_as_log_errors():
                if not has_lost_identity(log.home, number):
                    continue
                with topics_locked(log.home, log.options):
                    write_identity(log.home, number, folder)
        except LogError as error:
            detail = f"{folder}: its replica.json is lost or damaged, and not written again: {error}"
            done.append(Tended("", 0, "restore", ok=False, detail=detail))
        else:
            detail = f"{folder}: its replica.json was lost or damaged: written again"
            done.append(Tended("", 0, "restore", ok=True, detail=detail))
    return done


def find_lost_topics(log: OpenedLog) -> list[str]:
    """Write the topics' files again that the root has lost, from a majority of the replicas; the topics' names.

    What cannot be written now stays lost, which is logged: until then each who asks looks into the replicas.
    """
    try:
        with disk_errors_as_log_errors():
            found = bring_topics_back(log.home, log.options)
    except LogError as error:
        logger.warning("%s: the root lost files of its topics, and they are not restored: %s", log.home.root, error)
        return []
    for topic in found:
        logger.warning("%s: the root had lost the file of this topic: restored from the replicas", topic)
    return found


def find_lost_watermarks(log: OpenedLog) -> None:
    """Find the high watermarks again, from the replicas, that the root has lost: without them nobody can read.

    So is one that the replicas go on behind: what is there nobody sees. One that cannot be found now stays lost, which
    is logged: whoever reads there is told.
    """
    for topic in log.topics():
        with contextlib.suppress(UnknownTopic):  # it has just been deleted
            for source in (TopicPartition(topic, number) for number in range(load_topic(log.home, topic).partitions)):
                try:
                    _find_watermark(log, source)
                except UnknownTopic:
                    raise
                except LogError as error:
                    logger.warning("%s: its high watermark is lost, and not found again: %s", source, error)


def _find_watermark(log: OpenedLog, source: TopicPartition) -> None:
    with disk_errors_as_log_errors():
        mark = read_watermark(log.home.watermark_file(source))
        behind = mark is not None and mark.boot == this_boot() and _is_behind(log, source, mark)
    if mark is None or behind:
        with log.exclusive(source):
            if mark is None:
                logger.warning("%s: its high watermark was lost: found again from the replicas", source)
            else:
                end = log.span(source).stop
                logger.warning("%s: the replicas had more than the root knew of: shown up to offset %d", source, end)


def _is_behind(log: OpenedLog, source: TopicPartition, mark: Watermark) -> bool:
    return is_behind(log.home, source, mark, load_state(log.home, source))
