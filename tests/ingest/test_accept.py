from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conf import RouteSettings, Settings
from ingest.accept import Intake
from ingest.journal import JOURNAL
from ingest.ledger.file import LedgerUnavailable
from ingest.mail import Mail
from ingest.publish import publish
from log import CommitLog, LogUnusable, NotEnoughReplicas, StoredRecord, UnknownTopic
from log.claims import Claim, NotTheClaim, claim_of, clean_claims, open_claims
from log.claims.index import CLAIMS_PARTITION, needed
from log.claims.places import FolderPlace
from log.reading import records_of

AMail = Callable[..., bytes]
Stored = Callable[[CommitLog, str], list[StoredRecord]]
OpenIntake = Callable[..., Intake]

ROUTES = (
    RouteSettings(name="axes", topic="axes", headers={"subject": "run 7$"}),
    RouteSettings(name="ads", drop="advertisement", headers={"subject": "run 8$"}),
)


@pytest.fixture
def open_intake(commit_log: CommitLog, settings: Settings) -> Iterator[OpenIntake]:
    """An intake with the routes, small mails inline; `topic` and other settings of `[ingest]` may be given."""
    opened: list[Intake] = []

    def open_(topic: str | None = None, **changes: Any) -> Intake:
        ingest = replace(settings.ingest, **({"routes": ROUTES} | changes))
        own = replace(settings, ingest=ingest, log=replace(settings.log, inline_max_bytes=1000))
        opened.append(Intake(commit_log, own, topic=topic))
        return opened[-1]

    yield open_
    for intake in opened:
        intake.close()


def mail(raw: bytes, source: str = "lmtp", name: str = "1") -> Mail:
    return Mail.of(raw, source, name, 1_795_000_000 * 10**9)


def journal(stored: Stored, log: CommitLog) -> list[dict[str, Any]]:
    return [json.loads(record.value or b"") for record in stored(log, JOURNAL)]


def test_each_mail_goes_where_the_rules_say_and_the_receipt_says_where(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    receipts, changed, busy = open_intake().accept([mail(a_mail(number)) for number in (6, 7, 8)])
    assert [(each.position and each.position.topic, each.is_new) for each in receipts] == [
        ("mails", True),
        ("axes", True),
        (None, False),
    ]
    assert (changed, busy) == ([], None)
    assert [record.value for record in stored(commit_log, "axes")] == [a_mail(7)]
    assert [dict(record.headers)["route"] for record in stored(commit_log, "axes")] == [b"axes"]
    assert [dict(record.headers)["route"] for record in stored(commit_log, "mails")] == [b"default"]


def test_topics_of_mails_are_made_as_such_so_that_they_are_never_compacted(
    commit_log: CommitLog, open_intake: OpenIntake
) -> None:
    open_intake().make_topics()
    made = set(commit_log.topics()) - {JOURNAL}
    assert {topic for topic in made if commit_log.topic_config(topic).mail} == made
    with pytest.raises(LogUnusable, match="cannot be compacted"):
        commit_log.alter_topic("mails", config=replace(commit_log.topic_config("mails"), cleanup="compact"))


def test_a_dropped_mail_leaves_a_line_in_the_journal_and_no_record(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    open_intake().accept([mail(a_mail(8), "drop:/in", "ad.eml")])
    (line,) = journal(stored, commit_log)
    assert (line["what"], line["route"], line["reason"]) == ("dropped", "ads", "advertisement")
    assert (line["source"], line["file"]) == ("drop:/in", "ad.eml")
    assert line["sha256"] == hashlib.sha256(a_mail(8)).hexdigest()
    assert stored(commit_log, "mails") == []


def test_a_second_source_of_a_mail_is_a_line_in_the_journal_and_no_record(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    intake = open_intake()
    (first,), _, _ = intake.accept([mail(a_mail(1))])
    (again,), _, _ = intake.accept([mail(a_mail(1), "drop:/in", "copy.eml")])
    assert (again.position, again.is_new) == (first.position, False)
    (line,) = journal(stored, commit_log)
    assert (line["what"], line["source"], line["file"]) == ("again", "drop:/in", "copy.eml")
    assert first.position is not None
    assert (line["topic"], line["partition"], line["offset"]) == first.position
    assert len(stored(commit_log, "mails")) == 1


def test_two_files_of_one_mail_in_one_batch_are_a_record_and_a_line(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    open_intake().accept([mail(a_mail(1), name="a"), mail(a_mail(1), name="b")])
    assert len(stored(commit_log, "mails")) == 1
    assert [line["file"] for line in journal(stored, commit_log)] == ["b"]


def test_a_file_that_a_crash_left_over_is_no_second_source(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    for _ in range(2):
        open_intake().accept([mail(a_mail(1), "drop:/in", "m.eml")])
    assert journal(stored, commit_log) == []
    assert len(stored(commit_log, "mails")) == 1


def test_a_large_mail_is_in_the_claim_store_before_its_claim_is_in_the_log(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    raw = a_mail(1, size=5000)
    open_intake().accept([mail(raw), mail(a_mail(2))])
    by_size = sorted(stored(commit_log, "mails"), key=lambda record: claim_of(record) is None)
    claim = claim_of(by_size[0])
    assert claim is not None
    assert open_claims(settings.log).read(claim) == raw
    assert by_size[1].value == a_mail(2)


def test_a_large_mail_without_room_for_its_claim_is_not_in_the_log_and_the_others_are(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    intake = open_intake()
    for replica in settings.log.replicas[:2]:
        (replica / "claims").write_bytes(b"in the way")
    large, small = mail(a_mail(1, size=5000)), mail(a_mail(2))
    receipts, [(stayed, why)], busy = intake.accept([large, small])
    assert (stayed, [receipt.mail for receipt in receipts], busy) == (large, [small], None)
    assert isinstance(why, NotEnoughReplicas)
    assert [record.value for record in stored(commit_log, "mails")] == [a_mail(2)]


def test_a_large_mail_that_comes_again_mends_its_damaged_claim_before_it_has_its_receipt(
    settings: Settings, open_intake: OpenIntake, a_mail: AMail
) -> None:
    large = mail(a_mail(1, size=5000))
    open_intake().accept([large])
    for replica in settings.log.replicas:
        (copy,) = (replica / "claims").glob("??/*")
        copy.write_bytes(bytes(large.size))
    (again,), _, _ = open_intake().accept([large])
    assert not again.is_new
    assert open_claims(settings.log).lacks(large.claim) is None


def test_a_claim_that_is_cleaned_away_before_its_record_is_appended_is_put_again_before_the_receipt(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, store, removed = mail(a_mail(1, size=5000)), open_claims(settings.log), []

    def publish_late(*args: Any) -> Any:
        """The clock was set meanwhile, or it took hours."""
        removed.append(clean_claims(commit_log, store, grace_s=-1.0).removed)
        return publish(*args)

    monkeypatch.setattr("ingest.accept.publish", publish_late)
    ((receipt,), _, _) = open_intake().accept([large])
    assert removed == [3]
    assert receipt.is_new
    assert store.lacks(large.claim) is None


def test_cleaning_that_looked_for_records_before_the_append_does_not_remove_the_claim_after_the_receipt(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, store, intake = mail(a_mail(1, size=5000)), open_claims(settings.log), open_intake()
    intake.make_topics()
    store.put(large.claim, large.chunks)

    def looks_then_waits(log: CommitLog, grace_s: float, progress: Callable[[], None]) -> dict[str, Claim]:
        found = needed(log, grace_s, progress)
        intake.accept([large])
        return found

    monkeypatch.setattr("log.claims.cleaning.needed", looks_then_waits)
    assert clean_claims(commit_log, store, grace_s=-1.0).removed == 0
    assert store.lacks(large.claim) is None


def test_no_large_mail_goes_where_another_log_has_its_claims(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    intake = open_intake()
    place = settings.log.replicas[1] / "claims"
    FolderPlace(place).own("another")
    with pytest.raises(LogUnusable, match="those of log another"):
        intake.accept([mail(a_mail(1, size=5000))])
    assert stored(commit_log, "mails") == []
    assert list(place.glob("??")) == []


def test_a_large_mail_that_changes_while_it_is_read_gets_no_receipt_and_the_others_do(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    large = replace(mail(a_mail(1, size=5000), name="large"), raw=None, chunks=lambda: iter((b"other",)))
    receipts, unclaimed, _ = open_intake().accept([large, mail(a_mail(2))])
    assert [receipt.mail.raw for receipt in receipts] == [a_mail(2)]
    assert [(each.mail, type(each.why)) for each in unclaimed] == [(large, NotTheClaim)]
    assert [record.value for record in stored(commit_log, "mails")] == [a_mail(2)]


def test_another_default_topic_may_be_given_and_what_the_log_has_stays_one(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    open_intake().accept([mail(a_mail(1))])
    receipts, _, _ = open_intake(topic="backfill").accept([mail(a_mail(1)), mail(a_mail(2)), mail(a_mail(7))])
    assert [receipt.position and receipt.position.topic for receipt in receipts] == ["mails", "backfill", "axes"]
    assert len(stored(commit_log, "mails")) == 1


def test_a_mail_that_was_forgotten_is_taken_once_more_and_then_is_known_again(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    intake = open_intake()
    (first,), _, _ = intake.accept([mail(a_mail(1))])
    assert intake.forget(first.mail.sha256) == [first.position]
    assert intake.forget(first.mail.sha256) == [], "there is nothing more to forget"
    (second,), _, _ = intake.accept([mail(a_mail(1))])
    (third,), _, _ = intake.accept([mail(a_mail(1))])
    assert (second.is_new, third.is_new) == (True, False)
    assert third.position == second.position
    assert len(stored(commit_log, "mails")) == 2


def test_what_was_forgotten_stays_so_when_the_ledger_is_lost(
    settings: Settings, open_intake: OpenIntake, a_mail: AMail
) -> None:
    intake = open_intake()
    intake.accept([mail(a_mail(1)), mail(a_mail(2))])
    intake.forget(mail(a_mail(1)).sha256)
    intake.close()
    for file in settings.ingest.ledger.parent.glob("ledger.sqlite*"):
        file.unlink() if file.is_file() else None
    receipts, _, _ = open_intake().accept([mail(a_mail(1)), mail(a_mail(2))])
    assert [receipt.is_new for receipt in receipts] == [True, False]


def test_to_forget_what_is_not_known_does_nothing(
    commit_log: CommitLog, open_intake: OpenIntake, stored: Stored
) -> None:
    assert open_intake().forget("ab" * 32) == []
    assert journal(stored, commit_log) == []


@pytest.mark.parametrize("topic", ["mails", JOURNAL])
def test_a_topic_that_was_deleted_meanwhile_is_made_again_when_the_mails_are_given_again(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail, stored: Stored, topic: str
) -> None:
    intake = open_intake()
    intake.accept([mail(a_mail(1))])
    commit_log.delete_topic(topic)
    mails = [mail(a_mail(2)), mail(a_mail(8))]
    with pytest.raises(UnknownTopic):
        intake.accept(mails)
    assert len(intake.accept(mails).receipts) == 2
    assert a_mail(2) in {record.value for record in stored(commit_log, "mails")}
    assert len(journal(stored, commit_log)) > 0


def test_an_intake_that_gives_up_has_appended_nothing(
    commit_log: CommitLog, settings: Settings, a_mail: AMail, stored: Stored, tmp_path: Path
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    assert tmp_path.exists()
    with closing(Intake(commit_log, settings, carry_on=stop)) as intake:
        intake.make_topics()
        with pytest.raises(KeyboardInterrupt):
            intake.accept([mail(a_mail(1))])
    assert stored(commit_log, "mails") == []


def test_a_ledger_damaged_meanwhile_knows_every_partition_again_before_a_mail_is_taken(
    commit_log: CommitLog, settings: Settings, open_intake: OpenIntake, a_mail: AMail, stored: Stored
) -> None:
    mails = [mail(a_mail(number)) for number in range(20)]
    first = open_intake(routes=())
    first.accept(mails)
    commit_log.alter_topic("mails", 3 * len(commit_log.describe("mails")))  # another partition for many of the keys
    path = settings.ingest.ledger
    for file in path.parent.glob(f"{path.name}*"):
        file.write_bytes(b"SQLite format 3\0" + b"damaged" * 2000)
    for _ in range(3):
        try:
            first.accept(mails)
        except LedgerUnavailable:
            continue
    assert len(stored(commit_log, "mails")) == 20


def test_a_topic_that_takes_less_than_a_mail_may_have_is_refused_before_the_first_one(
    commit_log: CommitLog, open_intake: OpenIntake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(commit_log), "value_limit", lambda _, topic: 900 if topic == "mails" else 10**6)
    with pytest.raises(LogUnusable, match="topic mails takes mails of 900 bytes at most: lower inline_max_bytes"):
        open_intake().make_topics()


def test_a_large_mail_is_in_the_index_of_claims_where_its_record_is(
    commit_log: CommitLog, open_intake: OpenIntake, a_mail: AMail
) -> None:
    large = mail(a_mail(1, size=2000))
    (receipt,), _, _ = open_intake().accept([large])
    last = [json.loads(each.value or b"") for each in records_of(commit_log, CLAIMS_PARTITION)][-1]
    assert receipt.position is not None
    assert (last["partition"], last["offset"], last["size"]) == (*receipt.position[1:], large.size)
