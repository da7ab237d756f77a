"""Faults put in between an extract's driver and the kernel, by strace, at files below its tables."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conf.printable import printable, said
from tests.pipelines.conftest import Home
from tests.pipelines.faults.conftest import attempt, published
from tests.turns import told, turn

FIRST = f"{0:020}.json"
SECOND = f"{1:020}.json"
FAULTS = [  # calls, error, file
    ("mkdir", "ENOSPC", "_staging"),
    ("openat", "EIO", "_locks/mails.writer"),
    ("linkat", "EIO", f"parts/_delta_log/{FIRST}"),
    ("link", "ENOSPC", "_plans/in_writing.json"),
    ("fsync", "EIO", "_plans"),
    ("write", "ENOSPC", f"quotes/_delta_log/{SECOND}#1"),
    ("linkat", "ENOSPC", f"mails/_delta_log/{SECOND}"),
    ("fsync", "EIO", f"rejects/_delta_log/{SECOND}"),
    ("fsync", "EIO", "runs/_delta_log"),
    ("link", "ENOSPC", "_published/1.json"),
    ("fsync", "EIO", "_published"),
    ("flock", "EIO", "_plans"),  # to say that it is over: strace looks at the first name of a rename alone
]
SHARES = 4  # of the short version
Fault = tuple[str, str, str]


@contextmanager
def injected(strace: str, fault: Fault, tables: Path, trace: Path) -> Iterator[None]:
    """The calls of this process on the file fail by the error, all of them; one at least must have."""
    calls, error, file = fault
    options = ["-f", "-qq", "-o", str(trace), "-e", "signal=none", "-P", str(tables / file)]
    inject = ["-e", f"trace={calls}", "-e", f"inject={calls}:error={error}"]
    with subprocess.Popen([strace, *options, *inject, "-p", str(os.getpid())]) as tracer:
        try:
            while any("TracerPid:\t0\n" in each.read_text() for each in Path("/proc/self/task").glob("*/status")):
                assert tracer.poll() is None
                time.sleep(0.01)
            yield
        finally:
            tracer.terminate()
    assert "INJECTED" in trace.read_text(errors="replace"), fault


@pytest.fixture
def fail_once(
    new_home: Callable[[], Home], extracted: Home, needs: Callable[..., str], tmp_path: Path
) -> Callable[[Fault], None]:
    """Extract with the fault: what readers see then is whole; then without."""
    strace = needs("strace")

    def run(fault: Fault) -> None:
        home = new_home()
        root = home.tables
        with injected(strace, fault, root, tmp_path / "trace"):
            failed = attempt(home)
        assert failed is not None, fault
        assert str(root) in said(failed), fault
        assert said(failed) == printable(said(failed)), "on one line, and without colours"
        if published(root):
            assert home.outcomes() == extracted.outcomes(), fault
        assert home.log.committed(home.group) in ({}, home.starts), fault
        assert attempt(home) is None, fault
        assert home.outcomes() == extracted.outcomes(), fault
        assert home.log.committed(home.group) == home.ends, fault

    return run


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param(FAULTS[turn() % SHARES :: SHARES], marks=[pytest.mark.slow, pytest.mark.timeout(600)], id="share"),
        pytest.param(FAULTS, marks=[pytest.mark.soak, pytest.mark.timeout(1800)], id="all"),
    ],
)
def test_a_call_that_fails_below_the_tables_publishes_nothing_in_part_and_the_next_run_leaves_the_same_rows(
    fail_once: Callable[[Fault], None], faults: list[Fault], record_property: Callable[[str, object], None]
) -> None:
    for fault in faults:
        fail_once(fault)
    share = "all" if faults is FAULTS else told(SHARES)
    record_property(
        "count", f"calls of an extract that failed: {len(faults)}, {share}; nothing half published, rows equal"
    )
