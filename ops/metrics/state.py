"""Where a home stands, as gauges: each look asks anew. What `otclog status` judges and says in words is a number here.

A check that breaks costs its own gauges alone, and says so in `otclog_look_failed`. Nothing is changed but what opening
a log puts right, and the notes of how far groups are behind.
"""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from prometheus_client.core import GaugeMetricFamily

from conf.heartbeat import beats
from ingest.folders.waiting import waiting
from log import find_log, is_there
from log.command import lag_monitor_of
from ops.findings import in_words, room
from pipelines.errors import NothingPublished
from pipelines.tables.publication import latest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client import Metric

    import conf
    from log import CommitLog

logger = logging.getLogger(__name__)

_OF_A_PARTITION = ("topic", "partition")
_OF_A_READER = ("group", "topic", "partition")
GAUGES: dict[str, tuple[str, tuple[str, ...]]] = {  # name: what it says, its labels
    "otclog_look_failed": ("1 where a check of the last look broke, so that its gauges are missing.", ("check",)),
    "otclog_program_processes": ("Processes that go on, by what the kernel says of them.", ("program", "vitality")),
    "otclog_program_beat_age_seconds": ("Seconds since the last sign of life, the oldest of a program.", ("program",)),
    "otclog_folder_waiting_files": ("Files that a watcher is to take.", ("folder",)),
    "otclog_folder_oldest_file_seconds": ("Seconds that the oldest of them has waited.", ("folder",)),
    "otclog_folder_failed_files": ("Files that were put aside in failed/.", ("folder",)),
    "otclog_topic_start_offset": ("The first offset that is kept.", _OF_A_PARTITION),
    "otclog_topic_end_offset": ("The next offset that readers will see (high watermark).", _OF_A_PARTITION),
    "otclog_topic_bytes": ("Bytes of the leader's segments, where the log tells.", _OF_A_PARTITION),
    "otclog_topic_replicas": ("Replicas that the partition is meant to have.", _OF_A_PARTITION),
    "otclog_topic_in_sync_replicas": ("Of these, the ones in sync.", _OF_A_PARTITION),
    "otclog_group_committed_offset": ("The next offset that the group reads.", _OF_A_READER),
    "otclog_group_lag_records": ("Records that the group has not read.", _OF_A_READER),
    "otclog_group_lag_bytes": ("Bytes of these, where the log tells.", _OF_A_READER),
    "otclog_group_oldest_unread_seconds": ("Seconds that the oldest of them has been in the log.", _OF_A_READER),
    "otclog_group_expired_records": ("Records that retention took before the group read them.", _OF_A_READER),
    "otclog_group_late": ("1 where somebody is to be told, as `otclog group lag` says.", _OF_A_READER),
    "otclog_replica_reachable": ("1 where the replica's folder, or broker, is there.", ("replica",)),
    "otclog_replica_partitions": ("Partitions that it is meant to have.", ("replica",)),
    "otclog_replica_in_sync_partitions": ("Of these, the ones where it is in sync.", ("replica",)),
    "otclog_publication_number": ("The newest state of the tables.", ()),
    "otclog_publication_time_seconds": ("When it was published, in Unix time.", ()),
    "otclog_disk_free_bytes": ("Free bytes on the disk of a folder.", ("folder",)),
}


class _Sample(NamedTuple):
    name: str
    labels: tuple[object, ...]
    value: float


def look(settings: conf.Settings, told: dict[str, str]) -> list[Metric]:
    """All gauges as they are now; those without a sample have their name and what they say alone.

    `told` is what was said of checks that broke: the same is said once, as long as it lasts.
    """
    families = {name: GaugeMetricFamily(name, said, labels=labels) for name, (said, labels) in GAUGES.items()}
    for check, samples in _CHECKS.items():
        try:
            found, failed = list(samples(settings)), 0.0
            told.pop(check, None)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still told
            found, failed = [], 1.0
            if told.get(check) != in_words(error):
                logger.warning("%s: %s", check, in_words(error))
            told[check] = in_words(error)
        for name, labels, value in [*found, _Sample("otclog_look_failed", (check,), failed)]:
            families[name].add_metric(list(map(str, labels)), value)
    return list(families.values())


def _processes(settings: conf.Settings) -> Iterator[_Sample]:
    found = [(beat, beat.process.vitality) for beat in beats(settings.log.root)]
    for (program, vitality), number in Counter((beat.program, vitality) for beat, vitality in found).items():
        yield _Sample("otclog_program_processes", (program, vitality), number)
    for program in {beat.program for beat, vitality in found if vitality != "gone"}:
        age_s = max(beat.age_s for beat, vitality in found if beat.program == program and vitality != "gone")
        yield _Sample("otclog_program_beat_age_seconds", (program,), age_s)


def _folders(settings: conf.Settings) -> Iterator[_Sample]:
    for source in settings.ingest.sources:
        found, label = waiting(source, settings.ingest), (source.path,)
        yield _Sample("otclog_folder_waiting_files", label, found.files)
        yield _Sample("otclog_folder_oldest_file_seconds", label, found.oldest_s)
        yield _Sample("otclog_folder_failed_files", label, found.failed)


def _log(settings: conf.Settings) -> Iterator[_Sample]:
    if is_there(settings.log):
        with closing(find_log(settings.log)) as log:
            yield from _topics(log)
            yield from _groups(log, settings)
            yield from _replicas(log)


def _topics(log: CommitLog) -> Iterator[_Sample]:
    for topic in log.topics():
        for each in log.describe(topic):
            label = topic, each.partition
            yield _Sample("otclog_topic_start_offset", label, each.start)
            yield _Sample("otclog_topic_end_offset", label, each.high_watermark)
            yield _Sample("otclog_topic_replicas", label, len(each.replicas))
            yield _Sample("otclog_topic_in_sync_replicas", label, len(each.isr))
            if each.bytes >= 0:
                yield _Sample("otclog_topic_bytes", label, each.bytes)


def _groups(log: CommitLog, settings: conf.Settings) -> Iterator[_Sample]:
    for each in lag_monitor_of(settings, log).look().judged:
        lag = each.lag
        label = lag.group, lag.topic, lag.partition
        yield _Sample("otclog_group_lag_records", label, lag.lag)
        yield _Sample("otclog_group_oldest_unread_seconds", label, each.age_s or 0.0)
        yield _Sample("otclog_group_expired_records", label, lag.expired)
        yield _Sample("otclog_group_late", label, each.alarms)
        if lag.committed is not None:
            yield _Sample("otclog_group_committed_offset", label, lag.committed)
        if lag.bytes is not None:
            yield _Sample("otclog_group_lag_bytes", label, lag.bytes)


def _replicas(log: CommitLog) -> Iterator[_Sample]:
    for each in log.replicas():
        yield _Sample("otclog_replica_reachable", (each.replica,), each.reachable)
        yield _Sample("otclog_replica_partitions", (each.replica,), each.partitions)
        yield _Sample("otclog_replica_in_sync_partitions", (each.replica,), each.in_sync)


def _tables(settings: conf.Settings) -> Iterator[_Sample]:
    try:
        publication = latest(store_of(settings.tables))
    except NothingPublished:
        return
    yield _Sample("otclog_publication_number", (), publication.number)
    at = datetime.fromisoformat(publication.published_at).timestamp()
    yield _Sample("otclog_publication_time_seconds", (), at)


def _disks(settings: conf.Settings) -> Iterator[_Sample]:
    places = [*settings.log.folders, *settings.log.claims, settings.tables.root]
    places += [source.path for source in settings.ingest.sources]
    for folder in dict.fromkeys(place for place in places if isinstance(place, Path)):
        yield _Sample("otclog_disk_free_bytes", (folder,), room(folder, settings)[1])


_CHECKS: dict[str, Callable[[conf.Settings], Iterator[_Sample]]] = {
    "processes": _processes,
    "folders": _folders,
    "log": _log,
    "tables": _tables,
    "disks": _disks,
}
