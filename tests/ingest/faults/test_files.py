"""Faults 47 to 51 and odd names: files that vanish, change, cannot be read or are no files; events that get lost."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from conf import Settings, SourceSettings
from ingest.watch import Watcher
from log import open_log
from tests.ingest.faults.conftest import Desk, StartWatch

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]
Needs = Callable[[str], str]
QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@contextmanager
def running(settings: Settings) -> Iterator[None]:
    """A watcher in a thread."""
    with closing(open_log(settings.log)) as log:
        watcher = Watcher(log, settings, lambda _: None)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            yield
        finally:
            watcher.stop()
            thread.join(60)
            assert not thread.is_alive()


def quick(desk: Desk, **changes: float) -> Settings:
    return replace(desk.settings, ingest=replace(desk.settings.ingest, **({"rescan_s": 0.2} | changes)))  # type: ignore[arg-type]


def tampering(strace: str, call: str, what: str, path: Path | None = None) -> list[str]:
    """What a program is to be run under: `what` befalls every such call (on this path, also as a name in a folder)."""
    only = ["-P", str(path), "-P", path.name] if path else []
    return [strace, "-D", "-qq", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e", f"inject={call}:{what}", *only]


def test_a_file_that_vanishes_while_it_is_opened_is_no_trouble(
    desk: Desk, start: StartWatch, needs: Needs, a_mail: AMail
) -> None:
    for number in range(5):
        desk.deliver(f"{number}", a_mail(number))
    victim = desk.new / "2"
    process = start(desk, "--once", under=tampering(needs("strace"), "openat", "delay_enter=2000000", victim))
    until(lambda: any(desk.home.glob("ledger.sqlite.watchers/*")))
    until(lambda: b'"2"' in b"".join(path.read_bytes() for path in desk.home.glob("ledger.sqlite.watchers/*")))
    victim.unlink()
    assert process.wait(60) == 0
    desk.delivered.remove(a_mail(2))
    desk.check_taken()


def test_while_somebody_else_removes_files_each_is_his_or_ours(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    watcher = start(desk)
    removed = set()
    for number in range(600):
        desk.deliver(f"{number}", a_mail(number))
        if number % 3 == 0:
            try:
                (desk.new / f"{number}").unlink()
                removed.add(a_mail(number))
            except FileNotFoundError:
                continue
    until(lambda: desk.is_empty)
    watcher.terminate()
    assert watcher.wait(30) == 0
    in_log = desk.in_log()
    assert set(in_log.values()) == {1}
    assert in_log.keys() | removed == desk.delivered


@pytest.mark.parametrize(
    ("call", "error"),
    [("openat", "EACCES"), ("openat", "EIO"), ("pread64", "EIO"), ("openat", "EMFILE")],
)
def test_a_file_that_cannot_be_read_stays_and_the_others_go(  # noqa: PLR0917 -- fixtures
    desk: Desk, start: StartWatch, needs: Needs, a_mail: AMail, call: str, error: str
) -> None:
    for number in range(5):
        desk.deliver(f"{number}", a_mail(number), time_s=number)
    process = start(desk, "--once", under=tampering(needs("strace"), call, f"error={error}", desk.new / "4"))
    _, said = process.communicate(timeout=60)
    if error == "EMFILE":
        assert process.returncode == 1, "it is not the file's fault: nothing is put off"
    else:
        assert process.returncode == 0
        assert "'4' stays for now: cannot be" in said
        assert desk.on_disk() == {a_mail(4)}
    desk.check()
    assert start(desk, "--once").wait(60) == 0
    desk.check_taken()


@pytest.mark.parametrize("call", ["/^inotify_init", "inotify_add_watch"], ids=["no queue", "no watch"])
def test_without_file_events_the_scans_find_everything(
    desk: Desk, start: StartWatch, needs: Needs, a_mail: AMail, call: str
) -> None:
    watcher = start(desk, under=tampering(needs("strace"), call, "error=ENOSPC"))
    for number in range(3):
        desk.deliver(f"{number}", a_mail(number))
        until(lambda: desk.is_empty)
    watcher.terminate()
    _, said = watcher.communicate(timeout=30)
    assert "no file events" in said
    desk.check_taken()


@pytest.mark.usefixtures("needs_root")
def test_when_the_queue_of_file_events_overflows_the_scans_find_everything(
    desk: Desk, a_mail: AMail, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    events = QUEUE.read_text()
    QUEUE.write_text("1")
    try:
        with running(quick(desk)):
            desk.deliver("first", a_mail(0))
            until(lambda: desk.is_empty)
            QUEUE.write_text(events)
            for number in range(1, 2000):
                desk.deliver(f"{number}", a_mail(number, f"d{number % 9}@x.example"))
            until(lambda: desk.is_empty)
    finally:
        QUEUE.write_text(events)
    assert "overflow" in caplog.text
    desk.check_taken()


def test_a_file_that_is_rewritten_again_and_again_is_never_taken_in_parts(desk: Desk, tmp_path: Path) -> None:
    drop = SourceSettings(path=tmp_path / "drop", kind="drop")
    settings = quick(desk, settle_s=3.0)  # no write comes so late
    settings = replace(settings, ingest=replace(settings.ingest, sources=(drop,)))
    drop.path.mkdir()
    versions = [f"From: a@b\nSubject: {number}\n\n{str(number) * 50_000}\nend".encode() for number in range(10)]
    with running(settings):
        for version in versions:
            with (drop.path / "m.eml").open("wb", buffering=0) as file:
                for at in range(0, len(version), 10_000):
                    file.write(version[at : at + 10_000])
                    time.sleep(0.01)
        until(lambda: not (drop.path / "m.eml").exists())
    in_log = desk.in_log()
    assert set(in_log) <= set(versions)
    assert in_log[versions[-1]] == 1


def test_a_file_that_grows_over_several_settling_times_is_taken_once_and_whole(
    desk: Desk, start: StartWatch, a_mail: AMail
) -> None:
    """A copy over a slow line: a pause between two writes is shorter than `settle_s`, all of it is much longer."""
    drop, settle_s = desk.home / "drop", 5.0
    drop.mkdir(mode=0o700)
    desk.config.write_text(desk.config.read_text() + f'[[ingest.sources]]\npath = "{drop}"\nkind = "drop"\n')
    raw = a_mail(1, size=50_000)
    desk.delivered.add(raw)
    watcher = start(desk, env={"OTCLOG_INGEST_SETTLE_S": str(settle_s)})
    with (drop / "slow.eml").open("wb", buffering=0) as file:
        for at in range(0, len(raw), len(raw) // 16 + 1):
            file.write(raw[at : at + len(raw) // 16 + 1])
            assert desk.in_log() == {}
            time.sleep(settle_s / 10)
    until(lambda: not (drop / "slow.eml").exists())
    watcher.terminate()
    assert watcher.wait(30) == 0
    desk.check_taken()


@pytest.mark.usefixtures("needs_root")
def test_each_odd_entry_has_its_stated_end_and_none_is_followed_or_lost(
    desk: Desk, start: StartWatch, tmp_path: Path, a_mail: AMail
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"From: a@b\n\nsecret")
    names = [b"line\nbreak", b"\xff\xfe.eml", "\u202egnp.eml".encode(), b"n" * 255, b" ", b"-rf", b"$(id)", b"a;b|c"]
    for number, name in enumerate(names):
        desk.deliver(os.fsdecode(name), a_mail(number))
    desk.deliver("empty", b"")
    desk.deliver("own", a_mail(100))
    os.link(desk.new / "own", desk.new / "second name")
    (desk.new / "link").symlink_to(secret)
    (desk.new / "dangling").symlink_to("nowhere")
    os.mkfifo(desk.new / "fifo")
    os.mknod(desk.new / "device", 0o600 | 0o020000, os.makedev(1, 3))
    (desk.new / "folder").mkdir()
    (desk.new / ".hidden").write_bytes(b"somebody's work in progress")
    (tmp_path / "theirs").write_bytes(b"another user's")
    os.chown(tmp_path / "theirs", 65534, 65534)
    os.link(tmp_path / "theirs", desk.new / "their link")

    assert start(desk, "--once").wait(60) == 0
    assert sorted(path.name for path in desk.new.iterdir()) == [".hidden", "their link"]
    failed = desk.new.parent / "failed"
    assert {path.name: path.read_text().strip() for path in failed.glob("*.reason")} == {
        "link.reason": "not a mail: a symbolic link",
        "dangling.reason": "not a mail: a symbolic link",
        "fifo.reason": "not a mail: a FIFO, socket or device",
        "device.reason": "not a mail: a FIFO, socket or device",
        "folder.reason": "not a mail: a directory",
    }
    assert (failed / "link").readlink() == secret
    assert desk.in_log() == Counter(desk.delivered)
    assert secret.read_bytes() == b"From: a@b\n\nsecret"


def test_a_mail_of_two_hundred_mebibytes_takes_little_memory(desk: Desk, start: StartWatch, a_mail: AMail) -> None:
    def watch_once() -> int:
        program = "import resource, sys, subprocess; subprocess.run(sys.argv[1:], check=True);"
        program += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        done = start(desk, "--once", under=[sys.executable, "-c", program])
        out, _ = done.communicate(timeout=200)
        return int(out.splitlines()[-1])

    desk.deliver("small", a_mail(0))
    small = watch_once()
    head = a_mail(1)
    with (desk.new.parent / "tmp" / "huge").open("wb") as file:
        file.write(head)
        file.truncate(200 << 20)
    (desk.new.parent / "tmp" / "huge").rename(desk.new / "huge")
    huge = watch_once()
    assert desk.on_disk() == set()
    assert huge - small < 40 * 1024, "KiB"
    (kept,) = (desk.settings.log.replicas[0] / "claims").glob("??/*")
    assert kept.stat().st_size == 200 << 20
