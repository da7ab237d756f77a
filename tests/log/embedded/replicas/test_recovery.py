from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from log.embedded.replicas.recovery import level as bring_level
from log.embedded.replicas.recovery import look, rebuild_index
from log.embedded.segment.names import segment_bases

Damage = Callable[[bytes], bytes]


def flipped(data: bytes, position: int) -> bytes:
    """One bit is another."""
    return data[:position] + bytes([data[position] ^ 4]) + data[position + 1 :]


def third(data: bytes) -> int:
    """Where the last of three equal batches begins."""
    return len(data) // 3 * 2


TORN = [
    pytest.param(lambda b: b, 6, id="clean shutdown"),
    pytest.param(lambda b: b[:-1], 4, id="last byte never reached the disk"),
    pytest.param(lambda b: b[: third(b) + 30], 4, id="cut in the last header"),
    pytest.param(lambda b: b[: third(b)], 4, id="cut between two batches"),
    pytest.param(lambda b: b + b"\xff" * 7, 6, id="half a header after the tail"),
    pytest.param(lambda b: b + bytes(4096), 6, id="zeros after the tail"),
    pytest.param(lambda b: b + b[: len(b) // 3], 6, id="an old batch after the tail"),
    pytest.param(lambda b: b[:-4000] + bytes(4000), 4, id="last page is zeros"),
    pytest.param(lambda b: flipped(b, len(b) - 1), 4, id="flipped bit in the last record"),
    pytest.param(lambda b: flipped(b, third(b) + 8), 4, id="length of the last batch beyond the file"),
    pytest.param(lambda b: b[: third(b) + 8] + b"\xff" * 4 + b[third(b) + 12 :], 4, id="negative length"),
    pytest.param(lambda b: flipped(b, third(b) + 17), 4, id="flipped bit in the CRC"),
    pytest.param(lambda b: flipped(b, third(b)), 4, id="flipped bit in the base offset, which no CRC covers"),
    pytest.param(lambda b: b[:0], 0, id="nothing reached the disk"),
    pytest.param(lambda b: bytes(len(b)), 0, id="nothing but zeros"),
]
INSIDE = [
    pytest.param(lambda b: flipped(b, 100), 0, id="flipped bit in the first batch"),
    pytest.param(lambda b: flipped(b, 0), 0, id="flipped bit in the first base offset"),
    pytest.param(lambda b: flipped(b, third(b) // 2 + 7), 2, id="flipped bit in the second base offset"),
    pytest.param(lambda b: flipped(b, third(b) - 10), 2, id="flipped bit in the second batch"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mails-0"


@pytest.mark.parametrize(("damage", "survivors"), [*TORN, *INSIDE])
def test_recovery_keeps_exactly_the_intact_prefix(
    folder: Path, write_segment: Callable[..., bytes], damage: Damage, survivors: int
) -> None:
    whole = write_segment(folder)
    path = folder / f"{0:020d}.log"
    path.write_bytes(damage(whole))
    for _ in range(2):
        standing = look(folder, 0)
        assert (standing.end, standing.damaged) == (survivors, False)
        bring_level(folder, standing, folder, standing)
        assert path.read_bytes() == whole[: len(whole) // 3 * (survivors // 2)]


@pytest.mark.parametrize(("damage", "survivors"), TORN)
def test_without_a_watermark_a_torn_tail_is_no_damage(
    folder: Path, write_segment: Callable[..., bytes], damage: Damage, survivors: int
) -> None:
    whole = write_segment(folder)
    (folder / f"{0:020d}.log").write_bytes(damage(whole))
    standing = look(folder, None)
    assert (standing.end, standing.damaged) == (survivors, False)


@pytest.mark.parametrize(("damage", "survivors"), INSIDE)
def test_without_a_watermark_a_whole_batch_behind_the_damage_proves_it(
    folder: Path, write_segment: Callable[..., bytes], damage: Damage, survivors: int
) -> None:
    whole = write_segment(folder)
    (folder / f"{0:020d}.log").write_bytes(damage(whole))
    standing = look(folder, None)
    assert (standing.end, standing.damaged) == (survivors, True)


@pytest.mark.parametrize(("damage", "survivors"), [*TORN, *INSIDE])
def test_what_ends_below_the_high_watermark_is_damaged(
    folder: Path, write_segment: Callable[..., bytes], damage: Damage, survivors: int
) -> None:
    whole = write_segment(folder)
    (folder / f"{0:020d}.log").write_bytes(damage(whole))
    assert look(folder, 6).damaged == (survivors < 6)


def test_the_look_goes_on_into_later_segments(folder: Path, write_segment: Callable[..., bytes]) -> None:
    for base in (0, 6, 12):
        write_segment(folder, base)
    for high_watermark in (None, 0, 5, 6, 11, 12, 18):
        standing = look(folder, high_watermark)
        assert (standing.base, standing.end, standing.damaged) == (12, 18, False)
        assert (standing.segment_started_ms, standing.last_timestamp_ms) == (1000, 1002)


def test_a_torn_segment_with_others_behind_it_is_damaged(folder: Path, write_segment: Callable[..., bytes]) -> None:
    for base in (0, 6):
        write_segment(folder, base)
    path = folder / f"{0:020d}.log"
    path.write_bytes(path.read_bytes()[:-1])
    assert look(folder, None).damaged
    assert look(folder, 5).damaged
    unacknowledged = look(folder, 4)
    assert (unacknowledged.end, unacknowledged.damaged) == (4, False)
    bring_level(folder, unacknowledged, folder, unacknowledged)
    assert segment_bases(folder) == [0]


def test_a_missing_segment_is_said(folder: Path, write_segment: Callable[..., bytes]) -> None:
    write_segment(folder, 6)
    with pytest.raises(FileNotFoundError, match="no segment that holds offset 3"):
        look(folder, 3)
    (folder / f"{6:020d}.log").unlink()
    with pytest.raises(FileNotFoundError):
        look(folder, None)


def test_a_copy_behind_gets_the_rest_from_the_one_ahead(tmp_path: Path, write_segment: Callable[..., bytes]) -> None:
    ahead, behind = tmp_path / "ahead", tmp_path / "behind"
    for base in (0, 6, 12):
        write_segment(ahead, base)
    torn = write_segment(behind, 0)
    (behind / f"{0:020d}.log").write_bytes(torn[:-1])
    (behind / f"{6:020d}.log").write_bytes(b"from an append that died")
    for _ in range(2):
        bring_level(behind, look(behind, 0), ahead, look(ahead, 0))
        assert segment_bases(behind) == [0, 6, 12]
        for suffix in (".log", ".index", ".timeindex"):
            for base in (0, 6, 12):
                name = f"{base:020d}{suffix}"
                assert (behind / name).read_bytes() == (ahead / name).read_bytes(), name


def test_an_index_is_rebuilt_as_it_was(folder: Path, write_segment: Callable[..., bytes]) -> None:
    write_segment(folder, batches=50)
    names = [f"{0:020d}{suffix}" for suffix in (".index", ".timeindex")]
    built = [(folder / name).read_bytes() for name in names]
    assert all(built)
    for name in names:
        (folder / name).write_bytes(os.urandom(100))
    rebuild_index(folder, 0)
    assert [(folder / name).read_bytes() for name in names] == built
