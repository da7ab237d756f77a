"""Real power cuts: an ext4 file system on a loop device is shut down under the appender, without flushing anything."""

from __future__ import annotations

import fcntl
import os
import random
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conf.settings import LogSettings
from log.embedded import EmbeddedLog
from tests.log.copies import check_copies_are_equal

EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
IMAGE_BYTES = 256 * 2**20  # sparse; 200 cuts fill a good part of it


class Machine:
    """A file system whose power can be cut."""

    def __init__(self, folder: Path) -> None:
        self._image, self.disk = folder / "disk.img", folder / "mounted"
        self.disk.mkdir()
        with self._image.open("wb") as file:
            file.truncate(IMAGE_BYTES)
        subprocess.run(["mkfs.ext4", "-q", self._image], check=True)
        self.boot()

    def boot(self) -> None:
        """Mount what is on the disk."""
        subprocess.run(["mount", "-o", "loop", self._image, self.disk], check=True)

    def cut(self) -> None:
        """From here on every operation fails, and nothing more reaches the disk."""
        fd = os.open(self.disk, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(fd)

    def off(self) -> None:
        """No process may use the disk any more."""
        subprocess.run(["umount", self.disk], check=True)


@pytest.fixture
def machine(needs: Callable[..., None], tmp_path: Path) -> Iterator[Machine]:
    needs("mkfs.ext4", "mount", "umount", root=True)
    machine = Machine(tmp_path)
    yield machine
    subprocess.run(["umount", "-l", machine.disk], check=False, capture_output=True)


@pytest.mark.parametrize(
    "cuts",
    [
        pytest.param(10, id="10 cuts", marks=pytest.mark.slow),
        pytest.param(200, id="200 cuts", marks=pytest.mark.soak),
    ],
)
@pytest.mark.timeout(3600)
def test_nothing_acknowledged_is_lost_by_a_power_cut(  # noqa: PLR0917  fixtures
    machine: Machine,
    options: LogSettings,
    settings_on: Callable[..., LogSettings],
    start_appender: Callable[..., Any],
    history: Any,
    reboot: Callable[[], None],
    moments: random.Random,
    record_property: Callable[[str, object], None],
    cuts: int,
) -> None:
    """Segments roll, groups commit; after every other cut the log believes it is the same run of the machine."""
    options = settings_on(machine.disk, options, segment_bytes=20_000)
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.close()
    for number in range(1, cuts + 1):
        process = start_appender(options, f"cut-{number}")
        process.wait_for_lines(2)
        time.sleep(moments.uniform(0.05, 0.5))
        machine.cut()
        assert process.end(history) == 3  # by itself: its disks are gone
        machine.off()
        machine.boot()
        if number % 2:
            reboot()
        log = EmbeddedLog(options)
        history.check(log)
        check_copies_are_equal(options)
        log.close()
    machine.off()
    record_property("count", f"log, power: {cuts} cuts, {len(history.acknowledged):,} records acknowledged, 0 lost")
    assert len(history.acknowledged) > cuts
