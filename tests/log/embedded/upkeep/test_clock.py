from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from log.embedded.upkeep.clock import believed_now_ms

HOUR_MS = 3_600_000
START_MS = 1_764_000_000_000


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[float], int | None]:
    """What is believed so many hours after the start."""

    def look(hours: float) -> int | None:
        monkeypatch.setattr(time, "time_ns", lambda: round(START_MS + hours * HOUR_MS) * 10**6)
        return believed_now_ms(tmp_path / "clock.json")

    return look


def test_a_clock_that_runs_is_believed(at: Callable[[float], int | None]) -> None:
    assert [at(hours) for hours in (0, 1, 20, 43)] == [START_MS + hours * HOUR_MS for hours in (0, 1, 20, 43)]


@pytest.mark.parametrize("jump", [25, 365 * 24, -26])
def test_one_that_jumps_is_doubted_for_a_day(at: Callable[[float], int | None], jump: int) -> None:
    assert at(0) is not None
    assert [at(jump + hours) for hours in (0, 12, 23)] == [None] * 3
    assert at(jump + 25) == START_MS + (jump + 25) * HOUR_MS


def test_one_that_jumps_back_again_is_doubted_again(at: Callable[[float], int | None]) -> None:
    assert at(0) is not None
    assert at(1000) is None
    assert at(1) is None
    assert at(20) is None
    assert at(26) is not None


def test_a_lost_file_is_begun_anew(at: Callable[[float], int | None], tmp_path: Path) -> None:
    assert at(0) is not None
    (tmp_path / "clock.json").write_bytes(b"torn")
    assert at(1) == START_MS + HOUR_MS
