"""The log against a plain list: Hypothesis chooses what happens to it, and in short runs shrinks what goes wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from conf.settings import LogSettings
from log import LogError, Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.producers import register
from log.embedded.segment.names import segment_bases, segment_file
from log.groups import GroupOffsets
from log.journal import move, undo_target
from log.rewind import to_earliest, to_latest, to_offset
from tests.log.dying import die_at

SOURCE = TopicPartition("mails", 0)
KEYS = TopicPartition("keys", 0)
WHICH = st.integers(1, 3)
SIZES = st.sampled_from([10, 700, 3000])
SEGMENT_BYTES = 6000
MEMORY = Path("/dev/shm")  # flushes are left out, and so may be the disk: half of a history's time
TO_RUN = (Phase.explicit, Phase.reuse, Phase.generate)


class LogAgainstList(RuleBasedStateMachine):
    """The list is what was acknowledged; beside it, what was appended and may or may not be there."""

    options: LogSettings  # of three replicas, two needed; set by the test

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="otclog-model-", dir=MEMORY if MEMORY.is_dir() else None))
        replicas = tuple(self.folder / f"disk-{number}" for number in (1, 2, 3))
        changes: dict[str, Any] = {"root": self.folder / "log", "replicas": replicas, "segment_bytes": SEGMENT_BYTES}
        self.settings = dataclasses.replace(self.options, compression="none", lock_timeout_s=5, **changes)
        self.log = EmbeddedLog(self.settings, flush_ms=60_000)
        self.log.create_topic("mails", 1)
        compacted = TopicConfig(cleanup="compact", segment_bytes=500, tombstone_s=0)
        self.log.create_topic("keys", 1, compacted)
        self.producer = register(self.log, "producer")
        self.model: list[bytes] = []  # acknowledged
        self.start = 0  # what lies before it is deleted
        self.latest: dict[bytes, bytes] = {}  # of the compacted topic
        self.unsure: list[bytes] = []  # behind it, in order; gone or there after the next append
        self.committed: int | None = None
        self.generation = 0
        self.high_watermark = 0
        self.sent = 0
        self.damaged: set[int] = set()

    def teardown(self) -> None:
        self.log.close()
        shutil.rmtree(self.folder)

    def records(self, count: int, size: int) -> list[Record]:
        self.sent += count
        return [Record(b"key", b"%d " % number + b"." * size) for number in range(self.sent - count, self.sent)]

    def learn(self) -> None:
        """All that was acknowledged is there; of what was unsure, in its order, what is there is acknowledged now."""
        records = self.log.read(SOURCE, self.start, 2**30)
        end = self.start + len(records)
        assert [record.offset for record in records] == list(range(self.start, end))
        assert end >= len(self.model), "what was acknowledged is there"
        known = self.model + self.unsure
        assert [record.value for record in records] == known[self.start : end]
        self.model, self.unsure = known[:end], known[end:]

    @property
    def in_sync(self) -> set[int]:
        """The replicas in sync in every partition."""
        isrs = [set(self.log.describe(topic)[0].isr) for topic in self.log.topics()]
        return {
            number
            for number, folder in enumerate(self.settings.replicas, start=1)
            if all(str(folder) in isr for isr in isrs)
        }

    @rule(count=st.integers(1, 5), size=SIZES)
    def publish(self, count: int, size: int) -> None:
        records = self.records(count, size)
        positions = self.log.append("mails", records)
        self.settle()
        assert [at.offset for at in positions] == list(range(len(self.model), len(self.model) + count))
        self.model += [record.value or b"" for record in records]

    @rule(count=st.integers(1, 5), size=SIZES)
    def write_without_flush(self, count: int, size: int) -> None:
        records = self.records(count, size)
        positions = self.log.append("mails", records, wait="written")
        first = len(self.model) + len(self.unsure)
        assert [at.offset for at in positions] == list(range(first, first + count))
        self.unsure += [record.value or b"" for record in records]

    @rule()
    def flush(self) -> None:
        self.log.flush("mails")
        self.settle()

    def settle(self) -> None:
        """An append or a flush acknowledges what was written before it."""
        self.model, self.unsure = self.model + self.unsure, []

    @rule()
    def close_and_open(self) -> None:
        self.log.close()
        self.log = EmbeddedLog(self.settings, flush_ms=60_000)
        self.learn()

    @rule(count=st.integers(1, 5), step=st.integers(1, 12))
    def crash_within_an_append(self, count: int, step: int) -> None:
        records = self.records(count, 700)
        self.in_a_child(step, lambda log: log.append("mails", records))
        self.unsure += [record.value or b"" for record in records]
        with self.log.exclusive(SOURCE):
            self.learn()
        self.unsure = []  # what is not there now is gone for good

    def in_a_child(self, step: int, do: Callable[[EmbeddedLog], object]) -> None:
        """A child does it, and dies at one of its changes to a disk; ours goes on with the same log."""
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                die_at(step)
                do(EmbeddedLog(self.settings, flush_ms=60_000))
            os._exit(0)
        os.waitpid(child, 0)

    @rule(count=st.integers(1, 5), step=st.integers(1, 12))
    def a_producer_dies_and_repeats(self, count: int, step: int) -> None:
        """What it appended is there once, whether its append was whole or never was."""
        records = self.records(count, 700)
        self.in_a_child(step, lambda log: log.append("mails", records, producer=self.producer))
        self.unsure += [record.value or b"" for record in records]
        with self.log.exclusive(SOURCE):
            self.learn()
        was_whole, self.unsure = not self.unsure, []
        positions = self.log.append("mails", records, producer=self.producer)
        if not was_whole:
            self.model += [record.value or b"" for record in records]
        assert [at.offset for at in positions] == list(range(len(self.model) - count, len(self.model)))

    @rule(count=st.integers(1, 5), restarted=st.booleans())
    def a_producer_repeats(self, count: int, restarted: bool) -> None:
        """The answer to its append was lost: the repeated one gets the first offsets."""
        records, before = self.records(count, 700), dataclasses.replace(self.producer, next=dict(self.producer.next))
        positions = self.log.append("mails", records, producer=self.producer)
        self.settle()
        self.model += [record.value or b"" for record in records]
        if restarted:
            self.close_and_open()
        assert self.log.append("mails", records, producer=before) == positions
        assert before == self.producer

    @rule(segment_bytes=st.sampled_from([100, SEGMENT_BYTES]))
    def change_the_size_of_segments(self, segment_bytes: int) -> None:
        """With 100 bytes each append begins one."""
        self.log.alter_topic("mails", config=TopicConfig(segment_bytes=segment_bytes))

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete_records(self, data: st.DataObject) -> None:
        before = data.draw(st.integers(self.start, len(self.model)))
        self.start = self.log.delete_records(SOURCE, before)
        assert self.start == before

    @rule(keep=st.sampled_from([1, 2 * SEGMENT_BYTES]))
    def delete_by_retention(self, keep: int) -> None:
        """Whole segments go, the oldest, and never so many that less than `keep` bytes would be left."""
        config = self.log.topic_config("mails")
        self.log.alter_topic("mails", config=dataclasses.replace(config, retention_bytes=keep))
        self.tend()
        self.log.alter_topic("mails", config=config)
        start = self.log.span(SOURCE).start
        if start > self.start:
            assert self.log.describe("mails")[0].bytes >= keep
        before, self.start = self.start, start
        self.learn()  # where tending had to recover first, that acknowledged what was only written
        assert before <= start <= len(self.model)

    @rule(
        key=st.sampled_from([b"a", b"b", b"c"]),
        value=st.sampled_from([b"1", b"2" * 300, None]),
        count=st.integers(1, 3),
    )
    def put(self, key: bytes, value: bytes | None, count: int) -> None:
        for _ in range(count):
            self.log.append("keys", [Record(key, value)])
        if value is None:
            self.latest.pop(key, None)
        else:
            self.latest[key] = value

    @rule()
    def tend(self) -> None:
        """Replicas come back, keys are compacted; a second time there is nothing left to bring back."""
        self.log.tend()
        assert [done for done in self.log.tend() if done.action == "rejoin"] == []
        self.look_for_damage()

    @rule(step=st.integers(1, 60))
    def crash_within_tending(self, step: int) -> None:
        self.in_a_child(step, lambda log: log.tend())
        for topic in self.log.topics():
            with self.log.exclusive(TopicPartition(topic, 0)):
                pass
        self.learn()
        self.unsure = []
        self.look_for_damage()

    @rule(which=WHICH)
    def resync(self, which: int) -> None:
        if self.may_fail(which):
            assert all(done.ok for done in Replicas(self.log).resync(which))
            assert self.in_sync == {1, 2, 3}
            self.look_for_damage()
            assert self.unsure or self.damaged == set()

    def look_for_damage(self) -> None:
        """A replica that came back is whole again; one that nobody found out is as it was.

        Not before all is acknowledged: what is not is not looked at, and may be damaged.
        """
        if not self.unsure:
            self.damaged &= {each.replica for each in Replicas(self.log).verify() if not each.ok}

    def may_fail(self, which: int) -> bool:
        """One bad disk at a time: the promise needs the others."""
        return {1, 2, 3} - self.in_sync | self.damaged <= {which}

    @rule(which=WHICH, data=st.data())
    def corrupt_a_byte(self, which: int, data: st.DataObject) -> None:
        folder = self.settings.replicas[which - 1] / "mails-0"
        if self.may_fail(which) and folder.exists() and segment_bases(folder):
            path = segment_file(folder, data.draw(st.sampled_from(segment_bases(folder))))
            damaged = bytearray(path.read_bytes())
            if damaged:
                damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
                path.write_bytes(damaged)
                self.damaged.add(which)

    @rule(which=WHICH, source=st.sampled_from([SOURCE, KEYS]), data=st.data())
    def lose_a_segment(self, which: int, source: TopicPartition, data: st.DataObject) -> None:
        folder = self.settings.replicas[which - 1] / str(source)
        if self.may_fail(which) and folder.exists() and segment_bases(folder):
            segment_file(folder, data.draw(st.sampled_from(segment_bases(folder)))).unlink()
            self.damaged.add(which)

    @rule(which=WHICH)
    def kill_a_replica(self, which: int) -> None:
        if self.may_fail(which):
            shutil.rmtree(self.settings.replicas[which - 1], ignore_errors=True)
            self.damaged.add(which)

    @precondition(lambda self: self.committed is not None or self.model)
    @rule(data=st.data())
    def commit(self, data: st.DataObject) -> None:
        offset = data.draw(st.integers(0, len(self.model)))
        self.generation += self.committed is not None and offset < self.committed
        self.log.commit("group", {SOURCE: offset})
        self.committed = offset

    @precondition(lambda self: self.committed is not None)
    @rule(to=st.one_of(st.sampled_from([to_earliest, to_latest]), st.integers(0, 20).map(to_offset)))
    def rewind(self, to: Any) -> None:
        (moved,) = move(self.log, "group", [SOURCE], to)
        assert self.start <= moved.to <= len(self.model)
        assert moved.committed == self.committed
        self.committed, self.generation = moved.to, self.generation + 1

    @rule()
    def undo(self) -> None:
        with contextlib.suppress(LogError):
            entry, target = undo_target(self.log, "group")
            before = entry.moves[0].committed or 0
            (moved,) = move(self.log, "group", [SOURCE], target, undoes=entry.generation)
            back = max(before, (self.committed or 0) if entry.moves[0].to < before else 0)
            assert moved.to == max(back, self.start)
            self.committed, self.generation = moved.to, self.generation + 1

    @invariant()
    def what_is_read_is_the_list_and_the_high_watermark_its_end(self) -> None:
        self.learn()
        (described,) = self.log.describe("mails")
        assert self.high_watermark <= described.high_watermark == len(self.model) <= described.end
        self.high_watermark = described.high_watermark
        assert described.leader in described.isr
        assert set(described.isr) <= set(described.replicas)

    @invariant()
    def of_each_key_the_latest_value_stays(self) -> None:
        records = self.log.read(KEYS, self.log.span(KEYS).start, 2**30)
        folded = {record.key: record.value for record in records}
        assert {key: value for key, value in folded.items() if value is not None} == self.latest
        assert [record.offset for record in records] == sorted({record.offset for record in records})

    @invariant()
    def the_group_is_where_it_was_put(self) -> None:
        assert self.log.committed("group") == ({} if self.committed is None else {SOURCE: self.committed})
        assert GroupOffsets(self.log).generation("group") == self.generation


@pytest.fixture
def run_machine(
    options: LogSettings, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> Iterator[Callable[..., None]]:
    """So many histories of so many steps. Flushes cost their time elsewhere: here the disk is not what fails."""
    logging.getLogger("log.embedded").setLevel(logging.CRITICAL)
    LogAgainstList.options = options
    monkeypatch.setattr(os, "fsync", lambda _: None)

    def run(histories: int, steps: int, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
        run_state_machine_as_test(
            LogAgainstList,
            settings=settings(
                max_examples=histories,
                stateful_step_count=steps,
                deadline=None,
                print_blob=True,
                phases=phases,
                suppress_health_check=list(HealthCheck),
            ),
        )
        record_property("count", f"log against a list: {histories} histories of up to {steps} steps")

    yield run
    logging.getLogger("log.embedded").setLevel(logging.NOTSET)


@pytest.mark.timeout(900)  # shrinking takes up to five minutes
def test_the_log_is_a_list_whatever_happens(run_machine: Callable[..., None]) -> None:
    run_machine(25, 25)


@pytest.mark.parametrize(
    ("histories", "steps"),
    [
        pytest.param(30, 35, id="30 histories", marks=pytest.mark.slow),
        pytest.param(600, 50, id="600 histories", marks=pytest.mark.soak),
    ],
)
@pytest.mark.timeout(3600)
def test_the_log_is_a_list_over_many_long_histories(
    run_machine: Callable[..., None], histories: int, steps: int
) -> None:
    """Not shrunk, which takes minutes for a history this long: its steps and its blob are printed as they were."""
    run_machine(histories, steps, TO_RUN)
