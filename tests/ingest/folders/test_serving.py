from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from conf import Settings
from ingest.accept import Intake
from ingest.folders.inbox import Inbox
from ingest.folders.mailfile import MailFile
from ingest.folders.serving import Batch, Server
from ingest.folders.shares import Shares
from log import CommitLog, NotEnoughReplicas, StoredRecord

AMail = Callable[..., bytes]
Stored = Callable[[CommitLog, str], list[StoredRecord]]


class Desk:
    """One watcher's hands, as often as there are watchers in a test."""

    def __init__(self, log: CommitLog, settings: Settings) -> None:
        self.shares = Shares(settings.ingest.ledger.with_name("watchers"))
        self.intake = Intake(log, settings)
        self.batches: list[Batch] = []
        self.asked = threading.Semaphore(0)  # how often it asked whether to carry on
        self.server = Server(self.intake, self.shares, settings, self.batches.append, self.asked.release)
        self.inbox = Inbox(replace(settings.ingest.sources[0], done="delete"), 0)

    def close(self) -> None:
        self.shares.close()
        self.intake.close()


@pytest.fixture
def desk(commit_log: CommitLog, quick: Settings) -> Iterator[Desk]:
    with closing(Desk(commit_log, quick)) as made:
        yield made


@contextmanager
def holding(desk: Desk, folder: Path, names: list[str], waiting: Desk, *, settle: bool) -> Iterator[None]:
    """These are in the desk's hands until the other one waits for them; with `settle` they go then."""
    taken = threading.Event()

    def hold() -> None:
        with desk.shares.take(str(folder), names, len(names)) as share:
            taken.set()
            for _ in ("before it takes a share", "while it waits for ours"):
                assert waiting.asked.acquire(timeout=30)
            for name in share.names if settle else []:
                (folder / name).unlink()

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(30)
    yield
    thread.join()


def test_what_another_watcher_has_in_hand_is_not_read(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog, quick: Settings, desk: Desk, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    for number in range(30):
        (folder / f"{number:02}").write_bytes(a_mail(number))
    with closing(Desk(commit_log, quick)) as other, holding(other, folder, ["00", "01"], desk, settle=True):
        assert not desk.server.serve(desk.inbox).more
    assert sum(batch.published for batch in desk.batches) == len(stored(commit_log, "mails")) == 28


def test_newer_files_wait_for_older_ones_that_another_watcher_left(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog, quick: Settings, desk: Desk, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    for number in range(4):
        (folder / f"{number}").write_bytes(a_mail(number))
        os.utime(folder / f"{number}", (number, number))
    with closing(Desk(commit_log, quick)) as other, holding(other, folder, ["0", "1"], desk, settle=False):
        assert desk.server.serve(desk.inbox).more, "the older ones are to be looked for again"
        assert desk.batches == []
    desk.server.serve(desk.inbox)
    assert [record.value for record in stored(commit_log, "mails")] == [a_mail(number) for number in range(4)]


def test_about_batch_bytes_are_held_at_once(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail
) -> None:
    for number in range(10):
        (folder / f"{number}").write_bytes(a_mail(number, size=1000))
    own = replace(quick, ingest=replace(quick.ingest, batch_bytes=2500))
    with closing(Desk(commit_log, own)) as desk:
        desk.server.serve(desk.inbox)
        assert [batch.mails for batch in desk.batches] == [3, 3, 3, 1]


def test_what_cannot_go_to_failed_stays_and_keeps_no_mail_waiting(
    commit_log: CommitLog, desk: Desk, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    (folder.parent / "failed").write_bytes(b"in the way")
    (folder / "link").symlink_to("m")
    (folder / "m").write_bytes(a_mail(1))
    desk.server.serve(desk.inbox)
    assert (folder / "link").is_symlink()
    assert [record.value for record in stored(commit_log, "mails")] == [a_mail(1)]
    desk.server.serve(desk.inbox)
    assert [batch.failed for batch in desk.batches] == [0]


def test_a_large_mail_that_cannot_be_published_is_closed_once(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    close = MailFile.close

    def counted(file: MailFile) -> None:
        closed.append(file.file or 0)
        close(file)

    def refuse(*_: object) -> None:
        raise NotEnoughReplicas("not now")

    monkeypatch.setattr(MailFile, "close", counted)
    for number in range(3):
        (folder / f"{number}").write_bytes(a_mail(number))
    with closing(Desk(commit_log, replace(quick, log=replace(quick.log, inline_max_bytes=10)))) as desk:
        monkeypatch.setattr(desk.intake, "accept", refuse)
        with pytest.raises(NotEnoughReplicas):
            desk.server.serve(desk.inbox)
    assert len(closed) == len(set(closed)) > 0


def test_what_became_of_mails_is_counted_by_the_source_that_the_settings_name(
    desk: Desk, quick: Settings, a_mail: AMail
) -> None:
    root = quick.ingest.sources[0].path
    below = Inbox(replace(quick.ingest.sources[0], path=root / "below", done="delete"), 0, below=root)
    for number, inbox in enumerate([desk.inbox, below, below]):
        inbox.folder.mkdir(parents=True, exist_ok=True)
        (inbox.folder / f"one-{number}").write_bytes(a_mail(min(number, 1)))
    (below.folder / "link").symlink_to("one-1")
    before = [counted(desk.inbox.name, outcome) for outcome in ("published", "known", "failed")]
    desk.server.serve(desk.inbox)
    desk.server.serve(below)
    assert {each.source for each in desk.batches} == {desk.inbox.name, below.name}
    after = [counted(desk.inbox.name, outcome) for outcome in ("published", "known", "failed")]
    assert [now - then for now, then in zip(after, before, strict=True)] == [2.0, 1.0, 1.0]
    assert counted(below.name, "published") == 0.0
    assert REGISTRY.get_sample_value("otclog_ingest_batch_seconds_count", {"source": desk.inbox.name}) == 2.0


def counted(source: str, outcome: str) -> float:
    return REGISTRY.get_sample_value("otclog_ingest_mails_total", {"source": source, "outcome": outcome}) or 0.0
