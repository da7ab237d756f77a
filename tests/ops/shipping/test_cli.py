"""ops.shipping.cli: what does not go together"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ops.shipping.conftest import Shipping


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "name files, or one of --journal and --stdin"),
        (("--journal", "--stdin"), "name files, or one of"),
        (("a.log", "--stdin", "--unit", "x"), "name files, or one of"),
        (("a", "b", "--journal"), "one file or folder at most"),
        (("--journal", "--unit", "x"), "units of their own"),
        (("--stdin",), "needs --unit"),
        (("a.log", "--unit", "a|b"), "is no unit"),
        (("a.log", "--unit", "a\nb"), "is no unit"),
    ],
)
def test_what_does_not_go_together_is_refused(ship: Shipping, words: tuple[str, ...], why: str) -> None:
    assert why in " ".join(ship(*words, code=2).stderr.replace("│", " ").split())


def test_a_file_and_what_it_was_rotated_to_are_not_shipped_both(ship: Shipping, tmp_path: Path) -> None:
    for name in ("app.log", "app.log.1"):
        (tmp_path / name).write_text("one\n")
    assert "name that one" in " ".join(ship(*tmp_path.glob("app.log*"), code=2).stderr.replace("│", " ").split())


def test_without_a_log_nothing_is_made(ship: Shipping, tmp_path: Path, file: Path) -> None:
    file.write_text('[log]\nroot = "other"\nreplicas = ["other/replica-1", "other/replica-2"]\n')
    (tmp_path / "app.log").write_text("one\n")
    assert "no log is here yet" in ship(tmp_path / "app.log", code=1).stderr
    assert not (file.parent / "other").exists()
