from __future__ import annotations

from pathlib import Path

import pytest

from log.embedded.segment.names import copy_bases, segment_bases, segment_file


def test_a_segment_is_named_by_its_first_offset_in_twenty_digits(tmp_path: Path) -> None:
    assert segment_file(tmp_path, 5281).name == "00000000000000005281.log"
    assert segment_file(tmp_path, 5281, ".index").name == "00000000000000005281.index"


def test_segments_are_listed_in_order_and_strangers_are_not(tmp_path: Path) -> None:
    strangers = ("00000000000000000007.log.tmp", "7.log", "x.log", "00000000000000000009.log~", "state.json")
    for name in ("00000000000000000100.log", "00000000000000000000.log", "00000000000000000000.index", *strangers):
        (tmp_path / name).touch()
    assert segment_bases(tmp_path) == copy_bases(tmp_path) == [0, 100]


def test_a_copy_without_segments_is_none(tmp_path: Path) -> None:
    assert segment_bases(tmp_path) == []
    with pytest.raises(FileNotFoundError, match="no segments"):
        copy_bases(tmp_path)
