from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import NothingPublished
from pipelines.publication import latest, publish


def test_readers_see_the_newest_publication(tmp_path: Path) -> None:
    for number in range(1, 12):
        publish(tmp_path, f"run-{number}", {"quotes": number})
    assert (latest(tmp_path).number, latest(tmp_path).run_id, latest(tmp_path).versions) == (
        11,
        "run-11",
        {"quotes": 11},
    )


def test_half_a_publication_is_none(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", {"quotes": 1})
    (tmp_path / "_published" / ".2.json.4711").write_text('{"number": 2, ')
    assert latest(tmp_path).number == 1
    assert publish(tmp_path, "run-2", {"quotes": 2}).number == 2


def test_without_any_the_message_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(NothingPublished, match="otclog extract"):
        latest(tmp_path)


def test_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    publish(tmp_path, "run-1", {"quotes": 1})
    file = tmp_path / "_published" / "1.json"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
