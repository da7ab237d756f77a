"""docs/faults.md: it names every case of its groups, and each test that it names is there."""

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


def test_every_case_is_there_once_with_a_test_or_a_reason() -> None:
    rows = re.findall(r"^\| (\d+) \| .* \|(.*)\|(.*)\|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, 113))  # groups A to I
    bare = [number for number, why, test in rows if "::" not in test and "the same" not in test and "cannot" not in why]
    assert bare == []


def test_it_is_one_page() -> None:
    assert len(re.findall(r"^# ", PAGE, re.MULTILINE)) == 1
    groups = re.findall(r"^## (\w)\. ", PAGE, re.MULTILINE)
    assert groups == sorted(set(groups))
