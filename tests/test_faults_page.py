"""docs/faults.md: each test that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "faults.md").read_text("utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)
    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in (ROOT / "tests" / file).read_text()]
    assert missing == []
    assert len(named) > 50


def test_every_case_is_there_once() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    assert len(numbers) == len(set(numbers))
