"""Power cuts on a disk that keeps nothing but what was flushed: at every flush, and at every acknowledgement."""

from __future__ import annotations

import copy
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition, UnknownTopic
from log.embedded import EmbeddedLog
from log.embedded.admin.replica_admin import Replicas
from log.embedded.home import find_home
from log.embedded.partition.reader import Reader
from tests.turns import first, strides

SOURCE = TopicPartition("mails", 0)
APPENDS = 12


@pytest.fixture
def cut_at_each_step(  # noqa: PLR0917  fixtures
    volatile: Any,
    history: Any,
    put_back: Callable[[Any, Path], None],
    reboot: Callable[[], None],
    settings_on: Callable[..., LogSettings],
    options: LogSettings,
    numbered_run: Callable[..., list[Record]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., int]:
    """Append, roll segments, commit; cut the power at each flush and acknowledgement; how many cuts there were.

    Of these each `every`-th is checked.
    """

    def run(survives: Callable[[], bool], dies: int | None, every: int) -> int:
        cuts: list[tuple[Any, Any]] = []

        def cut() -> None:
            cuts.append((volatile.image(survives), copy.deepcopy(history)))

        reboot()
        log = EmbeddedLog(settings_on(volatile.folder, options))
        log.create_topic("mails", 1)
        log.commit("group", {SOURCE: 0})
        volatile.before_flush = cut
        for number in range(APPENDS):
            if number == APPENDS // 2 and dies is not None:
                shutil.rmtree(volatile.folder / f"disk-{dies}")
            records = numbered_run(f"append {number}", 30 if number % 4 == 1 else 3)  # 30 take three segments
            history.tried |= {each.value for each in records}
            positions = log.append("mails", records)
            history.acknowledged |= {at.offset: each.value for at, each in zip(positions, records, strict=True)}
            cut()
            if number % 3 == 2:
                log.commit("group", {SOURCE: positions[-1].offset + 1})
                history.committed["group"] = positions[-1].offset + 1
                cut()
        volatile.before_flush = lambda: None
        log.close()
        monkeypatch.undo()
        for number, (image, then) in enumerate(cuts[first(every) :: every]):
            folder = tmp_path / f"cut-{number}"
            put_back(image, folder)
            reboot()
            after = EmbeddedLog(settings_on(folder, options))
            then.check(after)
            after.append("mails", [Record(b"key", b"goes on")])
            after.close()
            shutil.rmtree(folder)
        return len(cuts)

    return run


DIES = pytest.mark.parametrize(
    "dies",
    [
        pytest.param(None, id="all live"),
        pytest.param(1, id="the leader dies on the way, and is back after the power cut"),
        pytest.param(3, id="a follower dies on the way, and is back after the power cut"),
    ],
)
EVERY_CUT = strides(7)


@DIES
@EVERY_CUT
def test_what_was_acknowledged_is_there_though_nothing_else_reached_the_disk(
    cut_at_each_step: Callable[..., int], dies: int | None, every: int
) -> None:
    assert cut_at_each_step(lambda: False, dies, every) > 60


@DIES
@EVERY_CUT
def test_what_was_acknowledged_is_there_whatever_else_reached_the_disk(
    cut_at_each_step: Callable[..., int], moments: random.Random, dies: int | None, every: int
) -> None:
    """Pages and names that were not flushed reach the disk by chance, in any order."""
    assert cut_at_each_step(lambda: moments.random() < 0.5, dies, every) > 60


@pytest.mark.parametrize(
    ("removal", "may_be_gone"),
    [
        pytest.param(lambda log: Replicas(log).remove(1), False, id="of the leader"),
        pytest.param(lambda log: Replicas(log).remove(3), False, id="of a follower"),
        pytest.param(lambda log: log.delete_topic("mails"), True, id="of the topic"),
    ],
)
def test_when_the_power_fails_in_a_removal_readers_see_all_that_was_acknowledged(  # noqa: PLR0917  fixtures
    volatile: Any,
    put_back: Callable[[Any, Path], None],
    reboot: Callable[[], None],
    settings_on: Callable[..., LogSettings],
    options: LogSettings,
    numbered_run: Callable[..., list[Record]],
    moments: random.Random,
    monkeypatch: pytest.MonkeyPatch,
    removal: Callable[[EmbeddedLog], object],
    may_be_gone: bool,
) -> None:
    """Before anybody has appended, so before anything was recovered; or the topic is gone as a whole."""
    images: list[Any] = []

    def cut() -> None:
        images.extend((volatile.image(), volatile.image(lambda: moments.random() < 0.5)))

    settings = settings_on(volatile.folder, options)
    log = EmbeddedLog(settings)
    log.create_topic("mails", 1)
    records = [record for number in range(4) for record in numbered_run(f"append {number}")]
    log.append("mails", records)
    volatile.before_flush = cut
    removal(log)
    cut()
    log.close()
    monkeypatch.undo()
    seen = 0
    for image in images:
        shutil.rmtree(volatile.folder)
        put_back(image, volatile.folder)
        reboot()
        reader = Reader(find_home(settings.root))
        try:
            stored = reader.read(SOURCE, 0, 2**30)
        except UnknownTopic:
            assert may_be_gone
            continue
        assert [record.value for record in stored] == [record.value for record in records]
        seen += 1
    assert seen
    assert may_be_gone == (seen < len(images))


def test_after_a_power_cut_readers_wait_for_tending_where_most_replicas_in_sync_are_lost(  # noqa: PLR0917  fixtures
    volatile: Any,
    put_back: Callable[[Any, Path], None],
    reboot: Callable[[], None],
    settings_on: Callable[..., LogSettings],
    options: LogSettings,
    numbered_run: Callable[..., list[Record]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What they had is not known, so nothing beyond the watermark, which lags, is sure; nothing is lost."""
    settings = settings_on(volatile.folder, options)
    log = EmbeddedLog(settings)
    log.create_topic("mails", 1)
    log.append("mails", numbered_run("acknowledged"))
    image = volatile.image()
    log.close()
    monkeypatch.undo()
    shutil.rmtree(volatile.folder)
    put_back(image, volatile.folder)
    reboot()
    reader = Reader(find_home(settings.root))
    assert reader.span(SOURCE) == range(3)
    shutil.rmtree(volatile.folder / "disk-3")
    reader = Reader(find_home(settings.root))
    assert reader.span(SOURCE) == range(3), "a majority has it"
    shutil.rmtree(volatile.folder / "disk-2")
    reader = Reader(find_home(settings.root))
    assert reader.span(SOURCE) == range(0)
    log = EmbeddedLog(settings)
    assert all(done.ok for done in log.tend())
    assert reader.span(SOURCE) == range(3)
    assert len(log.describe("mails")[0].isr) == 3
    log.close()


@pytest.mark.slow
def test_a_log_whose_making_was_cut_off_is_made_by_the_next(  # noqa: PLR0917  fixtures
    volatile: Any,
    put_back: Callable[[Any, Path], None],
    settings_on: Callable[..., LogSettings],
    options: LogSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    images: list[Any] = []
    volatile.before_flush = lambda: images.append(volatile.image())
    log = EmbeddedLog(settings_on(volatile.folder, options))
    log.create_topic("mails", 2)
    log.close()
    monkeypatch.undo()
    for number, image in enumerate(images):
        folder = tmp_path / f"cut-{number}"
        put_back(image, folder)
        log = EmbeddedLog(settings_on(folder, options))
        if "mails" not in log.topics():
            log.create_topic("mails", 2)
        assert len(log.append("mails", [Record(None, b"value")])) == 1
        assert [info.end for info in log.describe("mails")] in ([1, 0], [0, 1])
        log.close()
    assert len(images) > 20
