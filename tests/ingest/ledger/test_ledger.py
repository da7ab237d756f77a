from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from conf import Settings
from ingest.journal import JOURNAL, forgotten
from ingest.ledger.file import LedgerUnavailable
from ingest.ledger.ledger import Ledger, Noted
from log import CommitLog, Position, Record, StoredRecord, TopicConfig, TopicPartition, open_log
from tests.log.rot import flip_batch
from tests.partitions import partition_for

SOURCE = TopicPartition("mails", 0)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as opened:
        yield opened


@pytest.fixture
def mails(commit_log: CommitLog) -> CommitLog:
    """The log with a topic of one partition."""
    commit_log.create_topic("mails", 1)
    return commit_log


@pytest.fixture
def other(settings: Settings) -> Iterator[CommitLog]:
    """The same log, as another process has it."""
    with closing(open_log(settings.log)) as opened:
        yield opened


@pytest.fixture
def elsewhere(settings: Settings, tmp_path: Path) -> Iterator[CommitLog]:
    """Another log, with a topic of the same name."""
    root = tmp_path / "elsewhere"
    replicas = tuple(root / str(number) for number in range(3))
    with closing(open_log(replace(settings.log, root=root, replicas=replicas))) as opened:
        opened.create_topic("mails", 1)
        yield opened


def digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def append(log: CommitLog, *raws: bytes) -> None:
    log.append("mails", [Record(b"k", raw, (("sha256", digest(raw).encode()),)) for raw in raws])


def known(ledger: Ledger, log: CommitLog, *raws: bytes) -> list[int]:
    """Offsets of those that are known."""
    ledger.catch_up(log, SOURCE)
    return sorted(each.position.offset for each in ledger.find(log, ["mails"], [digest(raw) for raw in raws]).values())


def test_it_knows_what_any_process_has_appended(mails: CommitLog, ledger: Ledger) -> None:
    append(mails, b"a", b"b")
    assert known(ledger, mails, b"a", b"b", b"c") == [0, 1]
    append(mails, b"c")
    assert known(ledger, mails, b"c") == [2]


def test_a_record_that_no_replica_has_whole_hides_none_behind_it(
    mails: CommitLog, ledger: Ledger, settings: Settings, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    for raw in (b"a", b"b", b"c"):
        append(mails, raw)
    for folder in settings.log.replicas:
        segment = folder / "mails-0" / f"{0:020d}.log"
        data = bytearray(segment.read_bytes())
        data[len(data) // 2] ^= 1
        segment.write_bytes(data)
    assert known(ledger, mails, b"a", b"b", b"c") == [0, 2]
    assert "mails-0: damaged at offset 1" in caplog.text
    append(mails, b"b")
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as again:
        assert known(again, mails, b"a", b"b", b"c") == [0, 2, 3]


def test_what_no_replica_has_whole_of_several_records_is_passed_at_once(
    mails: CommitLog, ledger: Ledger, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    append(mails, b"a")
    append(mails, *(str(number).encode() for number in range(40)))
    append(mails, b"b")
    for folder in settings.log.replicas:
        flip_batch(folder / "mails-0", 1)
    assert known(ledger, mails, b"a", b"b", *(str(number).encode() for number in range(40))) == [0, 41]
    told = [each for each in caplog.messages if "which mails these were is not known" in each]
    assert len(told) == 1
    assert "offsets 1 to 40 are lost" in told[0]


@pytest.fixture
def compacted(commit_log: CommitLog) -> CommitLog:
    """The log with a topic of which compaction has left few records: a later mail of a sender took an earlier one out."""
    commit_log.create_topic("mails", 1, TopicConfig(cleanup="compact", segment_bytes=2000))
    commit_log.append("mails", [Record(b"other", b"a"), Record(b"same", b"b")])
    for number in range(30):
        commit_log.append("mails", [Record(b"same", b"%d" % number + b"x" * 500)])
    assert [each.action for each in commit_log.tend()] == ["compact"]
    commit_log.alter_topic("mails", config=replace(commit_log.topic_config("mails"), cleanup="delete", mail=True))
    return commit_log


def test_a_topic_that_was_compacted_before_it_took_mails_is_caught_up(compacted: CommitLog, ledger: Ledger) -> None:
    reads: list[int] = []

    def carry_on() -> None:
        reads.append(1)
        assert len(reads) < 100, "the same offset is read for ever"

    compacted.delete_records(SOURCE, 1)  # so that the ledger begins where there is no record
    ledger.catch_up(compacted, SOURCE, carry_on)
    assert known(ledger, compacted, b"b", b"29" + b"x" * 500) == [31]


def test_a_ledger_that_ends_where_compaction_took_a_record_out_is_believed(
    compacted: CommitLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ingest.ledger.ledger.READ_BYTES", 10)
    first = compacted.read(SOURCE, 0, 10)
    assert first.next_offset > first[-1].offset + 1, "the read ends where there is no record"
    asked: list[int] = []

    def stop_at_the_second() -> None:
        asked.append(1)
        if len(asked) == 2:
            raise KeyboardInterrupt

    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ledger, pytest.raises(KeyboardInterrupt):
        ledger.catch_up(compacted, SOURCE, stop_at_the_second)
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as again:
        assert known(again, compacted, b"a", b"29" + b"x" * 500) == [0, 31]
    assert "knows another" not in caplog.text


def test_a_damaged_line_of_the_journal_stops_no_ledger_that_is_made_again(
    mails: CommitLog, ledger: Ledger, settings: Settings
) -> None:
    mails.create_topic(JOURNAL, 1)
    append(mails, b"a")
    for _ in range(2):
        mails.append(JOURNAL, [forgotten(digest(b"a"), Position("mails", 0, 0), mails.topic_id("mails"))])
    for folder in settings.log.replicas:
        segment = folder / f"{JOURNAL}-0" / f"{0:020d}.log"
        data = bytearray(segment.read_bytes())
        data[len(data) // 4] ^= 1
        segment.write_bytes(data)
    assert known(ledger, mails, b"a") == []  # the second line tells it


def test_a_record_without_the_header_is_known_by_its_bytes(mails: CommitLog, ledger: Ledger) -> None:
    mails.append("mails", [Record(b"k", b"a"), Record(b"k", b"b", (("sha256", b"no hex"),))])
    assert known(ledger, mails, b"a", b"b") == [0, 1]


def test_what_was_added_is_known_without_reading_the_log(mails: CommitLog, ledger: Ledger) -> None:
    ledger.catch_up(mails, SOURCE)
    append(mails, b"a")
    ledger.add(mails, {digest(b"a"): Noted(Position("mails", 0, 0), 7)})
    assert ledger.find(mails, ["mails"], [digest(b"a")]) == {digest(b"a"): Noted(Position("mails", 0, 0), 7)}


def test_what_does_not_follow_on_what_is_noted_is_left_for_the_log_to_tell(mails: CommitLog, ledger: Ledger) -> None:
    ledger.catch_up(mails, SOURCE)
    append(mails, b"a", b"b")
    ledger.add(mails, {digest(b"b"): Noted(Position("mails", 0, 1), 7)})
    assert known(ledger, mails, b"a", b"b") == [0, 1]


def test_what_the_log_does_not_keep_is_not_known_and_not_remembered(
    mails: CommitLog, ledger: Ledger, tmp_path: Path
) -> None:
    append(mails, b"a", b"b", b"c")
    assert known(ledger, mails, b"a", b"b", b"c") == [0, 1, 2]
    mails.delete_records(SOURCE, 2)
    assert known(ledger, mails, b"a", b"b", b"c") == [2]
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as db:
        assert db.execute("SELECT log_offset FROM mails").fetchall() == [(2,)]
    mails.delete_records(SOURCE, 3)
    append(mails, b"d")
    assert known(ledger, mails, b"c", b"d") == [3]


def test_a_mail_of_two_topics_is_known_as_long_as_one_of_them_keeps_it(mails: CommitLog, ledger: Ledger) -> None:
    mails.create_topic("backfill", 1)
    other = TopicPartition("backfill", 0)
    for topic in ("mails", "backfill"):
        mails.append(topic, [Record(b"k", b"a")])
    for source in (SOURCE, other):
        ledger.catch_up(mails, source)

    def topics() -> list[str]:
        found = ledger.find(mails, ["mails", "backfill"], [digest(b"a")])
        return [each.position.topic for each in found.values()]

    assert topics() == ["mails"]
    mails.delete_records(other, 1)
    assert topics() == ["mails"]
    mails.append("backfill", [Record(b"k", b"a")])
    ledger.catch_up(mails, other)
    mails.delete_records(SOURCE, 1)
    assert topics() == ["backfill"]


def test_a_mail_of_a_topic_that_has_gone_is_not_known(mails: CommitLog, ledger: Ledger) -> None:
    append(mails, b"a")
    known(ledger, mails, b"a")
    mails.delete_topic("mails")
    assert ledger.find(mails, ["mails"], [digest(b"a")]) == {}


def test_a_ledger_that_is_lost_is_made_again_from_the_log(mails: CommitLog, tmp_path: Path) -> None:
    append(mails, b"a", b"b")
    for _ in range(2):
        with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ledger:
            assert known(ledger, mails, b"a", b"b") == [0, 1]
        (tmp_path / "ledger.sqlite").unlink()


@pytest.mark.parametrize("others", [[b"x"], [b"x", b"y", b"z"]], ids=["shorter log", "longer log"])
def test_two_logs_may_have_one_ledger_and_neither_knows_the_others_mails(
    mails: CommitLog, elsewhere: CommitLog, tmp_path: Path, others: list[bytes]
) -> None:
    with (
        closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as ours,
        closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as theirs,
    ):
        assert (known(ours, mails), known(theirs, elsewhere)) == ([], []), "both have looked before"
        append(mails, b"a", b"b")
        append(elsewhere, *others)
        for _ in range(2):
            assert known(ours, mails, b"a", b"b") == [0, 1]
            assert known(theirs, elsewhere, *others) == list(range(len(others)))
            assert known(ours, mails, *others) == known(theirs, elsewhere, b"a", b"b") == []


def test_a_mail_of_a_deleted_topic_is_not_known_of_the_one_that_was_made_again_and_refilled_meanwhile(
    mails: CommitLog, other: CommitLog, ledger: Ledger, tmp_path: Path
) -> None:
    append(mails, b"a", b"b")
    assert known(ledger, mails, b"a", b"b") == [0, 1]
    other.delete_topic("mails")
    other.create_topic("mails", 1)
    append(other, b"x", b"y", b"b")
    assert known(ledger, mails, b"a") == []
    assert known(ledger, mails, b"x", b"y", b"b") == [0, 1, 2]
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM mails").fetchone() == (3,), "of the deleted topic nothing is left"


def test_a_topic_made_again_with_fewer_partitions_is_caught_up(mails: CommitLog, ledger: Ledger) -> None:
    mails.alter_topic("mails", 2)
    keys = {partition_for(mails, "mails", key).partition: key for key in (b"a", b"b", b"c", b"d")}
    mails.append("mails", [Record(keys[1], b"a")])
    ledger.catch_up(mails, TopicPartition("mails", 1))
    assert len(ledger.find(mails, ["mails"], [digest(b"a")])) == 1
    mails.delete_topic("mails")
    mails.create_topic("mails", 1)
    assert known(ledger, mails, b"a") == []
    append(mails, b"a")
    assert known(ledger, mails, b"a") == [0]


def test_what_was_forgotten_in_a_deleted_topic_is_not_so_in_the_one_made_again(
    mails: CommitLog, ledger: Ledger
) -> None:
    mails.create_topic(JOURNAL, 1)
    append(mails, b"a")
    assert known(ledger, mails, b"a") == [0]
    mails.append(JOURNAL, [forgotten(digest(b"a"), Position("mails", 0, 0), mails.topic_id("mails"))])
    ledger.forget(mails, Position("mails", 0, 0))
    assert known(ledger, mails, b"a") == []
    mails.delete_topic("mails")
    mails.create_topic("mails", 1)
    append(mails, b"a")
    assert known(ledger, mails, b"a") == [0]


def test_files_that_stay_are_taken_again_when_their_topic_was_deleted_and_made_again(
    mails: CommitLog, ledger: Ledger
) -> None:
    append(mails, b"a")
    assert known(ledger, mails, b"a") == [0]
    ledger.keep(b"folder", [(1, 2, digest(b"a")), (3, 4, digest(b"dropped by a rule"))])
    mails.delete_topic("mails")
    mails.create_topic("mails", 1)
    assert known(ledger, mails, b"a") == []
    assert ledger.kept(b"folder") == {3: 4}


def test_a_ledger_that_names_another_record_than_the_mails_is_not_believed_but_made_again(
    mails: CommitLog, ledger: Ledger, tmp_path: Path
) -> None:
    append(mails, b"a", b"b")
    assert known(ledger, mails, b"a", b"b") == [0, 1]
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as db, db:
        db.execute("UPDATE mails SET sha256 = ? WHERE log_offset = 0", (hashlib.sha256(b"c").digest(),))
    with pytest.raises(LedgerUnavailable, match="another mail"):
        known(ledger, mails, b"c")
    assert known(ledger, mails, b"a", b"b", b"c") == [0, 1]


def test_a_mail_that_was_forgotten_stays_so_when_the_ledger_is_damaged(
    mails: CommitLog, ledger: Ledger, tmp_path: Path
) -> None:
    mails.create_topic(JOURNAL, 1)
    assert known(ledger, mails) == []
    append(mails, b"a")
    mails.append(JOURNAL, [forgotten(digest(b"a"), Position("mails", 0, 0), mails.topic_id("mails"))])
    ledger.close()
    (tmp_path / "ledger.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    with pytest.raises(LedgerUnavailable):
        known(ledger, mails, b"a")
    assert known(ledger, mails, b"a") == []


def test_the_journal_is_read_once_for_a_partition_without_mails(mails: CommitLog, ledger: Ledger) -> None:
    mails.create_topic(JOURNAL, 1)
    mails.append(JOURNAL, [forgotten(digest(b"a"), Position("mails", 0, 0), mails.topic_id("mails"))])
    read: list[str] = []

    class Watched:
        """The log; tells what is read of it."""

        def read(self, source: TopicPartition, offset: int, max_bytes: int) -> Sequence[StoredRecord]:
            read.append(source.topic)
            return mails.read(source, offset, max_bytes)

        def __getattr__(self, name: str) -> Any:
            return getattr(mails, name)

    ledger.catch_up(cast("CommitLog", Watched()), SOURCE)
    once = read.copy()
    assert set(once) == {JOURNAL}
    for _ in range(2):
        ledger.catch_up(cast("CommitLog", Watched()), SOURCE)
    assert read == once


def test_catching_up_ends_when_asked_to_and_goes_on_from_there(
    mails: CommitLog, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.ledger.ledger.READ_BYTES", 1)
    append(mails, b"a")
    append(mails, b"b")
    asked: list[int] = []

    def stop_at_the_second() -> None:
        asked.append(1)
        if len(asked) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger.catch_up(mails, SOURCE, stop_at_the_second)
    assert len(ledger.find(mails, ["mails"], [digest(b"a"), digest(b"b")])) == 1
    assert known(ledger, mails, b"a", b"b") == [0, 1]
