"""An unclean election: a replica that was out of sync leads, because none that is in sync can be used.

What was acknowledged, and it does not have, is lost: so it happens by an explicit command alone, and is written down in
the state for good. The new leader begins an epoch where its whole batches end; the others are compared with it when
they come back, and what they have beyond is set aside (rejoining.py), so it can still be read from there.
"""

from __future__ import annotations

import dataclasses
import logging
import os
from typing import TYPE_CHECKING, NamedTuple

from log.disk.documents import read_document
from log.disk.files import make_folder
from log.embedded.replicas.recovery import look, rebuild_index
from log.embedded.replicas.replica import drop_segments_after
from log.embedded.replicas.state import PartitionState, save_state, state_of
from log.embedded.replicas.watermark import read_watermark
from log.embedded.segment.epochs import read_epochs, write_epochs
from log.embedded.segment.names import segment_file
from log.embedded.topics import load_topic
from log.errors import LogUnusable
from log.times import now_ms, rfc3339

if TYPE_CHECKING:
    from log.embedded.home import Home
    from log.embedded.replicas.recovery import CopyEnd
    from log.types import TopicPartition


logger = logging.getLogger(__name__)


class Candidate(NamedTuple):
    """What a replica would keep and lose as the leader."""

    number: int
    standing: CopyEnd
    acknowledged: int | None  # the high watermark that was known; None where that is lost, too

    @property
    def lost(self) -> int | None:
        """Acknowledged records that it does not have; None: not known."""
        return None if self.acknowledged is None else max(0, self.acknowledged - self.standing.end)


def candidate(home: Home, source: TopicPartition, number: int) -> Candidate:
    """What there is to know before an election. Writes nothing. Raises OSError, LogUnusable."""
    home.check_replica(number)
    mark = read_watermark(home.watermark_file(source))
    return Candidate(number, look(home.partition_folder(source, number), None), mark.high_watermark if mark else None)


def elect(home: Home, source: TopicPartition, number: int) -> Candidate:
    """Make the replica the leader, and the only one in sync. To be called with the partition's lock held.

    1. cut its copy behind the last whole batch, index it    2. enter the epoch that begins there
    3. remove the watermark: the next appender finds it again    4. write the state, with what was given up
    A crash before 4 leaves the old state in force. Raises OSError, LogUnusable when the copy has a hole.
    """
    found = candidate(home, source, number)
    standing, folder = found.standing, home.partition_folder(source, number)
    if standing.damaged:
        raise LogUnusable(
            f"{folder}: damaged in segment {standing.base} at position {standing.position}, with records behind that: "
            "choose another replica, or restore this one"
        )
    drop_segments_after(folder, standing.base)
    with segment_file(folder, standing.base).open("r+b") as file:
        file.truncate(standing.position)
        file.flush()
        os.fsync(file.fileno())
    rebuild_index(folder, standing.base)
    state = _last_known(home, source)
    epoch = 1 + max([state.epoch, *(epoch for epoch, _ in read_epochs(folder))])
    write_epochs(folder, [*(entry for entry in read_epochs(folder) if entry[1] < standing.end), (epoch, standing.end)])
    home.watermark_file(source).unlink(missing_ok=True)
    given_up = "unknown" if found.acknowledged is None else f"{standing.end} to {found.acknowledged - 1}"
    record = f"{rfc3339(now_ms())} replica {number} elected at offset {standing.end}; offsets given up: {given_up}"
    logger.warning("%s: unclean election: %s", source, record)
    make_folder(home.state_file(source).parent)
    save_state(
        home,
        source,
        dataclasses.replace(
            state,
            version=state.version + 1,
            leader=number,
            epoch=epoch,
            isr=(number,),
            epoch_start=standing.end,
            compacted=min(state.compacted, standing.end),
            start=min(max(state.start, standing.oldest), standing.end),
            unclean=(*state.unclean, record),
        ),
    )
    return found


def _last_known(home: Home, source: TopicPartition) -> PartitionState:
    """The highest version that any copy of this topic has, though no majority says that it is in force."""
    topic_id = load_topic(home, source.topic).id
    places = [home.state_file(source), *(home.state_copy(source, number) for number in home.replicas)]
    documents = [document for document in map(read_document, places) if document is not None]
    states = [state_of(document) for document in documents if document["log_id"] == home.log_id]
    return max(
        (state for state in states if state.topic_id == topic_id),
        key=lambda state: state.version,
        default=PartitionState(home.log_id, 0, 0, 0, (), tuple(home.replicas), topic_id=topic_id),
    )
