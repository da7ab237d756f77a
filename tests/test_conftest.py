"""tests.conftest"""

from __future__ import annotations

import gc
import os
import signal
import subprocess

import pytest

from tests.conftest import failed_for_want, pytest_configure
from tests.processes import killed_at_the_end


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [("Skipped: needs strace", "failed"), ("Skipped: root may read every file", "skipped")],
)
def test_a_test_that_is_skipped_for_want_of_something_fails_where_all_must_run(reason: str, outcome: str) -> None:
    report = pytest.TestReport("test", ("test.py", 1, "test"), {}, "skipped", ("test.py", 1, reason), "setup")
    assert failed_for_want(report).outcome == outcome


def test_a_test_that_ran_is_left_as_it_is() -> None:
    report = pytest.TestReport("test", ("test.py", 1, "test"), {}, "passed", None, "call")
    assert failed_for_want(report).outcome == "passed"


def test_tests_that_run_in_the_background_of_a_shell_hear_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pytest_configure()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_forked_child_finalises_nothing_that_was_there_before_it() -> None:
    class Client:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            ended.append(os.getpid())

    ended: list[int] = []
    gc.collect()  # else a collection might be due before the child has begun
    Client()
    if (child := os.fork()) == 0:
        gc.collect()
        os._exit(len(ended))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    gc.collect()
    assert ended == [os.getpid()]


def test_a_process_that_a_failing_test_leaves_stopped_is_killed_and_waited_for() -> None:
    left = subprocess.Popen(["sleep", "60"])
    left.send_signal(signal.SIGSTOP)
    with pytest.raises(AssertionError), killed_at_the_end(left):
        raise AssertionError
    assert left.returncode == -signal.SIGKILL
