"""The log against a plain list: Hypothesis chooses what happens to it, and shrinks what goes wrong."""

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
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from conf.settings import LogSettings
from log import LogError, Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.names import segment_bases, segment_file
from log.groups import GroupOffsets
from log.journal import move, undo_target
from log.rewind import to_earliest, to_latest, to_offset

SOURCE = TopicPartition("mails", 0)
WHICH = st.integers(1, 3)
SIZES = st.sampled_from([10, 700, 3000])


class LogAgainstList(RuleBasedStateMachine):
    """The list is what was acknowledged; beside it, what was appended and may or may not be there."""

    options: LogSettings  # of three replicas, two needed; set by the test

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="otclog-model-"))
        replicas = tuple(self.folder / f"disk-{number}" for number in (1, 2, 3))
        changes: dict[str, Any] = {"root": self.folder / "log", "replicas": replicas, "segment_bytes": 6000}
        self.settings = dataclasses.replace(self.options, compression="none", lock_timeout_s=5, **changes)
        self.log = EmbeddedLog(self.settings)
        self.log.create_topic("mails", 1)
        self.model: list[bytes] = []  # acknowledged
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
        stored = [record.value for record in self.log.read(SOURCE, 0, 2**30)]
        assert stored[: len(self.model)] == self.model
        assert [record.offset for record in self.log.read(SOURCE, 0, 2**30)] == list(range(len(stored)))
        known = self.model + self.unsure
        assert stored == known[: len(stored)]
        self.model, self.unsure = known[: len(stored)], known[len(stored) :]

    @property
    def in_sync(self) -> set[int]:
        isr = self.log.describe("mails")[0].isr
        return {number for number, folder in enumerate(self.settings.replicas, start=1) if str(folder) in isr}

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
        self.log = EmbeddedLog(self.settings)
        self.learn()

    @rule(count=st.integers(1, 5), step=st.integers(1, 12))
    def crash_within_an_append(self, count: int, step: int) -> None:
        """A child dies at one of its changes to a disk; ours goes on with the same log."""
        records = self.records(count, 700)
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                EmbeddedLog(_dying(self.settings, step)).append("mails", records)
            os._exit(0)
        os.waitpid(child, 0)
        self.unsure += [record.value or b"" for record in records]
        with self.log.exclusive(SOURCE):
            self.learn()
        self.unsure = []  # what is not there now is gone for good

    def may_fail(self, which: int) -> bool:
        """One bad disk at a time: the promise needs the others."""
        return {1, 2, 3} - self.in_sync | self.damaged <= {which}

    @rule(which=WHICH, data=st.data())
    def corrupt_a_byte(self, which: int, data: st.DataObject) -> None:
        folder = self.settings.replicas[which - 1] / "mails-0"
        if self.may_fail(which) and folder.exists():
            path = segment_file(folder, data.draw(st.sampled_from(segment_bases(folder))))
            damaged = bytearray(path.read_bytes())
            if damaged:
                damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
                path.write_bytes(damaged)
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
        assert 0 <= moved.to <= len(self.model)
        assert moved.committed == self.committed
        self.committed, self.generation = moved.to, self.generation + 1

    @rule()
    def undo(self) -> None:
        with contextlib.suppress(LogError):
            entry, target = undo_target(self.log, "group")
            before = entry.moves[0].committed or 0
            (moved,) = move(self.log, "group", [SOURCE], target, undoes=entry.generation)
            assert moved.to == max(before, (self.committed or 0) if entry.moves[0].to < before else 0)
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
    def the_group_is_where_it_was_put(self) -> None:
        assert self.log.committed("group") == ({} if self.committed is None else {SOURCE: self.committed})
        assert GroupOffsets(self.log).generation("group") == self.generation


def _dying(options: LogSettings, step: int) -> LogSettings:
    """The options; from here on this process ends within the step-th change to a disk, half of it done."""
    left = step

    def counted(name: str) -> None:
        real = getattr(os, name)

        def operation(*given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                if name == "pwrite":
                    real(given[0], bytes(given[1])[: len(given[1]) // 2], given[2])
                os._exit(9)
            return real(*given, **named)

        setattr(os, name, operation)

    for name in ("pwrite", "fsync", "ftruncate", "replace", "unlink"):
        counted(name)
    return options


@pytest.fixture
def run_machine(options: LogSettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, int], None]]:
    """So many histories of so many steps. Flushes cost their time elsewhere: here the disk is not what fails."""
    logging.getLogger("log.embedded").setLevel(logging.CRITICAL)
    LogAgainstList.options = options
    monkeypatch.setattr(os, "fsync", lambda _: None)

    def run(histories: int, steps: int) -> None:
        run_state_machine_as_test(
            LogAgainstList,
            settings=settings(
                max_examples=histories,
                stateful_step_count=steps,
                deadline=None,
                print_blob=True,
                suppress_health_check=list(HealthCheck),
            ),
        )

    yield run
    logging.getLogger("log.embedded").setLevel(logging.NOTSET)


def test_the_log_is_a_list_whatever_happens(run_machine: Callable[[int, int], None]) -> None:
    run_machine(40, 25)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_log_is_a_list_over_many_long_histories(run_machine: Callable[[int, int], None]) -> None:
    run_machine(600, 50)
