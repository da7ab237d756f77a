from __future__ import annotations

import os
import signal
import threading

import pytest
import typer

from conf.watching import watch


def test_it_looks_and_shows_until_nobody_reads() -> None:
    shown: list[int] = []

    def show(found: int) -> bool:
        shown.append(found)
        return len(shown) < 3

    watch(lambda: len(shown), show, "1ms")
    assert shown == [0, 1, 2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_waiting_for_the_next_look(number: int) -> None:
    before = signal.getsignal(number)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), number))
    timer.start()
    watch(lambda: None, lambda _: True, "1h")
    timer.join()
    assert signal.getsignal(number) == before


def test_a_pause_that_is_none_is_refused_before_anything_is_shown() -> None:
    with pytest.raises(typer.BadParameter):
        watch(lambda: None, lambda _: pytest.fail("shown"), "often")
