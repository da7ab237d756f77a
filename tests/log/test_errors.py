from __future__ import annotations

import re

import pytest

from log import CorruptRecord, LogError, OffsetOutOfRange, PartitionBusy, TopicPartition, errors

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


def test_the_tree_that_is_drawn_is_that_of_the_classes() -> None:
    drawn = re.findall(r"─ (\w+) +(\(retriable\))?", errors.__doc__ or "")
    classes = {
        name: kind.retriable
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, LogError) and kind is not LogError
    }
    assert {name: bool(said) for name, said in drawn} == classes
    assert len(drawn) == len(classes)
