"""log.embedded.recovery.losses"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from log import CorruptRecord, Record
from log.embedded import EmbeddedLog
from log.embedded.recovery.losses import offsets_in_words
from log.embedded.replicas.suspects import lost_batches, lost_segments
from log.embedded.segment.names import segment_bases, segment_file
from log.types import Trouble
from tests.log.copies import SOURCE, values
from tests.log.embedded.recovery.conftest import BATCHES, EACH
from tests.log.rot import batches, flip, flip_batch

OpenLog = Callable[..., EmbeddedLog]


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ([range(7, 8)], "offset 7"),
        ([range(7)], "offsets 0 to 6"),
        ([range(3, 7), range(3), range(9, 10)], "offsets 0 to 6, 9"),
        ([range(2 * number, 2 * number + 1) for number in range(12)], "offsets 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 …"),
    ],
)
def test_offsets_are_said_in_few_words(ranges: list[range], said: str) -> None:
    assert offsets_in_words(ranges) == said


def rotten(log: EmbeddedLog, copies: list[Path], *numbers: int) -> list[str]:
    """The same batches damaged in every copy, met by a reader, and what is told by who tends then."""
    for copy in copies:
        for number in numbers:
            flip_batch(copy, number, 75)
    with pytest.raises(CorruptRecord):
        log.read(SOURCE, numbers[0] * EACH, 1)
    return [each.detail for each in log.tend() if "every replica" in each.detail]


def troubles(log: EmbeddedLog) -> list[Trouble]:
    return [each for each in log.troubles() if each.what == "records"]


def test_what_every_replica_has_damaged_is_told_once_and_is_a_trouble_from_then_on(
    log: EmbeddedLog, copies: list[Path], open_embedded: OpenLog
) -> None:
    told = rotten(log, copies, 2, 3)
    assert len(told) == 1
    assert told[0].startswith("offsets 10 to 19 are damaged on every replica in sync: lost unless a backup has them")
    log.tend()
    log.close()
    (trouble,) = troubles(open_embedded())
    assert trouble.fails
    assert trouble.detail == f"mails-0: {told[0]}"


def test_it_is_none_any_more_once_a_backup_was_put_in_place_and_the_log_tended(
    open_embedded: OpenLog, copies: list[Path], numbered: Callable[..., list[Record]], tmp_path: Path
) -> None:
    """The bytes of the backup's segment over the first ones of one copy, though that has grown since."""
    log = open_embedded(compression="none", scrub_bytes_s=0)
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each))
    backup = Path(shutil.copy(batches(copies[1])[0][0], tmp_path / "backup"))
    log.append("mails", numbered(EACH, EACH * BATCHES))
    before = values(log)
    _, position, _, _ = batches(copies[0])[4]
    rotten(log, copies, 1, 4)
    for copy in copies:
        flip(batches(copy)[0][0], position + 9)  # of the header, too
    log.home.state_file(SOURCE).with_name(f"{0:020d}.suspect").touch()
    log.tend()
    assert len(troubles(log)) == 1
    assert [each.start for each in lost_batches(log.home, SOURCE, 0)] == [5, 20]
    with batches(copies[1])[0][0].open("r+b") as file:
        file.write(backup.read_bytes())
    log.tend()
    assert troubles(log) == []
    assert lost_segments(log.home, SOURCE) == []
    assert values(log) == before
    assert not [each for each in log.tend() if each.alarms]


def test_nor_once_it_is_deleted(log: EmbeddedLog, copies: list[Path]) -> None:
    rotten(log, copies, 1, 3)
    log.delete_records(SOURCE, 7)
    (trouble,) = troubles(log)
    assert trouble.detail.startswith("mails-0: offsets 7 to 9, 15 to 19 are damaged")
    log.delete_records(SOURCE, 20)
    assert troubles(log) == []


def test_a_note_of_an_earlier_version_which_does_not_say_what_is_lost_is_looked_at_again(
    log: EmbeddedLog, copies: list[Path]
) -> None:
    rotten(log, copies, 3)
    (note,) = (log.home.root / "state" / "mails-0").glob("*.lost")
    note.write_bytes(b"")
    assert troubles(log) == []
    log.tend()
    assert "offsets 15 to 19 are damaged" in troubles(log)[0].detail


def test_a_segment_that_every_replica_lacks_is_a_trouble_until_it_is_restored_or_given_up(
    open_embedded: OpenLog, copies: list[Path], numbered: Callable[..., list[Record]]
) -> None:
    log = open_embedded(segment_bytes=2000, compression="none")
    log.create_topic("mails", 1)
    for each in range(BATCHES):
        log.append("mails", numbered(EACH, EACH * each, 300))
    _, second, third, *_ = segment_bases(copies[0])
    for copy in copies[1:]:
        segment_file(copy, second).unlink()
    assert troubles(log) == [], "the leader has it"
    copies[0].rename(copies[0].with_name("gone"))
    assert len(troubles(log)) == 1, "it is away"
    copies[0].with_name("gone").rename(copies[0])
    segment_file(copies[0], second).rename(away := copies[0].parent / "away")
    (trouble,) = troubles(log)
    assert f"mails-0: every replica in sync lacks records: mails-0: damaged at offset {second}" in trouble.detail
    away.rename(segment_file(copies[0], second))
    assert troubles(log) == []
    segment_file(copies[0], second).unlink()
    log.delete_records(SOURCE, third)
    assert troubles(log) == []
