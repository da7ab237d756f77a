from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings
from ingest.ledger.ledger import Ledger
from ingest.mail import Mail
from ingest.publish import Outgoing, Published, make_mail_topic, publish
from log import CommitLog, StoredRecord, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.murmur2 import partition_of
from log.topics.making import make_topic
from tests.partitions import partition_for

AMail = Callable[..., bytes]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


@pytest.fixture
def mails(commit_log: CommitLog) -> CommitLog:
    make_mail_topic(commit_log, "mails", 4)
    make_mail_topic(commit_log, "other", 2)
    return commit_log


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite", tmp_path / "log")) as opened:
        yield opened


def some(a_mail: AMail, numbers: range, senders: int = 7, source: str = "drop:x") -> list[Mail]:
    """Mails of several senders."""
    raws = [a_mail(number, f"desk{number % senders}@dealer.example") for number in numbers]
    return [Mail.of(raw, source, f"{number}.eml", 0) for number, raw in zip(numbers, raws, strict=True)]


def publish_to(log: CommitLog, ledger: Ledger, mails: list[Mail], topic: str = "mails") -> Published:
    outgoing = [Outgoing(mail, topic, mail.record("default", 10**6)) for mail in mails]
    return publish(log, ledger, ["mails", "other"], outgoing)


def test_the_topic_is_made_once(commit_log: CommitLog) -> None:
    for _ in range(2):
        make_topic(commit_log, "mails", 3)
    assert len(commit_log.describe("mails")) == 3


def test_a_topic_that_was_there_is_marked_as_one_of_mails_and_keeps_its_other_settings(
    commit_log: CommitLog, caplog: pytest.LogCaptureFixture
) -> None:
    commit_log.create_topic("mails", 2, TopicConfig(retention_bytes=10**9, cleanup="compact"))
    make_mail_topic(commit_log, "mails", 4)
    assert commit_log.topic_config("mails") == TopicConfig(retention_bytes=10**9, cleanup="delete", mail=True)
    assert len(commit_log.describe("mails")) == 2
    assert "not compacted any more" in caplog.text


def test_each_mail_becomes_one_record_and_it_is_known_where(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    known, busy = publish_to(mails, ledger, some(a_mail, range(40)))
    assert busy is None
    by_place = {(record.source.partition, record.offset): record.value for record in stored(mails, "mails")}
    assert len(by_place) == 40
    assert all(by_place[each.noted.position[1:]] == each.outgoing.mail.raw and each.is_new for each in known)


def test_mails_of_one_sender_keep_their_order(mails: CommitLog, ledger: Ledger, a_mail: AMail) -> None:
    known, _ = publish_to(mails, ledger, some(a_mail, range(30), senders=1))
    assert [each.noted.position.offset for each in known] == list(range(30))
    assert [each.outgoing.mail.name for each in known] == [f"{number}.eml" for number in range(30)]


def test_a_mail_that_the_log_has_is_not_appended_again(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    first, _ = publish_to(mails, ledger, some(a_mail, range(10)))
    again, _ = publish_to(mails, ledger, some(a_mail, range(12), source="drop:y"))
    assert len(stored(mails, "mails")) == 12
    assert sum(each.is_new for each in again) == 2
    assert {each.noted for each in first} < {each.noted for each in again}


def test_a_mail_that_went_to_another_topic_is_not_appended_again(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    publish_to(mails, ledger, some(a_mail, range(10)), "other")
    known, _ = publish_to(mails, ledger, some(a_mail, range(12)), "mails")
    assert sum(each.is_new for each in known) == 2
    assert (len(stored(mails, "mails")), len(stored(mails, "other"))) == (2, 10)


def test_the_same_mail_twice_in_one_batch_is_one_record(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    (mail,) = some(a_mail, range(1))
    known, _ = publish_to(mails, ledger, [mail, replace(mail, name="copy.eml")])
    assert [each.is_new for each in known] == [True, False]
    assert len({each.noted for each in known}) == len(stored(mails, "mails")) == 1


def test_the_same_message_id_with_other_bytes_is_another_mail(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    publish_to(mails, ledger, [Mail.of(a_mail(1, size=size), "drop:x", "x", 0) for size in (0, 1)])
    assert len(stored(mails, "mails")) == 2


def test_a_partition_that_another_process_holds_keeps_nobody_else_waiting(
    mails: CommitLog, ledger: Ledger, settings: Settings, stored: Stored, a_mail: AMail
) -> None:
    some_mails = some(a_mail, range(40))
    publish_to(mails, ledger, [])  # of partitions added since nothing is left to learn
    held = partition_for(mails, "mails", b"desk0@dealer.example")
    holding, release = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(EmbeddedLog(settings.log)) as other, other.exclusive(held):
            holding.set()
            release.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert holding.wait(30)
        known, busy = publish_to(mails, ledger, some_mails)
        assert busy is not None
        assert busy.retriable
        assert known
        assert held.partition not in {each.noted.position.partition for each in known}
    finally:
        release.set()
        holder.join()
    known, busy = publish_to(mails, ledger, some_mails)
    assert (len(known), busy) == (40, None)
    assert len(stored(mails, "mails")) == 40


def test_a_mail_whose_backfill_record_is_not_kept_any_more_is_appended_once_and_no_more(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    (first,), _ = publish_to(mails, ledger, some(a_mail, range(1)), "other")
    mails.delete_records(TopicPartition(*first.noted.position[:2]), 1)
    news = [publish_to(mails, ledger, some(a_mail, range(1), source=f"drop:{n}")).known[0].is_new for n in range(4)]
    assert news == [True, False, False, False]
    assert len(stored(mails, "mails")) == 1


def test_a_lost_ledger_catches_up_while_others_append(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog,
    ledger: Ledger,
    settings: Settings,
    stored: Stored,
    a_mail: AMail,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_topic(commit_log, "mails", 1)
    some_mails = some(a_mail, range(6))
    for mail in some_mails[:5]:
        commit_log.append("mails", [mail.record("default", 10**6)])
    monkeypatch.setattr("ingest.ledger.ledger.READ_BYTES", 1)
    asked = 0
    with closing(EmbeddedLog(replace(settings.log, lock_timeout_s=0.2))) as other:

        def carry_on() -> None:
            nonlocal asked
            asked += 1
            with other.exclusive(TopicPartition("mails", 0)):
                """Nobody else holds it."""

        outgoing = [Outgoing(mail, "mails", mail.record("default", 10**6)) for mail in some_mails]
        known, _ = publish(commit_log, ledger, ["mails"], outgoing, carry_on)
    assert asked == 7, "before each of five readings, and before each lock: to learn, and to append"
    assert [each.is_new for each in known] == [False] * 5 + [True]
    assert len(stored(commit_log, "mails")) == 6


def moved_by_adding(mails: list[Mail]) -> Mail:
    """One whose key has another partition of nine than it has of four."""
    keys = {mail.sha256: mail.record("default", 10**6).key for mail in mails}
    return next(mail for mail in mails if partition_of(keys[mail.sha256] or b"", 9) >= 4)


def test_a_mail_of_a_dead_watcher_is_known_when_partitions_were_added_since(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail
) -> None:
    sent = some(a_mail, range(20), senders=20)
    publish_to(mails, ledger, sent[:1])  # the ledger of a daemon that runs on
    moved = moved_by_adding(sent[1:])
    mails.append("mails", [moved.record("default", 10**6)])  # and its appender dies before it notes that
    mails.alter_topic("mails", partitions=9)
    known, busy = publish_to(mails, ledger, [moved])
    assert busy is None
    assert [each.is_new for each in known] == [False]
    assert [record.value for record in stored(mails, "mails")].count(moved.raw) == 1


def test_partitions_added_while_a_lock_is_waited_for_make_no_second_record(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail, tmp_path: Path
) -> None:
    sent = some(a_mail, range(20), senders=20)
    publish_to(mails, ledger, sent[:1])
    moved, others = moved_by_adding(sent[1:]), iter([1])

    def carry_on() -> None:
        if next(others, None):
            mails.alter_topic("mails", partitions=9)
            with closing(Ledger(tmp_path / "other.sqlite", tmp_path / "log")) as other:
                publish_to(mails, other, [moved])

    outgoing = [Outgoing(moved, "mails", moved.record("default", 10**6))]
    known, _ = publish(mails, ledger, ["mails", "other"], outgoing, carry_on)
    assert [each.is_new for each in known] == [False]
    assert [record.value for record in stored(mails, "mails")].count(moved.raw) == 1


def test_a_ledger_made_anew_knows_mails_of_before_partitions_were_added(
    mails: CommitLog, ledger: Ledger, stored: Stored, a_mail: AMail, tmp_path: Path
) -> None:
    sent = some(a_mail, range(20), senders=20)
    publish_to(mails, ledger, sent)
    mails.alter_topic("mails", partitions=9)
    with closing(Ledger(tmp_path / "anew.sqlite", tmp_path / "log")) as anew:
        known, _ = publish_to(mails, anew, sent)
    assert not any(each.is_new for each in known)
    assert len(stored(mails, "mails")) == 20
