from __future__ import annotations

import pytest

from log import CorruptRecord, LogError, OffsetOutOfRange, PartitionBusy, TopicPartition

SOURCE = TopicPartition("mails", 3)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OffsetOutOfRange(SOURCE, 9, range(2, 7)), "mails-3: offset 9 is not in [2, 7]"),
        (CorruptRecord(SOURCE, 9, "disk-1, position 77"), "mails-3: damaged at offset 9 (disk-1, position 77)"),
        (PartitionBusy(SOURCE, 4711), "mails-3: locked by process 4711; try again"),
        (PartitionBusy(SOURCE, None), "mails-3: locked by process unknown; try again"),
    ],
)
def test_a_message_says_where(error: LogError, message: str) -> None:
    assert str(error) == message
