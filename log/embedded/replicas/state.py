"""The state of a partition: who leads, in which epoch, who is in sync. It changes only under the partition's lock."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from log.disk import documents
from log.embedded.segment.segment import Fence
from log.errors import LogUnusable

if TYPE_CHECKING:
    from log.embedded.home import Home
    from log.types import TopicPartition


@dataclass(frozen=True, slots=True)
class PartitionState:
    """Replicas are named by their number in the log, from 1."""

    log_id: str
    version: int  # grows by one with every change, from the time of its making: no version of a deleted one comes again
    leader: int
    epoch: int  # grows by one with every change of leader
    isr: tuple[int, ...]  # replicas in sync, the leader among them
    replicas: tuple[int, ...]  # all that are meant to have a copy
    start: int = 0  # log start offset: what lies before it is deleted, or will be
    epoch_start: int = -1  # the offset that the epoch began at; -1 in a state of an older version
    compacted: int = 0  # offset: what lies before it was compacted
    topic_id: str = ""  # the same in all of a topic, and in no other of that name; "" in a log of an older version
    unclean: tuple[str, ...] = ()  # what was given up by elections of a replica that was out of sync, one text each

    @property
    def fence(self) -> Fence:
        """What the epoch of a batch must be."""
        return Fence(self.epoch, self.epoch_start)


def load_state(home: Home, source: TopicPartition) -> PartitionState:
    """The state in force. Raises LogUnusable with neither root nor a majority of the copies, and as `state_of`."""
    found = documents.newest(home.state_file(source), [home.state_copy(source, number) for number in home.replicas])
    if found is None or found["log_id"] != home.log_id:
        raise LogUnusable(
            f"{source}: neither {home.state_file(source)} nor a majority of the replicas' copies of it can be read; "
            "bring back the root or the missing replica folders"
        )
    return state_of(found)


def state_of(document: documents.Document) -> PartitionState:
    """The state that a document has. Raises LogUnusable for one of a later version."""
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items()
    }
    try:
        return PartitionState(**fields)
    except TypeError as error:
        raise LogUnusable(f"a state.json that this version does not know ({error}): use a newer otclog") from error


def save_state(home: Home, source: TopicPartition, state: PartitionState) -> None:
    """Write the state to the root and to every replica that can be reached; it is in force when this returns.

    Raises OSError if the root cannot take it. A replica that cannot is out of sync, or finds out at its next write.
    """
    document = asdict(state)
    documents.write_document(home.state_file(source), document)
    for number in home.replicas:
        try:
            documents.write_document(home.state_copy(source, number), document)
        except OSError:
            continue
