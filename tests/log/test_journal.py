from __future__ import annotations

import pytest

from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.groups import GROUPS_PARTITION, GroupOffsets
from log.journal import delete_offsets, journal, move, undo_target
from log.rewind import Move, to_earliest, to_latest, to_offset

SOURCE, OTHER = TopicPartition("mails", 0), TopicPartition("backfill", 0)


@pytest.fixture
def log(embedded: EmbeddedLog) -> EmbeddedLog:
    """Ten records each, six of `mails` read."""
    embedded.create_topic("backfill", 1)
    for topic in ("mails", "backfill"):
        embedded.append(topic, [Record(b"key", b"%d" % number) for number in range(10)])
    embedded.commit("extract", {SOURCE: 6}, "run 7")
    return embedded


def undo(log: EmbeddedLog) -> list[Move]:
    entry, target = undo_target(log, "extract")
    sources = [TopicPartition(one.topic, one.partition) for one in entry.moves]
    return move(log, "extract", sources, target, undoes=entry.generation)


def test_a_move_and_its_entry_are_one_batch(log: EmbeddedLog) -> None:
    before = log.span(GROUPS_PARTITION).stop
    moves = move(log, "extract", [SOURCE, OTHER], to_offset(2), reason="new parser")
    assert moves == [Move("extract", "mails", 0, 6, 2, 4, 0), Move("extract", "backfill", 0, None, 2, 0, 2)]
    assert log.committed("extract") == {SOURCE: 2, OTHER: 2}
    (entry,) = journal(log, "extract")
    assert (entry.group, entry.generation, entry.reason, entry.undoes) == ("extract", 1, "new parser", None)
    assert entry.moves == tuple(moves)
    assert "process" in entry.by
    records = log.read(GROUPS_PARTITION, before, 2**20)
    assert len(records) == 3
    assert {record.timestamp_ms for record in records} == {records[0].timestamp_ms}
    assert records[0].key == b'{"generation":1,"group":"extract"}'
    assert GroupOffsets(log).latest("extract")[SOURCE].metadata == "run 7"


def test_each_move_begins_a_generation_forward_too(log: EmbeddedLog) -> None:
    for target in (to_offset(2), to_latest, to_latest):
        move(log, "extract", [SOURCE], target)
    assert [entry.generation for entry in journal(log, "extract")] == [1, 2, 3]
    assert GroupOffsets(log).latest("extract")[SOURCE].generation == 3


@pytest.mark.parametrize(("to", "read_since", "back_at"), [(2, 0, 6), (2, 3, 6), (2, 7, 9), (9, 0, 6), (9, 1, 6)])
def test_an_undo_leads_back_unless_the_group_has_come_there_by_itself(
    log: EmbeddedLog, to: int, read_since: int, back_at: int
) -> None:
    move(log, "extract", [SOURCE], to_offset(to))
    log.commit("extract", {SOURCE: to + read_since})
    undo(log)
    assert log.committed("extract") == {SOURCE: back_at}


def test_moves_are_undone_latest_first_each_once(log: EmbeddedLog) -> None:
    move(log, "extract", [SOURCE], to_offset(4))
    move(log, "extract", [SOURCE], to_earliest)
    for expected in (4, 6):
        undo(log)
        assert log.committed("extract") == {SOURCE: expected}
    assert [entry.undoes for entry in journal(log, "extract")] == [None, None, 2, 1]
    with pytest.raises(LogUnusable, match="no move to undo"):
        undo(log)


def test_a_partition_never_committed_goes_back_to_the_start(log: EmbeddedLog) -> None:
    move(log, "extract", [OTHER], to_latest)
    undo(log)
    assert log.committed("extract")[OTHER] == 0


def test_a_deleted_group_is_one_never_seen(log: EmbeddedLog) -> None:
    log.commit("other", {SOURCE: 1})
    move(log, "extract", [SOURCE, OTHER], to_earliest)
    delete_offsets(log, "extract", [SOURCE])
    assert log.committed("extract") == {OTHER: 0}
    assert len(journal(log, "extract")) == 1
    delete_offsets(log, "extract", [OTHER])
    assert (log.groups(), log.committed("extract"), journal(log, "extract")) == (["other"], {}, [])
    assert GroupOffsets(log).generation("extract") == 0
