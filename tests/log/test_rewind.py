from __future__ import annotations

import pytest

from log import LogUnusable, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.rewind import (
    Move,
    Target,
    outside,
    plan,
    shift_by,
    to_current,
    to_earliest,
    to_latest,
    to_listed,
    to_offset,
    to_time,
)

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def log(embedded: EmbeddedLog) -> EmbeddedLog:
    """Ten records, six of them read."""
    for number in range(10):
        embedded.append("mails", [Record(b"key", b"%d" % number)])
    embedded.commit("extract", {SOURCE: 6})
    return embedded


@pytest.mark.parametrize(
    ("target", "to", "replays", "skips"),
    [
        pytest.param(to_earliest, 0, 6, 0, id="earliest"),
        pytest.param(to_latest, 10, 0, 4, id="latest"),
        pytest.param(to_offset(2), 2, 4, 0, id="offset"),
        pytest.param(to_offset(6), 6, 0, 0, id="where it is"),
        pytest.param(to_offset(99), 10, 0, 4, id="beyond the end"),
        pytest.param(to_current, 6, 0, 0, id="current"),
        pytest.param(to_listed({SOURCE: 3}), 3, 3, 0, id="listed"),
        pytest.param(shift_by(-2), 4, 2, 0, id="back"),
        pytest.param(shift_by(3), 9, 0, 3, id="on"),
        pytest.param(shift_by(-100), 0, 6, 0, id="back beyond the start"),
        pytest.param(to_time(0), 0, 6, 0, id="before all records"),
        pytest.param(to_time(2**45), 10, 0, 4, id="after all records"),
    ],
)
def test_a_plan_says_what_would_be_read_again_and_what_never(
    log: EmbeddedLog, target: Target, to: int, replays: int, skips: int
) -> None:
    assert plan(log, "extract", [SOURCE], target) == [Move("extract", "mails", 0, 6, to, replays, skips)]
    assert log.committed("extract") == {SOURCE: 6}


def test_a_time_leads_to_the_first_record_of_that_time(log: EmbeddedLog) -> None:
    stored = log.read(SOURCE, 0, 2**20)
    (move,) = plan(log, "extract", [SOURCE], to_time(stored[5].timestamp_ms))
    assert move.to == next(record.offset for record in stored if record.timestamp_ms == stored[5].timestamp_ms)


@pytest.mark.parametrize("sentinel", [-1, -2])
def test_what_means_an_end_elsewhere_is_no_offset(log: EmbeddedLog, sentinel: int) -> None:
    for target in (to_offset, lambda offset: to_listed({SOURCE: offset})):
        with pytest.raises(LogUnusable, match="is no offset: to go to an end of the log, use --to-earliest"):
            plan(log, "extract", [SOURCE], target(sentinel))


@pytest.mark.parametrize("target", [to_earliest, to_latest, to_current])
def test_an_end_is_a_real_offset(log: EmbeddedLog, target: Target) -> None:
    for group in ("extract", "new"):
        (move,) = plan(log, group, [SOURCE], target)
        assert move.to in {0, 6, 10}


def test_a_group_that_never_committed_begins_at_the_start(log: EmbeddedLog) -> None:
    (move,) = plan(log, "new", [SOURCE], to_offset(4))
    assert (move.committed, move.to, move.replays, move.skips) == (None, 4, 0, 4)
    with pytest.raises(LogUnusable, match="nothing to shift from"):
        plan(log, "new", [SOURCE], shift_by(1))


def test_an_offset_that_is_not_kept_is_said_to_become_the_nearest(log: EmbeddedLog) -> None:
    assert outside(log, "extract", [SOURCE], to_offset(10)) == []
    (line,) = outside(log, "extract", [SOURCE], to_offset(11))
    assert "offset 11 is not in [0, 10]; 10 is taken instead" in line
    log.delete_records(SOURCE, 8)
    (line,) = outside(log, "extract", [SOURCE], to_current)
    assert "offset 6 is not in [8, 10]; 8 is taken instead" in line
