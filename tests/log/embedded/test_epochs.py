from __future__ import annotations

from pathlib import Path

import pytest

from log.embedded.epochs import begin_epoch, read_epochs, write_epochs


def test_the_file_is_kafkas(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0), (1, 5281)])
    assert (tmp_path / "leader-epoch-checkpoint").read_text("ascii") == "0\n2\n0 0\n1 5281\n"
    assert read_epochs(tmp_path) == [(0, 0), (1, 5281)]


def test_an_epoch_begins_behind_the_ones_before(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0)])
    begin_epoch(tmp_path, 1, 100)
    begin_epoch(tmp_path, 3, 150)
    assert read_epochs(tmp_path) == [(0, 0), (1, 100), (3, 150)]


def test_an_epoch_that_acknowledged_nothing_goes(tmp_path: Path) -> None:
    write_epochs(tmp_path, [(0, 0), (1, 100)])
    begin_epoch(tmp_path, 2, 100)
    assert read_epochs(tmp_path) == [(0, 0), (2, 100)]


@pytest.mark.parametrize("text", ["1\n1\n0 0\n", "0\n2\n0 0\n", "0\n1\nx y\n", ""])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "leader-epoch-checkpoint").write_text(text, "ascii")
    with pytest.raises(ValueError):  # noqa: PT011  whichever it stumbles over
        read_epochs(tmp_path)
