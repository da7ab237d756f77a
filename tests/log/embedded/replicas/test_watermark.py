from __future__ import annotations

import threading
from pathlib import Path

from log.embedded.replicas.watermark import LAYOUT, SIZE, Watermark, WatermarkFile, read_watermark, this_boot

MARK = Watermark(this_boot(), 3, 100, 120, 50, 4096, 1_764_000_000_000, 1_764_000_000_500)


def test_a_mark_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = WatermarkFile(tmp_path / "mark")
    file.write(MARK)
    assert file.read() == read_watermark(tmp_path / "mark") == MARK
    file.close()


def test_no_byte_of_a_mark_can_change_unseen(tmp_path: Path) -> None:
    path = tmp_path / "mark"
    file = WatermarkFile(path)
    file.write(MARK)
    file.close()
    whole = path.read_bytes()
    assert len(whole) == SIZE
    for position in (0, 4, 10, 39, 79, 97):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert read_watermark(path) is None, position


def test_a_file_of_an_older_version_that_names_no_partition_is_read(tmp_path: Path) -> None:
    file = WatermarkFile(tmp_path / "mark")
    file.write(MARK)
    whole = (tmp_path / "mark").read_bytes()
    (tmp_path / "mark").write_bytes(whole[: LAYOUT.size])
    assert file.read() == read_watermark(tmp_path / "mark") == MARK
    file.close()


def test_a_lost_or_empty_file_is_none(tmp_path: Path) -> None:
    assert read_watermark(tmp_path / "mark") is None
    (tmp_path / "mark").touch()
    assert read_watermark(tmp_path / "mark") is None


def test_a_file_deleted_meanwhile_is_made_anew(tmp_path: Path) -> None:
    file = WatermarkFile(tmp_path / "mark")
    file.write(MARK)
    (tmp_path / "mark").unlink()
    assert file.read() is None
    file.write(MARK)
    assert read_watermark(tmp_path / "mark") == MARK
    file.close()


def test_readers_see_one_mark_or_the_next_while_it_is_written(tmp_path: Path) -> None:
    file = WatermarkFile(tmp_path / "mark")
    file.write(MARK._replace(high_watermark=0, end=0))
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            file.write(MARK._replace(high_watermark=number, end=number))

    writer = threading.Thread(target=write)
    writer.start()
    seen = [read_watermark(tmp_path / "mark") for _ in range(3000)]
    stop.set()
    writer.join()
    file.close()
    marks = [(mark.high_watermark, mark.end) for mark in seen if mark is not None]
    assert len(marks) == len(seen)
    assert all(high == end for high, end in marks)
    assert marks == sorted(marks)
