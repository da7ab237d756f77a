"""Which copies of a partition a reader may ask, and what they hold; looked at again when the watermark says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from log.embedded.replicas.state import PartitionState, load_state
from log.embedded.segment.names import copy_bases
from log.errors import ReplicaFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from log.embedded.home import Home
    from log.embedded.replicas.watermark import Watermark
    from log.types import TopicPartition

T = TypeVar("T")
AsOf = tuple[int, int]  # the version of the state, and the base offset of the active segment


class Copies:
    """The in-sync copies of all partitions, as one reader knows them."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._states: dict[TopicPartition, PartitionState] = {}
        self._in_sync: dict[TopicPartition, tuple[AsOf, list[Path]]] = {}
        self._segments: dict[Path, tuple[AsOf, list[int]]] = {}

    def somewhere(self, source: TopicPartition, mark: Watermark, ask: Callable[[Path], T]) -> T:
        """What the first copy says whose disk answers. Raises ReplicaFailed."""
        reasons = []
        for folder in self.folders(source, mark):
            try:
                return ask(folder)
            except OSError as error:
                reasons.append(str(error))
        raise ReplicaFailed(f"{source}: no in-sync replica can be read: {'; '.join(reasons)}")

    def folders(self, source: TopicPartition, mark: Watermark) -> list[Path]:
        """The copies in sync: the leader's first, those without their beginning last."""
        known, folders = self._in_sync.get(source, (None, []))
        if known != (mark.state_version, mark.segment_base):
            state = self.state(source, mark)
            leader_first = sorted(state.isr, key=lambda number: number != state.leader)
            folders = [self._home.partition_folder(source, number) for number in leader_first]
            folders.sort(key=lambda folder: _begins_late(folder, state.start))
            self._in_sync[source] = ((state.version, mark.segment_base), folders)
        return folders

    def state(self, source: TopicPartition, mark: Watermark) -> PartitionState:
        """The state in force. Raises LogUnusable."""
        state = self._states.get(source)
        if state is None or state.version != mark.state_version:
            state = self._states[source] = load_state(self._home, source)
            self._home.keep_up_with(state.replicas, state.isr)
        return state

    def bases(self, folder: Path, mark: Watermark) -> list[int]:
        """The base offsets of a copy's segments up to the active one, ascending, as of when that began. Raises OSError.

        The oldest of them may be deleted since.
        """
        known, bases = self._segments.get(folder, (None, []))
        if known != (mark.state_version, mark.segment_base):
            bases = copy_bases(folder, max(mark.segment_base, mark.high_watermark))
            self._segments[folder] = ((mark.state_version, mark.segment_base), bases)
        return bases


def _begins_late(folder: Path, start: int) -> bool:
    """Whether its oldest segments are missing; until an appender finds out, such a copy is asked last."""
    try:
        return copy_bases(folder)[0] > start
    except OSError:
        return True
