from __future__ import annotations

from collections.abc import Callable

import pytest

from conf.settings import LogSettings
from log import Record, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.home import find_home
from log.embedded.partition.reader import Reader
from log.embedded.partition.splits import split

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def reader(
    open_embedded: Callable[..., EmbeddedLog], numbered: Callable[..., list[Record]], options: LogSettings
) -> Reader:
    """Two hundred records of 1,000 bytes, two a batch, twenty a segment."""
    log = open_embedded(segment_bytes=21_000, compression="none")
    log.create_topic("mails", 1)
    for start in range(0, 200, 2):
        log.append("mails", numbered(2, start, size=1000))
    return Reader(find_home(options.root))


@pytest.mark.parametrize("offsets", [range(200), range(37, 141), range(5, 6), range(199, 200)])
@pytest.mark.parametrize("max_bytes", [1, 10_000, 50_000, 10**9])
def test_the_pieces_are_the_range(reader: Reader, offsets: range, max_bytes: int) -> None:
    pieces = split(reader, SOURCE, offsets, max_bytes)
    assert [offset for piece in pieces for offset in piece] == list(offsets)
    assert all(pieces)


def test_the_pieces_are_about_as_large_as_asked_for(reader: Reader) -> None:
    sizes = [len(piece) * 1000 for piece in split(reader, SOURCE, range(200), 50_000)]
    assert len(sizes) in {4, 5}
    assert all(45_000 <= size <= 62_000 for size in sizes[:-1])


def test_without_indexes_a_segment_is_not_cut(reader: Reader, options: LogSettings) -> None:
    for path in (options.replicas[0] / "mails-0").glob("*.index"):
        path.unlink()
    pieces = split(reader, SOURCE, range(200), 1)
    assert [piece.start for piece in pieces] == list(range(0, 200, 20))
