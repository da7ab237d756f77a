from __future__ import annotations

import time

import pytest

from parsers.sandbox.backoff import BackOff


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    return naps


def test_before_a_fourth_child_in_a_second_there_is_a_wait(slept: list[float]) -> None:
    back_off = BackOff()
    for lost in range(1, 5):
        back_off.lost()
        back_off.wait()
        assert len(slept) == max(lost - 2, 0)
    assert all(0.5 < nap <= 1 for nap in slept)


def test_children_lost_one_a_second_are_replaced_at_once(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    back_off = BackOff()
    for second in range(10):
        monkeypatch.setattr(time, "monotonic", lambda now=100.0 + second: now)
        back_off.lost()
        back_off.wait()
    assert not any(slept)
