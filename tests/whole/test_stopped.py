"""Fault 63: an extraction is stopped (SIGSTOP), while others of its group and reparses begin."""

from __future__ import annotations

import os
import signal

import pytest

from pipelines.jobs.plan import in_writing
from pipelines.tables.store.folder import Folder
from tests.whole.conftest import Whole, mails_of, until

MAILS = 40


@pytest.mark.parametrize(
    "stopped_s",
    [
        pytest.param(3, marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
        pytest.param(60, marks=[pytest.mark.soak, pytest.mark.timeout(1200)]),
    ],
)
def test_while_an_extract_is_stopped_another_one_is_refused_a_reparse_does_its_work_or_waits_and_rows_are_equal(
    whole: Whole, stopped_s: float, seed: int
) -> None:
    for number, raw in enumerate(mails_of(seed, MAILS, whole.home / "generated")):
        whole.deliver(f"{number}", raw)
    assert whole.run("watch", "--once").returncode == 0
    some = whole.lines("log", "read", "--topic", "mails")[0]
    reparse = ["reparse", f"mails:{some['partition']}:{some['offset']}", "--execute"]
    extract = whole.daemon("extract", "extract")

    def refused() -> None:
        second = whole.run("extract")
        assert second.returncode == 75, second.stderr
        assert f"group extract is being extracted by process {pid}" in second.stderr

    pid = extract.ensure()
    assert until(lambda: any("parsers/sandbox" in command for command in extract.family().values()), 300), (
        extract.tail()
    )
    os.kill(pid, signal.SIGSTOP)
    refused()
    done = whole.run(*reparse)
    assert done.returncode == 0, done.stderr
    assert whole.number() == 1
    until(lambda: False, stopped_s)
    os.kill(pid, signal.SIGCONT)
    assert until(lambda: extract.code() == 0, 300), whole.tails()
    assert whole.number() == 2

    assert whole.run("group", "rewind", "extract", "mails", "--to-earliest", "--execute").returncode == 0
    pid = extract.ensure()
    tables = Folder(whole.tables)
    assert until(lambda: in_writing(tables) is not None, 300, 0.001), extract.tail()
    os.kill(pid, signal.SIGSTOP)
    assert in_writing(tables) is not None
    waiting = whole.daemon("reparse", *reparse)
    waiting.ensure()
    refused()
    until(lambda: False, stopped_s)
    assert (waiting.code(), whole.number()) == (None, 2), whole.tails()
    os.kill(pid, signal.SIGCONT)
    assert until(lambda: (extract.code(), waiting.code()) == (0, 0), 600), whole.tails()
    assert whole.number() == 4
    whole.check()
