from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ingest.incoming import Incoming
from ingest.lmtp.commit import GroupCommit
from ingest.lmtp.deliveries import Arrival

Publish = Callable[[Sequence[Arrival]], list[list[str]]]


@pytest.fixture
def a_mail(tmp_path: Path) -> Callable[[bytes], Incoming]:
    def make(raw: bytes) -> Incoming:
        mail = Incoming(1000, tmp_path)
        mail.add(raw)
        return mail

    return make


def answers(arrivals: Sequence[Arrival]) -> list[list[str]]:
    return [[f"250 {each.incoming.size} for {name}" for name in each.recipients] for each in arrivals]


def run(
    publish: Publish, body: Callable[[GroupCommit], Coroutine[Any, Any, None]], mails: int = 100, size: int = 10**6
) -> None:
    async def main() -> None:
        with ThreadPoolExecutor(1) as thread:
            commit = GroupCommit(publish, thread, mails, size)
            running = asyncio.create_task(commit.run())
            try:
                await asyncio.wait_for(body(commit), 30)
            finally:
                commit.end()
                await running

    asyncio.run(main())


def test_mails_that_come_while_a_batch_is_under_way_go_together_in_the_next(
    a_mail: Callable[[bytes], Incoming],
) -> None:
    batches: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def publish(arrivals: Sequence[Arrival]) -> list[list[str]]:
        batches.append(len(arrivals))
        begun.set()
        assert go_on.wait(30)
        return answers(arrivals)

    async def body(commit: GroupCommit) -> None:
        tasks = [asyncio.create_task(commit.deliver(a_mail(b"first"), ["a"]))]
        await asyncio.to_thread(begun.wait, 30)
        tasks += [asyncio.create_task(commit.deliver(a_mail(b"x" * n), ["a", "b"])) for n in range(1, 11)]
        await asyncio.sleep(0)
        go_on.set()
        replies = await asyncio.gather(*tasks)
        assert replies == [["250 5 for a"]] + [[f"250 {n} for a", f"250 {n} for b"] for n in range(1, 11)]

    run(publish, body)
    assert batches == [1, 10]


@pytest.mark.parametrize(("mails", "size", "batches"), [(4, 10**6, [4, 4, 2]), (100, 25, [3, 3, 3, 1])])
def test_a_batch_is_bounded_in_mails_and_in_bytes(
    a_mail: Callable[[bytes], Incoming], mails: int, size: int, batches: list[int]
) -> None:
    seen: list[int] = []

    def publish(arrivals: Sequence[Arrival]) -> list[list[str]]:
        seen.append(len(arrivals))
        return answers(arrivals)

    async def body(commit: GroupCommit) -> None:
        await asyncio.gather(*(commit.deliver(a_mail(b"ten bytes."), ["a"]) for _ in range(10)))

    run(publish, body, mails, size)
    assert seen == batches


def test_a_mail_that_breaks_something_is_not_the_undoing_of_the_others(
    a_mail: Callable[[bytes], Incoming], caplog: pytest.LogCaptureFixture
) -> None:
    def publish(arrivals: Sequence[Arrival]) -> list[list[str]]:
        if any(each.incoming.size == 3 for each in arrivals):
            raise ValueError("three")
        return answers(arrivals)

    async def body(commit: GroupCommit) -> None:
        replies = await asyncio.gather(*(commit.deliver(a_mail(b"x" * n), ["a", "b"]) for n in (1, 3, 5)))
        assert [[reply[:3] for reply in each] for each in replies] == [["250"] * 2, ["451"] * 2, ["250"] * 2]

    run(publish, body)
    assert "three" in caplog.text


def test_a_mail_whose_client_has_left_is_forgotten_unless_it_is_under_way(a_mail: Callable[[bytes], Incoming]) -> None:
    seen: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def publish(arrivals: Sequence[Arrival]) -> list[list[str]]:
        begun.set()
        assert go_on.wait(30)
        seen.extend(each.incoming.mails(["x"], "n", 1000)[0].size for each in arrivals)
        return answers(arrivals)

    async def body(commit: GroupCommit) -> None:
        under_way, waiting = a_mail(b"1"), a_mail(b"22")
        first = asyncio.create_task(commit.deliver(under_way, ["a"]))
        await asyncio.to_thread(begun.wait, 30)
        second = asyncio.create_task(commit.deliver(waiting, ["a"]))
        third = asyncio.create_task(commit.deliver(a_mail(b"333"), ["a"]))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        await asyncio.sleep(0)
        with pytest.raises(ValueError, match="closed"):
            waiting.add(b"more")
        go_on.set()
        assert await third == ["250 3 for a"]

    run(publish, body)
    assert seen == [1, 3]


def test_it_beats_while_nothing_comes_and_not_while_an_append_hangs(
    a_mail: Callable[[bytes], Incoming], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.lmtp.commit.BEAT_S", 0.01)
    begun, go_on = threading.Event(), threading.Event()

    def hang(arrivals: Sequence[Arrival]) -> list[list[str]]:
        begun.set()
        assert go_on.wait(30)
        return answers(arrivals)

    async def main() -> None:
        beaten = asyncio.Event()
        with ThreadPoolExecutor(1) as thread:
            commit = GroupCommit(hang, thread, 100, 10**6, beaten.set)
            running = asyncio.create_task(commit.run())
            for _ in range(5):
                beaten.clear()
                await beaten.wait()
            mail = asyncio.create_task(commit.deliver(a_mail(b"mail"), ["a"]))
            assert await asyncio.to_thread(begun.wait, 30)
            beaten.clear()
            await asyncio.sleep(0.2)
            assert not beaten.is_set()
            go_on.set()
            await mail
            await beaten.wait()
            commit.end()
            await running

    asyncio.run(asyncio.wait_for(main(), 60))
