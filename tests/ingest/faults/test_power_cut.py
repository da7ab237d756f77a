"""Fault 46: the power fails. An ext4 file system of its own is shut down as if by that, and mounted again."""

from __future__ import annotations

import fcntl
import os
import random
import struct
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import conf
from tests.ingest.faults.conftest import ROOT, Desk, StartWatch, desk_in

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]
Needs = Callable[[str], str]

IMAGE_MIB = 96
MAILS = 300  # delivered before each cut
EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = struct.pack("I", 2)  # not even the file system's journal is written: what was not synced is gone
BOOT_ID = "/proc/sys/kernel/random/boot_id"  # by which a log knows that the machine was started anew
NEXT_BOOT = ("unshare", "--mount", "sh", "-c", f'mount --bind "$0" {BOOT_ID} && exec "$@"')
TELL = """
import sys
from pathlib import Path
import conf
from tests.ingest.faults.conftest import Desk
home = Path(sys.argv[1])
for mail, times in Desk(conf.load(home / "otclog.toml", {}), home, set()).in_log().items():
    print(mail.hex(), times)
"""


class Disk:
    """A file system in a file."""

    def __init__(self, image: Path, mount: Path) -> None:
        self._image, self.mount = image, mount
        self._boot = image.with_suffix(".boot")

    @property
    def this_boot(self) -> list[str]:
        """What a program is to be run under, to see the machine as started since the last cut."""
        return [*NEXT_BOOT, str(self._boot)]

    def cut(self) -> None:
        """As if the power failed: from now on every call to this file system fails."""
        folder = os.open(self.mount, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, NO_LOG_FLUSH)
        finally:
            os.close(folder)
        self._boot.write_text(f"{uuid.uuid4()}\n")

    @contextmanager
    def mounted(self) -> Iterator[None]:
        subprocess.run(["mount", "-o", "loop", self._image, self.mount], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", self.mount], check=True)


@pytest.fixture
def disk(needs: Needs, needs_root: None, tmp_path: Path) -> Disk:  # noqa: ARG001 -- mounting needs root
    image, mount = tmp_path / "disk.img", tmp_path / "disk"
    mount.mkdir()
    with image.open("wb") as file:
        file.truncate(IMAGE_MIB << 20)
    subprocess.run([needs("mkfs.ext4"), "-q", "-F", image], check=True)
    image.with_suffix(".boot").write_text(f"{uuid.uuid4()}\n")
    return Disk(image, mount)


def make_desk(disk: Disk) -> Desk:
    config = disk.mount / "otclog.toml"
    config.write_text('[log]\ninline_max_bytes = 20000\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n')
    return desk_in(disk.mount, conf.load(config, {}))


def cut_power(disk: Disk, start: StartWatch, a_mail: AMail, loops: int) -> str:
    """Deliver durably, let a watcher work, cut the power somewhere on its way, look at what is left; and again.

    Returns what was counted.
    """
    chance = random.Random(20261118)
    left = []
    with disk.mounted():
        desk = make_desk(disk)
    for loop in range(loops):
        with disk.mounted():
            for number in range(MAILS):
                size = 30_000 if number % 100 == 7 else 500
                raw = a_mail(loop * MAILS + number, f"d{number % 9}@x.example", size=size)
                desk.deliver(f"{loop}-{number}", raw)
            os.sync()
            watcher = start(desk, under=disk.this_boot)
            until_it_works(desk, watcher)
            time.sleep(chance.uniform(0, 0.15))
            disk.cut()
            watcher.kill()
            watcher.communicate()
        with disk.mounted():
            check(disk, desk)
            left.append(len(desk.on_disk()))
    with disk.mounted():
        assert start(desk, "--once", under=disk.this_boot).wait(120) == 0
        assert desk.on_disk() == set()
        check(disk, desk)
    assert any(left), "at least one cut must have come before the end of the work"
    return f"watch, power: {loops} cuts, with {left} of {loops * MAILS:,} mails left on disk, 0 lost"


def check(disk: Disk, desk: Desk) -> None:
    """As Desk.check, by a process of this boot."""
    command = [*disk.this_boot, sys.executable, "-c", TELL, str(desk.home)]
    told = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True).stdout
    in_log = {bytes.fromhex(mail): int(times) for mail, times in map(str.split, told.splitlines())}
    assert set(in_log.values()) <= {1}, "a mail is twice in the log"
    assert in_log.keys() | desk.on_disk() == desk.delivered


def until_it_works(desk: Desk, watcher: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    count = len(list(desk.new.iterdir()))
    while len(list(desk.new.iterdir())) == count:
        assert watcher.poll() is None
        assert time.monotonic() < end, "the watcher did not begin"
        time.sleep(0.001)


def test_when_the_power_fails_every_mail_is_in_the_log_or_on_disk(disk: Disk, start: StartWatch, a_mail: AMail) -> None:
    cut_power(disk, start, a_mail, loops=2)


@pytest.mark.parametrize(
    "loops", [pytest.param(4, id="4 cuts"), pytest.param(20, id="20 cuts", marks=pytest.mark.soak)]
)
@pytest.mark.timeout(900)
def test_however_often_the_power_fails_no_mail_is_lost(
    disk: Disk, start: StartWatch, a_mail: AMail, loops: int, record_property: Callable[[str, object], None]
) -> None:
    record_property("count", cut_power(disk, start, a_mail, loops))
