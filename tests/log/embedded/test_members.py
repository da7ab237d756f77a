from __future__ import annotations

import fcntl
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from log import TopicPartition
from log.embedded.members import Membership, group_folder, living, share
from log.types import Member

SOURCE = TopicPartition("mails", 0)
Join = Callable[..., Membership]

MEMBER = """
import sys, time
from pathlib import Path
from log import TopicPartition
from log.embedded.members import Membership

member = Membership(Path(sys.argv[1]), "extract", ["mails"])
print(member.member.id, member.lease(TopicPartition("mails", 0)) is not None, flush=True)
time.sleep(600)
"""


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Join]:
    """Another member of the group `extract`."""
    joined: list[Membership] = []

    def make(*topics: str) -> Membership:
        joined.append(Membership(tmp_path, "extract", topics or ("mails",)))
        return joined[-1]

    yield make
    alive = living(group_folder(tmp_path, "extract"))
    for membership in joined:
        if membership.member in alive:
            membership.leave()


@pytest.fixture
def start(
    tmp_path: Path, spawn: Callable[..., subprocess.Popen[str]]
) -> Callable[[], tuple[subprocess.Popen[str], str]]:
    """A process that is a member and holds the lease of `mails-0`; its id."""

    def run() -> tuple[subprocess.Popen[str], str]:
        process = spawn([sys.executable, "-c", MEMBER, tmp_path], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        name, leased = process.stdout.readline().split()
        assert leased == "True"
        return process, name

    return run


def test_members_see_each_other_until_they_leave(tmp_path: Path, join: Join) -> None:
    one, two = join(), join("mails", "backfill")
    assert one.living() == two.living()
    assert {member.topics for member in one.living()} == {("mails",), ("backfill", "mails")}
    two.leave()
    assert one.living() == [one.member]
    one.leave()
    assert living(group_folder(tmp_path, "extract")) == []
    assert list((tmp_path / "groups" / "extract" / "members").iterdir()) == []


def test_a_member_leaves_at_the_end_of_its_block_whatever_ends_it(tmp_path: Path) -> None:
    seen: list[Member] = []

    def work() -> None:
        with Membership(tmp_path, "extract", ["mails"]) as one:
            assert living(group_folder(tmp_path, "extract")) == [one.member]
            seen.append(one.member)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert len(seen) == 1
    assert living(group_folder(tmp_path, "extract")) == []


def test_a_member_that_died_is_gone_and_its_lease_is_free(
    join: Join, start: Callable[[], tuple[subprocess.Popen[str], str]]
) -> None:
    process, name = start()
    survivor = join()
    assert name in {member.id for member in survivor.living()}
    assert survivor.lease(SOURCE) is None
    process.kill()
    process.wait()
    assert survivor.living() == [survivor.member]
    lease = survivor.lease(SOURCE)
    assert lease is not None
    lease.close()


def test_a_member_that_is_stopped_keeps_what_it_has(
    join: Join, start: Callable[[], tuple[subprocess.Popen[str], str]]
) -> None:
    process, name = start()
    os.kill(process.pid, signal.SIGSTOP)
    other = join()
    assert name in {member.id for member in other.living()}
    assert other.lease(SOURCE) is None
    os.kill(process.pid, signal.SIGCONT)


def test_a_lease_has_one_holder(join: Join) -> None:
    one, two = join(), join()
    lease = one.lease(SOURCE)
    assert lease is not None
    assert two.lease(SOURCE) is None
    lease.release()
    lease.close()
    taken = two.lease(SOURCE)
    assert taken is not None
    taken.close()


def test_a_child_inherits_neither_membership_nor_lease(join: Join) -> None:
    one, two = join(), join()
    lease = one.lease(SOURCE)
    assert lease is not None
    child = os.fork()
    if child == 0:
        os.closerange(0, 3)  # or whoever reads our output waits for it
        time.sleep(600)
        os._exit(0)
    try:
        lease.release()
        lease.close()
        taken = two.lease(SOURCE)
        assert taken is not None
        taken.close()
        one.leave()
        assert two.living() == [two.member]
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("members", [1, 2, 3, 5, 8])
def test_shares_are_even_and_the_same_for_all(members: int) -> None:
    group = [Member(f"member-{number}", "host", number, 0, ("mails",)) for number in range(members)]
    sources = [TopicPartition("mails", number) for number in range(6)]
    shares = share(group, sources)
    loads = [sum(member == each for each in shares.values()) for member in group]
    assert sum(loads) == 6
    assert max(loads) - min(loads) <= 1
    assert share(group, reversed(sources)) == shares


def test_nobody_gets_a_topic_it_does_not_want() -> None:
    group = [Member("a", "host", 1, 0, ("mails",)), Member("b", "host", 2, 0, ("backfill", "mails"))]
    sources = [TopicPartition(topic, number) for topic in ("backfill", "mails", "ops") for number in range(2)]
    shares = share(group, sources)
    assert {source.topic: member.id for source, member in shares.items()} == {"backfill": "b", "mails": "a"}


def test_who_looks_while_another_joins_does_not_make_it_invisible(
    join: Join, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, flock = group_folder(tmp_path, "extract"), fcntl.flock
    first = join()
    looks: list[int] = []

    def looked_at(fd: int, how: int) -> None:
        """Just before the newcomer locks its file, and again when it has, the first member looks."""
        if how & fcntl.LOCK_EX and not looks:
            looks.append(fd)
            assert living(folder) == [first.member]
        flock(fd, how)

    monkeypatch.setattr("log.disk.lock.flock", looked_at)
    second = join()
    assert looks
    assert living(folder) == sorted([first.member, second.member], key=lambda member: member.id)


def test_of_members_that_read_messages_only_that_one_died_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    code = (
        "import os, sys; from pathlib import Path; from log.embedded.members import Membership; "
        "Membership(Path(sys.argv[1]), 'ops-analyse', ['ops']); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path], check=False).returncode == 9
    Membership(tmp_path, "ops-analyse", ["ops"]).leave()
    Membership(tmp_path, "extract", ["mails"]).leave()
    told = [message.partition(":")[0] + message[message.rindex(" ") :] for message in caplog.messages]
    assert told == ["group ops-analyse died", "group extract joined", "group extract left"]
