from __future__ import annotations

import io

import pytest

from pipelines.tables.store.streams import HELD_BYTES, InputStream, OutputStream

DATA = bytes(range(100))


def test_a_reader_reads_what_a_file_of_that_content_would_give() -> None:
    asked: list[tuple[int, int]] = []

    def fetch(start: int, length: int) -> bytes:
        asked.append((start, length))
        return DATA[start : start + length]

    ours, plain = InputStream(fetch, len(DATA)), io.BytesIO(DATA)
    for offset, whence, size in ((10, 0, 5), (-8, 2, 3), (2, 1, 50), (0, 0, -1), (95, 0, None), (200, 0, 1), (3, 0, 0)):
        assert ours.seek(offset, whence) == plain.seek(offset, whence)
        assert ours.read(size) == plain.read(size)
        assert ours.tell() == plain.tell()
    assert all(length > 0 and start + length <= 100 for start, length in asked)
    assert ours.readable()
    assert ours.seekable()


def test_a_writer_hands_on_every_byte_but_what_was_given_up_and_counts_them() -> None:
    taken: list[bytes] = []
    file = OutputStream(taken.append)
    assert file.writable()
    assert file.write(b"abc") + file.write(memoryview(b"de")) == file.size == file.tell() == 5
    file.flush()
    assert taken == [b"abcde"]
    file.write(bytes(HELD_BYTES))
    assert taken[1:] == [bytes(HELD_BYTES)]
    file.write(b"f")
    file.end()
    file.close()
    assert len(taken) == 2
    with pytest.raises(ValueError, match="closed"):
        file.flush()
