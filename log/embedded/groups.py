"""Groups of the embedded log: who changes one holds the partition of the groups' topic, so its word is the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.embedded.members import Membership, group_folder, living, reading
from log.groups import GROUPS_PARTITION, GROUPS_TOPIC, GroupOffsets, check_name, make_groups_topic, offset_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from log.embedded.open_log import OpenedLog
    from log.interface import Decide
    from log.types import Member


class EmbeddedGroups:
    """See `Groups`."""

    def __init__(self, log: OpenedLog) -> None:
        self._log = log
        self.offsets = GroupOffsets(log)

    def change(self, group: str, decide: Decide) -> None:
        """See `Groups.change_group`."""
        check_name(group)
        make_groups_topic(self._log)
        with self._log.exclusive(GROUPS_PARTITION):
            if records := decide(self.offsets):
                self._log.append(GROUPS_TOPIC, records)

    def forget(self, topic: str) -> None:
        """What groups committed of this topic, which is gone, holds no longer: a new one of its name is read anew."""
        if GROUPS_TOPIC not in self._log.topics():
            return
        with self._log.exclusive(GROUPS_PARTITION):
            gone = [offset_record(group, source, None) for group, source in self.offsets.of_topic(topic)]
            if gone:
                self._log.append(GROUPS_TOPIC, gone)

    def join(self, group: str, topics: Iterable[str]) -> Membership:
        """See `Groups.join`."""
        check_name(group)
        return Membership(self._log.home.root, group, topics)

    def members(self, group: str) -> list[Member]:
        """See `Groups.members`."""
        return reading(living(group_folder(self._log.home.root, group)), self.offsets.latest(group))
