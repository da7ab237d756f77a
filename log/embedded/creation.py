"""A new partition: folders and a first segment in every replica, then its state. The topic's own file comes last."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from log.disk.documents import newest, read_document
from log.disk.files import NOT_THE_DISK, fsync_folder, make_folder
from log.embedded.replicas.replica import begin_segment
from log.embedded.replicas.state import PartitionState, save_state
from log.embedded.replicas.watermark import Watermark, WatermarkFile, this_boot
from log.embedded.segment.epochs import write_epochs
from log.embedded.segment.names import segment_bases, segment_file
from log.errors import LogUnusable, NotEnoughReplicas
from log.types import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from log.embedded.home import Home

logger = logging.getLogger(__name__)


def create_partition(home: Home, source: TopicPartition, min_insync: int, topic_id: str) -> None:
    """Durable when this returns. Replicas that cannot be reached stay out of the ISR, as do those that hold records.

    These missed the deletion of a topic of that name; when they are brought in sync, they are set aside.
    Raises NotEnoughReplicas, LogUnusable where so many hold records that no topic says so of, and as `check_unused`.
    """
    check_unused(home, source)
    isr, reasons, held = [], [], []
    for number in home.replicas:
        try:
            home.check_replica(number)
            folder = home.partition_folder(source, number)
            if _holds_records(folder):
                held.append(str(folder))
                continue
            _create_copy(folder)
            isr.append(number)
        except OSError as error:
            reasons.append(str(error))
            logger.warning("%s: made without replica %d: %s", source, number, error)
    if len(isr) < min_insync <= len(isr) + len(held):
        raise LogUnusable(
            f"{source}: records lie in {', '.join(held)} already, though no topic says so: move them away first"
        )
    if len(isr) < min_insync:
        raise NotEnoughReplicas(
            f"{source}: {len(isr)} replicas can hold it, {min_insync} are needed ({'; '.join(reasons)})"
        )
    make_folder(home.state_file(source).parent)
    version = time.time_ns()
    state = PartitionState(
        home.log_id, version, isr[0], 0, tuple(isr), tuple(home.replicas), epoch_start=0, topic_id=topic_id
    )
    save_state(home, source, state)
    watermark = WatermarkFile(home.watermark_file(source))
    try:
        watermark.write(Watermark(this_boot(), version, 0, 0, 0, 0, 0, 0, cuts=version))
        watermark.sync()
    finally:
        watermark.close()
    fsync_folder(home.watermark_file(source).parent)  # readers cannot do without it


def check_unused(home: Home, source: TopicPartition) -> None:
    """Raises LogUnusable where a replica holds records of the topic that the partition's state is about.

    No deletion left such a state: the topic's file is lost, and a new topic would begin over its records.
    """
    told = newest(home.state_file(source), [home.state_copy(source, number) for number in home.replicas])
    if told is None or told["log_id"] != home.log_id:
        return
    held = []
    for number in home.replicas:
        copy, folder = read_document(home.state_copy(source, number)), home.partition_folder(source, number)
        try:
            if _holds_records(folder) and (copy is None or copy.get("topic_id") == told.get("topic_id")):
                held.append(str(folder))
        except OSError as error:
            if error.errno in NOT_THE_DISK:
                raise
    if held:
        file = home.topic_file(source.topic)
        raise LogUnusable(
            f"{source}: {', '.join(held)} hold records of the topic {source.topic}, which was never deleted: "
            f"{file} is lost. Put it back, from a backup or the folder topics of a replica"
        )


def partitions_in(place: Path) -> Iterator[TopicPartition]:
    """The partitions that have a folder there; none where it is away, or may not be entered.

    Raises OSError where it is this process that cannot look.
    """
    try:
        folders = list(place.iterdir())
    except OSError as error:
        if error.errno in NOT_THE_DISK:
            raise
        return
    for folder in folders:
        topic, _, number = folder.name.rpartition("-")
        if topic and number.isdecimal():
            yield TopicPartition(topic, int(number))


def _holds_records(folder: Path) -> bool:
    return folder.is_dir() and any(segment_file(folder, base).stat().st_size for base in segment_bases(folder))


def _create_copy(folder: Path) -> None:
    make_folder(folder)
    begin_segment(folder, 0)
    write_epochs(folder, [(0, 0)])
