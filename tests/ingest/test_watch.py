from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from watchdog.events import FileCreatedEvent, FileMovedEvent

from conf import RouteSettings, Settings, SourceSettings
from ingest.folders.done import put_aside
from ingest.folders.serving import Batch
from ingest.watch import Watcher, _WakeUp
from log import CommitLog, NotEnoughReplicas, StoredRecord
from log.claims import claim_of, open_claims
from log.embedded import EmbeddedLog
from tests.partitions import partition_for

Stored = Callable[[CommitLog, str], list[StoredRecord]]
AMail = Callable[..., bytes]


def nothing(_: Batch) -> None:
    """Nobody listens."""


def ingest(settings: Settings, **changes: Any) -> Settings:
    return replace(settings, ingest=replace(settings.ingest, **changes))


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@contextmanager
def running(log: CommitLog, settings: Settings) -> Iterator[Watcher]:
    watcher = Watcher(log, settings, nothing)
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        yield watcher
    finally:
        watcher.stop()
        thread.join(60)
        assert not thread.is_alive()


def deliver(folder: Path, name: str, raw: bytes) -> None:
    """As a delivery agent does: written in tmp, renamed to new."""
    (folder.parent / "tmp" / name).write_bytes(raw)
    (folder.parent / "tmp" / name).rename(folder / name)


def values(stored: Stored, log: CommitLog) -> list[bytes | None]:
    return [record.value for record in stored(log, "mails")]


def test_existing_mails_are_taken_oldest_first_and_their_files_go(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    for number in (3, 1, 2):
        (folder / f"z{9 - number}").write_bytes(a_mail(number))
        os.utime(folder / f"z{9 - number}", (1_700_000_000 + number,) * 2)
    batches: list[Batch] = []
    Watcher(commit_log, quick, batches.append).run_once()
    assert values(stored, commit_log) == [a_mail(1), a_mail(2), a_mail(3)]
    assert list(folder.iterdir()) == []
    assert [(batch.mails, batch.published, batch.failed) for batch in batches] == [(3, 3, 0)]


def test_new_mails_follow_existing_ones(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    (folder / "existing").write_bytes(a_mail(0))
    with running(commit_log, quick):
        until(lambda: not list(folder.iterdir()))
        for number in range(1, 6):
            deliver(folder, f"m{number}", a_mail(number))
            until(lambda: not list(folder.iterdir()))
    assert values(stored, commit_log) == [a_mail(number) for number in range(6)]


def test_a_file_event_wakes_the_watcher_long_before_the_next_rescan(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail
) -> None:
    (folder / "existing").write_bytes(a_mail(0))
    with running(commit_log, ingest(quick, rescan_s=600)):
        until(lambda: not list(folder.iterdir()))  # the first scan is over
        deliver(folder, "m", a_mail(1))
        until(lambda: not list(folder.iterdir()))


def test_a_mail_dropped_twice_is_one_record(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    for name in ("a", "b"):
        (folder / name).write_bytes(a_mail(1))
    Watcher(commit_log, quick, nothing).run_once()
    (folder / "a").write_bytes(a_mail(1))
    Watcher(commit_log, quick, nothing).run_once()
    assert values(stored, commit_log) == [a_mail(1)]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("done", ["delete", "move", "keep"])
def test_a_second_name_of_a_file_is_one_record_and_one_line_in_the_journal(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored, done: str
) -> None:
    names = {f"m{number}" for number in range(20)}  # more than threads that delete
    (folder / "m0").write_bytes(a_mail(1))
    for name in names - {"m0"}:
        (folder / name).hardlink_to(folder / "m0")
    for _ in range(2):
        Watcher(commit_log, ingest(quick, done=done), nothing).run_once()
    assert values(stored, commit_log) == [a_mail(1)]
    assert len(stored(commit_log, "ingest-journal")) == len(names) - 1
    assert {path.name for path in folder.iterdir()} == (names if done == "keep" else set())


def test_done_mails_are_moved_if_so_set(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    (folder / "m").write_bytes(a_mail(1))
    Watcher(commit_log, ingest(quick, done="move"), nothing).run_once()
    assert (folder.parent / "done" / "m").read_bytes() == a_mail(1)
    assert values(stored, commit_log) == [a_mail(1)]


def test_odd_entries_are_put_aside_and_keep_no_mail_waiting(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "fifo")
    (folder / "directory").mkdir()
    (folder / "big").write_bytes(a_mail(1, size=5000))
    (folder / "empty").write_bytes(b"")
    (folder / "line\nbreak\u202e.eml").write_bytes(a_mail(2))
    Watcher(commit_log, ingest(quick, max_mail_bytes=4000), nothing).run_once()
    failed = folder.parent / "failed"
    assert sorted(path.name for path in failed.glob("*.reason")) == [
        "big.reason",
        "directory.reason",
        "fifo.reason",
        "link.reason",
    ]
    assert "max_mail_bytes" in (failed / "big.reason").read_text()
    assert (failed / "big").read_bytes() == a_mail(1, size=5000)
    assert (failed / "link").is_symlink()
    assert (failed / "fifo").is_fifo()
    assert sorted(values(stored, commit_log), key=repr) == sorted([b"", a_mail(2)], key=repr)
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_growing_file_is_published_once_when_it_is_whole(
    commit_log: CommitLog, quick: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    drop = tmp_path / "drop"
    drop.mkdir()
    whole = a_mail(1, size=8000)
    with running(commit_log, ingest(quick, settle_s=2.5, sources=(SourceSettings(path=drop, kind="drop"),))):
        with (drop / "m.eml").open("wb") as slow:
            for start in range(0, len(whole), 80):
                slow.write(whole[start : start + 80])
                slow.flush()
                time.sleep(0.03)  # far less than settle_s, and all of it is longer
        until(lambda: not (drop / "m.eml").exists())
    assert values(stored, commit_log) == [whole]


def test_once_leaves_a_file_that_does_not_settle(
    commit_log: CommitLog, quick: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    drop = tmp_path / "drop"
    drop.mkdir()
    (drop / "settled.eml").write_bytes(a_mail(1))
    stop = threading.Event()

    def grow() -> None:
        with (drop / "growing.eml").open("wb", buffering=0) as file:
            while not stop.wait(0.01):
                file.write(b"more")

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        sources = (SourceSettings(path=drop, kind="drop"),)
        Watcher(commit_log, ingest(quick, settle_s=3.0, sources=sources), nothing).run_once()
    finally:
        stop.set()
        writer.join()
    assert values(stored, commit_log) == [a_mail(1)]
    assert [path.name for path in drop.iterdir()] == ["growing.eml"]


@pytest.mark.slow
def test_while_the_log_cannot_take_mails_the_files_stay_and_then_go(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog,
    settings: Settings,
    quick: Settings,
    folder: Path,
    a_mail: AMail,
    stored: Stored,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (folder / "first").write_bytes(a_mail(0))
    Watcher(commit_log, quick, nothing).run_once()
    for number in range(1, 4):
        (folder / f"m{number}").write_bytes(a_mail(number))
    with closing(EmbeddedLog(settings.log)) as other, running(commit_log, quick):
        with other.exclusive(partition_for(other, "mails", b"desk@dealer.example")):
            until(lambda: caplog.text.count("the files stay") > 1)
            assert len(list(folder.iterdir())) == 3
        until(lambda: not list(folder.iterdir()))
    assert sorted(values(stored, commit_log), key=repr) == sorted((a_mail(n) for n in range(4)), key=repr)


def test_with_too_few_replicas_once_fails_as_retriable_and_loses_nothing(
    commit_log: CommitLog, settings: Settings, quick: Settings, folder: Path, a_mail: AMail
) -> None:
    (folder / "m0").write_bytes(a_mail(0))
    Watcher(commit_log, quick, nothing).run_once()
    (folder / "m1").write_bytes(a_mail(1))
    aside = [replica.with_name(replica.name + ".gone") for replica in settings.log.replicas[1:]]
    for replica, gone in zip(settings.log.replicas[1:], aside, strict=True):
        replica.rename(gone)
    with closing(EmbeddedLog(settings.log)) as broken, pytest.raises(NotEnoughReplicas):
        Watcher(broken, quick, nothing).run_once()
    assert (folder / "m1").read_bytes() == a_mail(1)


def test_once_raises_the_first_error_and_promises_no_other_try(
    commit_log: CommitLog, quick: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sources = tuple(SourceSettings(path=tmp_path / name / "gone", kind="drop") for name in ("one", "two"))
    with pytest.raises(OSError, match="no such folder") as raised:
        Watcher(commit_log, ingest(quick, sources=sources), nothing).run_once()
    assert raised.value.filename == str(tmp_path / "one" / "gone")
    (told,) = (record.message for record in caplog.records if record.levelname == "WARNING")
    assert told.startswith(f"drop:{tmp_path}/two/gone: {tmp_path}/two/gone: no such folder")
    assert "next try" not in told


def test_several_folders_are_served_and_each_record_says_from_which(
    commit_log: CommitLog, quick: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    sources = tuple(SourceSettings(path=tmp_path / name, kind="maildir") for name in ("one", "two"))
    for number, source in enumerate(sources):
        (source.path / "new").mkdir(parents=True)
        (source.path / "new" / "m").write_bytes(a_mail(number))
    Watcher(commit_log, ingest(quick, sources=sources), nothing).run_once()
    told = {record.value: dict(record.headers)["source"].decode() for record in stored(commit_log, "mails")}
    assert told == {a_mail(0): f"maildir:{tmp_path}/one", a_mail(1): f"maildir:{tmp_path}/two"}


def test_a_folder_that_vanishes_and_comes_back_is_served_again(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog,
    quick: Settings,
    folder: Path,
    a_mail: AMail,
    stored: Stored,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (folder / "m").write_bytes(a_mail(0))
    with running(commit_log, quick):
        until(lambda: not list(folder.iterdir()))
        folder.rmdir()
        until(lambda: "no such folder: mount its disk" in caplog.text)
        folder.mkdir()
        deliver(folder, "m", a_mail(1))
        until(lambda: not list(folder.iterdir()))
    assert values(stored, commit_log) == [a_mail(0), a_mail(1)]


def test_a_replica_that_was_lost_comes_back_while_mails_are_taken(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.tending.EVERY_S", 0.1)
    with running(commit_log, quick):
        until((folder.parent / "tmp").exists)
        deliver(folder, "m", a_mail(0))
        until(lambda: not list(folder.iterdir()))
        quick.log.replicas[2].rename(folder.parent / "gone")  # at once: what tends the log may be writing there
        deliver(folder, "m", a_mail(1))
        until(lambda: not list(folder.iterdir()))
        until(lambda: any(file.stat().st_size for file in quick.log.replicas[2].glob("mails-*/*.log")))
        until(lambda: {len(each.isr) for each in commit_log.describe("mails")} == {3})


def test_a_folder_that_makes_trouble_delays_no_other(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog, quick: Settings, tmp_path: Path, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    (tmp_path / "in the way").write_bytes(b"a file")
    trouble = SourceSettings(path=tmp_path / "in the way" / "mail", kind="maildir")
    sources = (trouble, *quick.ingest.sources)
    with running(commit_log, ingest(quick, sources=sources)):
        until((folder.parent / "tmp").exists)
        for number in range(5):
            deliver(folder, "m", a_mail(number))
            until(lambda: not list(folder.iterdir()), 10)
    assert len(values(stored, commit_log)) == 5


def test_a_backlog_larger_than_a_scan_is_taken_whole(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    for number in range(130):
        (folder / f"m{number}").write_bytes(a_mail(number, f"d{number}@x.example"))
    Watcher(commit_log, ingest(quick, batch_mails=2), nothing).run_once()
    assert len(set(values(stored, commit_log))) == 130


def test_files_that_are_kept_are_taken_once_also_after_a_restart(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    keep = ingest(quick, done="keep")
    taken: list[Batch] = []
    (folder / "a").write_bytes(a_mail(1))
    Watcher(commit_log, keep, taken.append).run_once()
    (folder / "b").write_bytes(a_mail(2))
    for _ in range(2):
        Watcher(commit_log, keep, taken.append).run_once()
    assert [batch.mails for batch in taken] == [1, 1], "no file was read twice"
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]
    (folder / "a").write_bytes(a_mail(3))
    Watcher(commit_log, keep, taken.append).run_once()
    assert values(stored, commit_log) == [a_mail(1), a_mail(2), a_mail(3)]


def test_a_large_mail_goes_to_the_claim_store_and_its_file_goes(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    settings = replace(quick, log=replace(quick.log, inline_max_bytes=100_000))
    large = a_mail(1, size=3_000_000)
    (folder / "large").write_bytes(large)
    (folder / "small").write_bytes(a_mail(2))
    Watcher(commit_log, settings, nothing).run_once()
    assert list(folder.iterdir()) == []
    by_size = {claim_of(record): record.value for record in stored(commit_log, "mails")}
    assert by_size.pop(None) == a_mail(2)
    (claim,) = filter(None, by_size)
    assert open_claims(settings.log).read(claim) == large


def test_a_large_mail_without_room_for_its_claim_stays_and_the_others_go(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    settings = replace(
        quick, log=replace(quick.log, inline_max_bytes=100_000), ingest=replace(quick.ingest, batch_mails=2)
    )
    large = a_mail(1, size=3_000_000)
    (folder / "large").write_bytes(large)
    for number in range(2, 9):
        (folder / f"small-{number}").write_bytes(a_mail(number))
    for replica in quick.log.replicas[:2]:
        (replica / "claims").write_bytes(b"in the way")
    with pytest.raises(NotEnoughReplicas, match="places of the claim store"):
        Watcher(commit_log, settings, nothing).run_once()
    assert [path.name for path in folder.iterdir()] == ["large"]
    assert len(values(stored, commit_log)) == 7
    for replica in quick.log.replicas[:2]:
        (replica / "claims").unlink()
    Watcher(commit_log, settings, nothing).run_once()
    assert list(folder.iterdir()) == []


def test_a_tree_of_folders_is_served_with_what_is_put_aside_beside_its_files(
    commit_log: CommitLog, quick: Settings, tmp_path: Path, a_mail: AMail, stored: Stored
) -> None:
    source = SourceSettings(path=tmp_path / "drop", kind="drop", recursive=True, done="move")
    deep = tmp_path / "drop" / "a" / "b"
    deep.mkdir(parents=True)
    with running(commit_log, ingest(quick, sources=(source,))):
        (deep / "m.eml").write_bytes(a_mail(1))
        (deep / "link").symlink_to("m.eml")
        until((deep / "done" / "m.eml").exists)
        until((deep / "failed" / "link.reason").exists)
        (tmp_path / "drop" / "c").mkdir()
        (tmp_path / "drop" / "c" / "late.eml").write_bytes(a_mail(2))
        until((tmp_path / "drop" / "c" / "done" / "late.eml").exists)
    told = [dict(record.headers)["source"].decode() for record in stored(commit_log, "mails")]
    assert sorted(told) == [f"drop:{deep}", f"drop:{tmp_path}/drop/c"]


def test_a_dropped_mail_goes_the_way_of_the_others_and_is_counted(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, stored: Stored
) -> None:
    routes = (RouteSettings(name="ads", drop="advertisement", headers={"subject": "run 1"}),)
    for number in range(3):
        (folder / f"{number}").write_bytes(a_mail(number))
    taken: list[Batch] = []
    Watcher(commit_log, ingest(quick, routes=routes), taken.append).run_once()
    assert [(batch.mails, batch.published, batch.dropped) for batch in taken] == [(3, 2, 1)]
    assert list(folder.iterdir()) == []
    assert [record.value for record in stored(commit_log, "mails")] == [a_mail(0), a_mail(2)]


def test_an_observer_event_in_a_tree_of_maildirs_counts_only_in_new() -> None:
    woken: list[None] = []
    handler = _WakeUp(lambda: woken.append(None), "new")
    handler.on_any_event(FileCreatedEvent("/mail/.box/tmp/m"))
    handler.on_any_event(FileMovedEvent("/mail/.box/new/m", "/mail/.box/cur/m"))
    handler.on_any_event(FileMovedEvent("/mail/.box/new/m", "/mail/.box/new/.otclog.1"))
    assert not woken
    handler.on_any_event(FileMovedEvent("/mail/.box/tmp/m", "/mail/.box/new/m"))
    assert len(woken) == 1


def test_a_mail_that_replaces_a_link_at_the_last_moment_is_taken_as_a_mail(  # noqa: PLR0917 -- fixtures
    commit_log: CommitLog,
    quick: Settings,
    folder: Path,
    a_mail: AMail,
    stored: Stored,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*arguments: Any) -> Any:
        deliver(folder, "m", a_mail(1))
        return put_aside(*arguments)

    monkeypatch.setattr("ingest.folders.serving.put_aside", late)
    (folder / "m").symlink_to("/etc/passwd")
    batches: list[Batch] = []
    for _ in range(2):
        Watcher(commit_log, quick, batches.append).run_once()
    assert values(stored, commit_log) == [a_mail(1)]
    assert sum(batch.failed for batch in batches) == 0
    assert not (folder.parent / "failed").exists()
    assert list(folder.iterdir()) == []


def test_it_beats_while_it_rests_and_amid_a_large_mail_and_not_while_a_pass_hangs(
    commit_log: CommitLog, quick: Settings, folder: Path, a_mail: AMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.watch.BEAT_S", 0.01)
    settings = ingest(replace(quick, log=replace(quick.log, inline_max_bytes=100_000)), rescan_s=3600.0)
    large = 20 << 20  # twice read in pieces of 1 MiB: for its digest, and into the claim store
    beats: list[float] = []
    hanging, go_on = threading.Event(), threading.Event()

    def hang(_: Batch) -> None:
        hanging.set()
        assert go_on.wait(60)

    watcher = Watcher(commit_log, settings, hang, lambda: beats.append(time.monotonic()))
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        until(lambda: len(beats) > 10)  # nothing comes, and nobody looks for an hour
        before = len(beats)
        deliver(folder, "large", a_mail(1, size=large))
        assert hanging.wait(60)
        assert len(beats) - before > 2 * 20
        in_hand = len(beats)
        time.sleep(0.3)
        assert len(beats) == in_hand
        go_on.set()
        until(lambda: len(beats) > in_hand + 10)
    finally:
        go_on.set()
        watcher.stop()
        thread.join(60)
    assert not thread.is_alive()
