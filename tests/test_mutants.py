"""The tests of the log fail when one of its safeguards is taken out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "mutants.py"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_safeguard_can_be_taken_out_unnoticed(record_property: Callable[[str, object], None]) -> None:
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SURVIVED" not in done.stdout
    assert done.stdout.count("killed") > 5
    record_property("count", f"mutants: {done.stdout.count('killed')} safeguards of the log taken out, each noticed")
