"""Real children with a program of our own: what a parent does when they hang, lie, or die."""

from __future__ import annotations

import os
import re
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parsers.codes import Code
from parsers.mail.mime import MAX_PARTS
from parsers.sandbox import SandboxOptions, process
from parsers.sandbox.failures import Allowance, ChildFailed, ParserChanged, StartFailed
from parsers.sandbox.process import Child
from parsers.taught import Taught
from parsers.version import parser_version

Started = Callable[..., Child]
TAUGHT = Taught.load(None)
VERSION = parser_version(TAUGHT)
HEAD = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from parsers.sandbox.frames import OUTCOME, PART, READY, Frame
version = __VERSION__
def send(kind, body=b''):
    data = Frame(kind, body).encode()
    while data:
        data = data[os.write(int(sys.argv[3]) if kind == PART else 1, data):]
send(READY, version)
while not os.read(0, 1 << 16).endswith(b'the mail'): pass
"""


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """A child that answers READY, reads its mail, and then does what the program says."""
    made: list[Child] = []

    def start(program: str, deadline_s: float = 60, version: str = VERSION) -> Child:
        script = tmp_path / "child.py"
        script.write_text(HEAD.replace("__VERSION__", repr(version.encode())) + textwrap.dedent(program))
        monkeypatch.setattr(process, "_CHILD", script)
        made.append(Child(SandboxOptions(part_deadline_s=deadline_s), TAUGHT))
        return made[-1]

    yield start
    for child in made:
        child.close()


def failure(child: Child, allowance_s: float = 600) -> ChildFailed:
    with pytest.raises(ChildFailed) as caught:
        child.run(b"the mail", "key", {}, Allowance(allowance_s))
    assert not Path(f"/proc/{child.pid}").exists()
    return caught.value


def test_the_outcome_is_handed_on_as_it_was_written(started: Started) -> None:
    child = started("send(PART, b'1'); send(OUTCOME, b'{}')")
    assert child.run(b"the mail", "key", {}, Allowance(600)) == b"{}"


def test_an_outcome_is_believed_though_the_child_dies_right_after_and_half_of_one_is_not(started: Started) -> None:
    child = started("send(OUTCOME, b'{}'); os.kill(os.getpid(), 9)")
    assert child.run(b"the mail", "key", {}, Allowance(600)) == b"{}"
    found = failure(started("send(PART, b'1'); os.write(1, Frame(OUTCOME, b'{}').encode()[:-1]); os._exit(0)"))
    assert (found.code, found.part) == (Code.PARSER_ERROR, "1")


def test_a_child_that_closes_its_output_and_lives_is_killed_at_once(started: Started) -> None:
    found = failure(started("send(PART, b'1'); os.close(1); time.sleep(3600)"))
    assert (found.code, found.part) == (Code.PARSER_ERROR, "1")


def test_what_it_started_is_killed_with_it(started: Started, tmp_path: Path) -> None:
    program = f"""
    if os.fork() == 0:
        os.close(1)
        time.sleep(3600)
    open({str(tmp_path / "groups")!r}, 'w').write(str(os.getpgrp()))
    os.close(1)
    os._exit(7)
    """
    assert "exit code 7" in str(failure(started(program)))
    group = int((tmp_path / "groups").read_text())
    end = time.monotonic() + 30
    while (left := [pid for pid in _running() if _group_of(pid) == group]) and time.monotonic() < end:
        time.sleep(0.05)  # it dies in its own time
    assert left == []


def _running() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit() and not _is_zombie(path)]


def _is_zombie(folder: Path) -> bool:
    try:
        return "\nState:\tZ" in (folder / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


@pytest.mark.parametrize(
    ("program", "code", "why"),
    [
        ("os._exit(7)", Code.PARSER_ERROR, "exit code 7"),
        ("os.kill(os.getpid(), 11)", Code.PARSER_ERROR, "SIGSEGV"),
        ("os.kill(os.getpid(), 40)", Code.PARSER_ERROR, "signal 40"),
        ("os.kill(os.getpid(), 24)", Code.PARSE_TIMEOUT, "CPU"),
        ("os.write(1, b'hello, I am no frame')", Code.PARSER_ERROR, "nonsense"),
        ("send(READY)", Code.PARSER_ERROR, "nonsense"),
    ],
)
def test_a_death_and_a_lie_are_told_apart(program: str, code: Code, why: str, started: Started) -> None:
    found = failure(started(f"send(PART, b'2'); {program}; time.sleep(3600)"))
    assert (found.code, found.part, why in str(found)) == (code, "2", True)


def test_a_part_that_only_sleeps_is_stopped(started: Started) -> None:
    found = failure(started("send(PART, b'2'); time.sleep(3600)", deadline_s=0.1))
    assert (found.code, found.part) == (Code.PARSE_TIMEOUT, "2")


def test_a_part_that_only_computes_is_stopped_by_its_cpu_time(started: Started) -> None:
    found = failure(started("send(PART, b'2')\nwhile True: pass", deadline_s=0.3))
    assert (found.code, found.part) == (Code.PARSE_TIMEOUT, "2")


def test_no_more_parts_are_announced_than_a_mail_may_have(started: Started) -> None:
    honest = f"for _ in range({4 * MAX_PARTS}): send(PART, b'2')\nsend(OUTCOME, b'x')"
    assert started(honest).run(b"the mail", "key", {}, Allowance(600)) == b"x"
    found = failure(started("while True: send(PART, b'2')"))
    assert (found.code, "out of turn" in str(found)) == (Code.PARSER_ERROR, True)


def test_new_parts_do_not_prolong_the_mails_time(started: Started) -> None:
    found = failure(started("while True: send(PART, b'2'); time.sleep(0.1)"), allowance_s=1)
    assert (found.code, found.part) == (Code.PARSE_TIMEOUT, None)


def test_the_children_of_one_mail_share_its_time(started: Started) -> None:
    allowance = Allowance(2)
    with pytest.raises(ChildFailed):
        started("time.sleep(0.5); os._exit(1)").run(b"the mail", "key", {}, allowance)
    assert 0 < allowance.left_s <= 1.5


def test_a_child_for_which_the_system_has_no_room_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "no python"))
    before = sorted(each.name for each in Path("/proc/self/fd").iterdir())
    with pytest.raises(StartFailed, match="cannot be started"):
        Child(SandboxOptions(), TAUGHT)
    assert (sorted(each.name for each in Path("/proc/self/fd").iterdir()), list(tmp_path.iterdir())) == (before, [])


def test_a_child_that_ends_before_it_is_ready_is_no_mails_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    script.write_text("raise SystemExit('no engines here')")
    monkeypatch.setattr(process, "_CHILD", script)
    with pytest.raises(StartFailed, match="no engines here"):
        Child(SandboxOptions(), TAUGHT).run(b"the mail", "key", {}, Allowance(600))


def test_a_child_of_another_parser_version_is_refused_before_it_sees_a_mail(started: Started) -> None:
    child = started("send(OUTCOME, b'{}')", version="0.0.0+another.one")
    with pytest.raises(ParserChanged, match=re.escape(f"now 0.0.0+another.one, and this process began with {VERSION}")):
        child.run(b"the mail", "key", {}, Allowance(600))
    assert not Path(f"/proc/{child.pid}").exists()
