"""Take one safeguard out of the log at a time, and see that the tests notice.

usage: .venv/bin/python tests/mutants.py [NAME ...]

In a copy of the checkout one place is changed at a time; the tests named for it must fail there, and pass without the
change. Exit code 1 when a mutant survives, or a place is not there any more.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
ROOMS = ("log", "conf", "ingest", "parsers", "tests", "docs", "pyproject.toml", "otclog.py")


class Mutant(NamedTuple):
    """A safeguard, and what notices when it is gone."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


MUTANTS = (
    Mutant(
        "file fsync of an append",
        "log/embedded/partition/flushing.py",
        "os.fsync(fd)",
        "pass",
        ("tests/log/faults/test_volatile.py",),
    ),
    Mutant(
        "file fsync of a full segment",
        "log/embedded/replicas/replica.py",
        "os.fsync(self._log)",
        "pass",
        ("tests/log/faults/test_volatile.py",),
    ),
    Mutant(
        "folder fsync",
        "log/disk/files.py",
        '    """The names in `path` are durable."""\n',
        '    """The names in `path` are durable."""\n    return\n',
        ("tests/log/faults/test_volatile.py",),
    ),
    Mutant(
        "CRC check",
        "log/embedded/segment/codec.py",
        "return crc == header.crc and ",
        "return ",
        ("tests/log/embedded/replicas/test_recovery.py", "tests/log/embedded/partition/test_reader.py"),
    ),
    Mutant(
        "CRC check of a stretch of batches",
        "log/embedded/segment/codec.py",
        "            or crc32c(window[at + CRC_COVERS_FROM : end]) != crc\n",
        "",
        ("tests/log/embedded/segment/test_codec.py",),
    ),
    Mutant(
        "no record decoded behind what was looked at",
        "log/embedded/segment/codec.py",
        "islice(iter(MemoryRecords(data).next_batch, None), batches)",
        "iter(MemoryRecords(data).next_batch, None)",
        ("tests/log/embedded/segment/test_codec.py",),
    ),
    Mutant(
        "no batch given behind what was looked at",
        "log/embedded/partition/reader.py",
        "islice(codec.split(found.data), found.batches)",
        "codec.split(found.data)",
        ("tests/log/embedded/partition/test_reader.py",),
    ),
    Mutant(
        "base offset check",
        "log/embedded/segment/segment.py",
        "return found if found.header.base_offset == expected else None",
        "return found",
        ("tests/log/embedded/partition/test_reader.py",),
    ),
    Mutant(
        "high-watermark check",
        "log/embedded/partition/reader.py",
        "return range(max(oldest, self._copies.state(source, mark).start), mark.high_watermark)",
        "return range(max(oldest, self._copies.state(source, mark).start), mark.end)",
        ("tests/log/embedded/test_written.py",),
    ),
    Mutant(
        "look for holes",
        "log/embedded/segment/wholeness.py",
        "return end if end < stop else None",
        "return None",
        ("tests/log/embedded/segment/test_wholeness.py",),
    ),
    Mutant(
        "a copy that is damaged leaves before it is mended",
        "log/embedded/recovery/mending.py",
        "expel(partition, {number: reason})",
        "pass",
        ("tests/log/embedded/recovery/test_mending.py",),
    ),
    Mutant(
        "what a reader noted is looked at before an append",
        "log/embedded/recovery/mending.py",
        "for base in noted:",
        "for base in noted[:0]:",
        ("tests/log/embedded/recovery/test_mending.py",),
    ),
    Mutant(
        "a reader notes what is damaged",
        "log/embedded/partition/reader.py",
        "suspect(self._home, source, base)",
        "pass",
        ("tests/log/embedded/recovery/test_mending.py",),
    ),
    Mutant(
        "only a whole batch mends another",
        "log/embedded/recovery/gaps.py",
        "return batch if codec.is_sound(header, batch) else None",
        "return batch",
        ("tests/log/embedded/recovery/test_mending.py",),
    ),
    Mutant(
        "CRC check of the scrub",
        "log/embedded/upkeep/scrubbing.py",
        "is_whole=False)",
        "is_whole=True)",
        ("tests/log/embedded/upkeep/test_scrubbing.py",),
    ),
    Mutant(
        "the scrub writes down how far it is",
        "log/embedded/upkeep/scrubbing.py",
        "if kept_at - left >= KEPT_EVERY:",
        "if False:",
        ("tests/log/embedded/upkeep/test_scrubbing.py",),
    ),
    Mutant(
        "a header that no copy has is written anew",
        "log/embedded/recovery/mending.py",
        "passed = _let_pass(home, partition, copies, base, found)",
        "passed = _Passed(written=False, left={})",
        ("tests/log/embedded/recovery/test_gaps.py",),
    ),
    Mutant(
        "bytes that look like a batch are none",
        "log/embedded/recovery/gaps.py",
        "end = Spot(position + header.size, header.next_offset)",
        "end = known",
        ("tests/log/embedded/recovery/test_gaps.py",),
    ),
    Mutant(
        "no copy is cut for what the leader has damaged",
        "log/embedded/recovery/rejoining.py",
        "    _check_leader(copying, place, high_watermark)\n",
        "",
        ("tests/log/embedded/recovery/test_mending.py",),
    ),
    Mutant(
        "former partitions are looked at",
        "ingest/publish.py",
        "ledger.catch_up_former(log, topic, count, carry_on)",
        "pass",
        ("tests/ingest/test_publish.py",),
    ),
    Mutant(
        "partitions added under the lock",
        "ingest/publish.py",
        "if any(log.partition_count(topic) != count for topic, count in counts.items()):",
        "if False:",
        ("tests/ingest/test_publish.py",),
    ),
    Mutant(
        "epoch check",
        "log/embedded/segment/segment.py",
        "return before or header.leader_epoch == self.epoch",
        "return True",
        ("tests/log/embedded/recovery/test_rejoining.py",),
    ),
    Mutant(
        "producer sequence check",
        "log/embedded/partition/sequences.py",
        "if (batch.first, batch.last) == (first, first + count - 1):",
        "if False:",
        ("tests/log/embedded/partition/test_sequences.py",),
    ),
    Mutant(
        "state version check",
        "log/embedded/replicas/replicas.py",
        "if mark is not None and state.version < mark.state_version:",
        "if False:",
        ("tests/log/embedded/replicas/test_replicas.py",),
    ),
    Mutant(
        "enough replicas after a flush",
        "log/embedded/partition/acknowledging.py",
        "partition.check_enough()  # some may",
        "pass  # some may",
        ("tests/log/embedded/partition/test_acknowledging.py",),
    ),
    Mutant(
        "a lock's file is still there",
        "log/disk/lock.py",
        "return found.st_ino == self._held.st_ino and found.st_dev == self._held.st_dev",
        "return True",
        ("tests/log/embedded/partition/test_fast_append.py",),
    ),
    Mutant(
        "the watermark on the short way",
        "log/embedded/partition/fast_append.py",
        "and partition.watermark_file.still_says(mark)",
        "",
        ("tests/log/embedded/partition/test_fast_append.py",),
    ),
    Mutant(
        "ends of files on the short way",
        "log/embedded/partition/fast_append.py",
        "and partition.replicas.end_at(mark.position, partition.settings.min_insync)",
        "",
        ("tests/log/embedded/partition/test_fast_append.py",),
    ),
    Mutant(
        "group generation check",
        "log/groups.py",
        "allowed[source] < now.generation",
        "False",
        ("tests/log/contract/test_consumer.py",),
    ),
)


def copied(folder: Path) -> None:
    """Copy the checkout, its modules compiled: each run of the tests would compile them anew.

    The compiled files know their sources by digest: a mutant of the same second and the same size is still another.
    """
    for room in ROOMS:
        if (ROOT / room).is_dir():
            shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / room, folder / room)
    for room in ("log", "conf"):
        compileall.compile_dir(folder / room, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)


def survives(copy: Path, mutant: Mutant) -> bool:
    """Whether the tests pass in the copy with this change, which is taken back."""
    file = copy / mutant.file
    before = file.read_text("utf-8")
    change(file, mutant)
    try:
        return passes(copy, mutant.name, mutant.tests)[0]
    finally:
        file.write_text(before, "utf-8")


def passes(copy: Path, name: str, tests: tuple[str, ...]) -> tuple[bool, str]:
    """Whether the tests pass in the copy, and what they said. Raises SystemExit when they did not run."""
    command = [sys.executable, "-m", "pytest", "-qx", "-pno:cacheprovider", "-m", "not slow and not soak", *tests]
    done = subprocess.run(command, cwd=copy, env=_environment(copy), capture_output=True, text=True, check=False)
    said = f"{done.stdout}{done.stderr}"
    if done.returncode not in {0, 1}:  # neither passed nor failed
        raise SystemExit(f"{name}:\n{said}")
    return done.returncode == 0, said


def change(file: Path, mutant: Mutant) -> None:
    """Take the safeguard out. Raises SystemExit when its place is not there, or not one."""
    text = file.read_text("utf-8")
    if text.count(mutant.old) != 1:
        raise SystemExit(f"{mutant.name}: {mutant.file} has {text.count(mutant.old)} of {mutant.old!r}, not one")
    file.write_text(text.replace(mutant.old, mutant.new), "utf-8")


def main(names: list[str]) -> int:
    """Try the mutants named, or all; the number that survived."""
    chosen = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    tests = tuple(sorted({test for mutant in chosen for test in mutant.tests}))
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="otclog-mutant-") as folder:
        copied(Path(folder))
        passed, said = passes(Path(folder), "no change", tests)
        if not passed:
            raise SystemExit(f"the tests fail without any change:\n{said}")
        for mutant in chosen:
            alive = survives(Path(folder), mutant)
            survivors += alive
            print(f"{'SURVIVED' if alive else 'killed':9} {mutant.name}", flush=True)  # noqa: T201  it is a program
    return survivors


def _environment(copy: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
