from __future__ import annotations

import pytest

from log import TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.replicas import suspects as notes

SOURCE = TopicPartition("mails", 0)


def test_a_note_stays_until_the_segment_was_looked_at(embedded: EmbeddedLog) -> None:
    home = embedded.home
    before = notes.changed_at(home, SOURCE)
    notes.suspect(home, SOURCE, 70)
    notes.suspect(home, SOURCE, 7)
    notes.suspect(home, SOURCE, 7)
    assert notes.changed_at(home, SOURCE) != before
    assert notes.suspects(home, SOURCE) == [7, 70]
    notes.clear(home, SOURCE, 7)
    assert notes.suspects(home, SOURCE) == [70]


def test_what_is_known_to_be_lost_is_noted_no_more_until_it_is_found_again(embedded: EmbeddedLog) -> None:
    home = embedded.home
    lost = [notes.LostBatch(120, 9, 11)]
    notes.remember(home, SOURCE, 7, lost)
    notes.suspect(home, SOURCE, 7)
    assert (notes.suspects(home, SOURCE), notes.lost_segments(home, SOURCE)) == ([], [7])
    assert notes.lost_batches(home, SOURCE, 7) == lost
    notes.remember(home, SOURCE, 7, [])
    notes.suspect(home, SOURCE, 7)
    assert (notes.suspects(home, SOURCE), notes.lost_segments(home, SOURCE)) == ([7], [])


def test_a_reader_that_can_leave_no_note_goes_on(embedded: EmbeddedLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.open", refused)
    notes.suspect(embedded.home, SOURCE, 7)
    monkeypatch.undo()
    assert notes.suspects(embedded.home, SOURCE) == []
