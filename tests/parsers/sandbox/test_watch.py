from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from parsers.sandbox.watch import WALL_FACTOR, Watch


def test_computing_counts_against_the_deadline_and_a_new_part_begins_anew() -> None:
    watch = Watch(os.getpid(), 0.2)
    assert not watch.expired()
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    assert "0.2 s of CPU time" in watch.expired()
    watch.restart()
    assert not watch.expired()


@pytest.mark.slow
def test_sleeping_counts_only_after_several_times_the_deadline() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as sleeper:
        watch = Watch(sleeper.pid, 0.5)
        end = time.monotonic() + 0.5 * WALL_FACTOR + 0.1
        while time.monotonic() < end:
            time.sleep(0.05)
        assert "no answer in 2 s" in watch.expired()
        sleeper.kill()


def test_a_process_that_is_gone_has_no_clock_and_is_not_told_to_be_late() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert not Watch(gone.pid, 60).expired()
