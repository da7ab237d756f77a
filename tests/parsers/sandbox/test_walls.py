"""The walls, put up by real processes that then run against them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import parsers

ROOT = Path(parsers.__file__).parents[1]


def walled(program: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Behind the walls, with 256 MiB."""
    code = "import os, resource, sys\nfrom parsers.sandbox import walls\nwalls.close_in(1 << 28)\n" + textwrap.dedent(
        program
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder or ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_no_byte_gets_into_a_file(tmp_path: Path) -> None:
    done = walled("open('x', 'wb', buffering=0).write(b'x')", tmp_path)
    assert "File too large" in done.stderr
    assert [file.stat().st_size for file in tmp_path.iterdir()] == [0]


def test_memory_beyond_the_allowance_is_refused_and_less_is_given() -> None:
    assert walled("bytearray(1 << 27)").returncode == 0
    assert "MemoryError" in walled("bytearray(1 << 29)").stderr


def test_only_so_many_files_are_open_at_once() -> None:
    assert "Too many open files" in walled("kept = [os.open('/dev/null', 0) for _ in range(100)]").stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the limit on processes has no effect on root")
def test_no_process_is_started() -> None:
    assert "BlockingIOError" in walled("os.fork()").stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only it may leave the others' network")
def test_a_process_that_stands_apart_sees_no_network() -> None:
    done = walled("walls.stand_apart(); print([line.split(':')[0].strip() for line in open('/proc/self/net/dev')][2:])")
    assert done.stdout == "['lo']\n"


def test_limits_cannot_be_raised_and_privileges_not_gained() -> None:
    program = """
    print([resource.getrlimit(limit)[1] for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE)])
    print("NoNewPrivs:\\t1" in open("/proc/self/status").read())
    """
    assert walled(program).stdout.split("\n") == ["[0, 64, 0]", "True", ""]


@pytest.mark.slow
def test_cpu_time_beyond_the_allowance_kills() -> None:
    assert walled("walls.allow_cpu(0)\nwhile True: pass").returncode == -signal.SIGXCPU


@pytest.mark.slow
def test_cpu_time_is_allowed_from_now_on_each_time() -> None:
    program = """
    import time
    while time.process_time() < 1.5: pass
    walls.allow_cpu(10)
    used = time.process_time()
    print(used + 9 < resource.getrlimit(resource.RLIMIT_CPU)[0] <= used + 14)
    """
    assert walled(program).stdout == "True\n"


def test_a_child_whose_parent_is_already_gone_ends_itself() -> None:
    assert walled("walls.die_with(os.getppid())\nprint('lives')").stdout == "lives\n"
    done = walled("walls.die_with(1 << 30)\nprint('lives')")
    assert (done.returncode, done.stdout) == (1, "")
