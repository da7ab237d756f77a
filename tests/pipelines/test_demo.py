"""pipelines.demo: refusals; that it plays to its end is tested with the README's commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.demo import SAMPLES, run_demo
from pipelines.errors import DemoFailed


def test_a_folder_with_somebodys_files_is_never_made_anew(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    with pytest.raises(DemoFailed, match="not an earlier demo's"):
        run_demo(tmp_path)
    assert (tmp_path / "precious").read_text() == "mine"


def test_there_are_samples_of_each_main_format() -> None:
    names = {path.stem.rpartition("_")[2] for path in SAMPLES.glob("*.eml")}
    assert {"text", "html", "xlsx", "csv", "pdf", "docx"} <= names
