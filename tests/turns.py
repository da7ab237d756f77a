"""Which share of a long loop this commit runs: another commit takes another, and `scripts/test --soak` takes all."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest


@cache
def turn() -> int:
    """A number of the commit that is checked out, or `TEST_TURN`; 0 where there is no repository."""
    if "TEST_TURN" in os.environ:
        return int(os.environ["TEST_TURN"])
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=7", "HEAD"]
    try:
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout, 16)
    except (OSError, subprocess.CalledProcessError):
        return 0


def told(shares: int) -> str:
    """Which of so many shares, for a loop's count; how to have it again."""
    return f"share {turn() % shares + 1} of {shares} (TEST_TURN={turn()})"


def strides(plain: int) -> pytest.MarkDecorator:
    """How many steps of a loop are one: a few with the plain tests, a third with `--all`, every one as a soak."""
    slow, soak = pytest.param(3, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.soak)
    return pytest.mark.parametrize("every", [plain, slow, soak])


def first(every: int) -> int:
    """The step, from 0, at which this commit begins a loop of such a stride: others take the steps between."""
    return turn() % every
