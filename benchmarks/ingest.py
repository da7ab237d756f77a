"""Ingest: mails/s of one watcher, a backlog's memory, the cost of a rescan, and how soon a mail can be read.

usage: .venv/bin/python -P benchmarks/ingest.py [--runs 3] [--mails 10000] [--backlog 200000] [--seconds 30]
       [--folder DIR]       (-P, or Python takes this file for the package of the same name)

Mails of 10 kB that compress to about half, from 97 senders, in a Maildir; `otclog watch` as it comes: durable appends,
three replicas on one disk of which two are needed, files deleted when done. Process start-up counts.

drain     a Maildir that is full at the start, taken by `otclog watch --once`; beside it, in turn and with a tenth of
          the files, what a script would do: copy each with fsync to one folder, to three folders, then delete it
backlog   the same with very many files, its resident memory looked at all the while
rescan    CPU of one look at a folder of 100,000 files: all of them kept there (done = "keep"), and all waiting
latency   150 mails a second come in; from a file's rename into the Maildir until another process can read its record
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import conf
from benchmarks.options import options
from ingest.folders.inbox import Inbox
from ingest.folders.kept import KeptFiles
from ingest.folders.mailfile import Limits, read_mail
from ingest.ledger.ledger import Ledger
from log import TopicPartition, open_log

OTCLOG = str(Path(sys.executable).with_name("otclog"))
MAIL_BYTES = 10_000
SENDERS = 97
RESCANNED = 100_000
RATE = 150  # mails a second, the peak of the day
POLL_S = 0.002


def mail(number: int) -> bytes:
    """10 kB, no two alike."""
    head = f"From: d{number % SENDERS}@dealer.example\nMessage-ID: <{number}@x>\nSubject: run {number}\n\n".encode()
    content = random.Random(number).randbytes(MAIL_BYTES // 2).hex()  # noqa: S311 -- no secret
    return (head + content.encode())[:MAIL_BYTES]


@contextmanager
def home(parent: Path) -> Iterator[Path]:
    """An otclog home with a Maildir, gone at the end."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        for part in ("tmp", "new", "cur"):
            (Path(folder) / "mail" / part).mkdir(parents=True)
        (Path(folder) / "otclog.toml").write_text('[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n')
        yield Path(folder)


def fill(new: Path, count: int) -> None:
    """Mails on disk, synced: nothing of it is left to be written while the clock runs."""
    for number in range(count):
        (new / f"{number:08}").write_bytes(mail(number))
    os.sync()


def copy_all(new: Path, folders: list[Path]) -> None:
    """The alternative: each file to each folder, synced, then deleted."""
    for file in sorted(new.iterdir()):
        raw = file.read_bytes()
        for folder in folders:
            with (folder / file.name).open("wb") as out:
                out.write(raw)
                out.flush()
                os.fsync(out.fileno())
        file.unlink()
    for folder in [*folders, new]:
        directory = os.open(folder, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)


def children_s() -> float:
    """CPU of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def drain(parent: Path, count: int) -> tuple[dict[str, float], float]:
    """Mails a second: ours, and the alternatives; and our CPU, ms a mail."""
    rates = {}
    with home(parent) as at:
        fill(at / "mail" / "new", count)
        started, cpu = time.monotonic(), children_s()
        done = subprocess.run([OTCLOG, "watch", "--once", "--json"], cwd=at, check=True, stdout=subprocess.PIPE)
        rates["otclog watch --once"] = count / (time.monotonic() - started)
        cpu = children_s() - cpu
        if sum(json.loads(line)["published"] for line in done.stdout.splitlines()) != count:
            raise SystemExit("not every mail was published")
    for copies in (1, 3):
        with home(parent) as at:
            fill(at / "mail" / "new", count // 10)
            folders = [at / f"copy-{number}" for number in range(copies)]
            for folder in folders:
                folder.mkdir()
            started = time.monotonic()
            copy_all(at / "mail" / "new", folders)
            rates[f"copy and fsync to {copies} folder{'s' * (copies > 1)}"] = count // 10 / (time.monotonic() - started)
    return rates, 1000 * cpu / count


def resident_mib(pid: int) -> float:
    """Memory that a process has."""
    said = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(said.partition("VmRSS:")[2].split()[0]) / 1024


def backlog(parent: Path, count: int) -> None:
    """Drain very many files; see the module."""
    with home(parent) as at:
        fill(at / "mail" / "new", count)
        started, seen = time.monotonic(), []
        with subprocess.Popen([OTCLOG, "watch", "--once"], cwd=at, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                try:
                    seen.append(resident_mib(process.pid))
                except (IndexError, FileNotFoundError):
                    break
                time.sleep(0.25)
        seconds = time.monotonic() - started
        left = sum(1 for _ in (at / "mail" / "new").iterdir())
    at_tenths = ", ".join(f"{seen[len(seen) * tenth // 10 - 1]:.0f}" for tenth in range(1, 11))
    print(
        f"| backlog of {count} | {count / seconds:.0f} mails/s, {left} files left; resident MiB after each tenth of "
        f"the time: {at_tenths}; at most {max(seen):.0f} |",
        flush=True,
    )


def rescan(parent: Path) -> None:
    """Look at a folder of many files; see the module."""
    with home(parent) as at:
        settings = conf.load(at / "otclog.toml", {})
        source = replace(settings.ingest.sources[0], done="keep")
        new = source.path / "new"
        for number in range(RESCANNED):
            (new / f"{number:08}").write_bytes(b"From: a@b\n\n%d" % number)
        with closing(Ledger(settings.ingest.ledger, settings.log.root)) as ledger:
            taken = KeptFiles(ledger, new)
            waiting, kept = Inbox(source, 1.0), Inbox(source, 1.0, taken)
            with kept.open() as folder:
                read = (read_mail(folder, file.name, "", Limits(10**6, 10**6)) for file in new.iterdir())
                taken.add(file for file in read if file is not None)
            for name, inbox in (("kept", kept), ("waiting", waiting)):
                cpu = []
                for _ in range(5):
                    with inbox.open() as folder:
                        before = time.process_time()
                        inbox.scan(folder, 10_000, time.monotonic())
                        cpu.append(time.process_time() - before)
                print(
                    f"| rescan of {RESCANNED} files, {name} | {statistics.median(cpu):.2f} s CPU "
                    f"({min(cpu):.2f} to {max(cpu):.2f}) |",
                    flush=True,
                )


def latency(parent: Path, seconds: int) -> None:
    """Deliver at the peak's rate and read; see the module."""
    closed: dict[bytes, float] = {}
    readable: dict[bytes, float] = {}
    with home(parent) as at:
        settings = conf.load(at / "otclog.toml", {})
        (at / "mail" / "new" / "first").write_bytes(mail(10**9))
        subprocess.run([OTCLOG, "watch", "--once"], cwd=at, check=True, stdout=subprocess.DEVNULL)
        with subprocess.Popen([OTCLOG, "watch"], cwd=at, stdout=subprocess.DEVNULL) as watcher:
            with closing(open_log(settings.log)) as log:
                offsets = {TopicPartition("mails", number): 0 for number in range(settings.ingest.partitions)}
                writer = threading.Thread(target=deliver, args=(at / "mail", RATE * seconds, closed))
                time.sleep(3)
                writer.start()
                while len(readable) <= RATE * seconds:
                    for source, offset in offsets.items():
                        for record in log.read(source, offset, 1 << 22):
                            readable[record.value or b""] = time.monotonic()
                            offsets[source] = record.offset + 1
                    time.sleep(POLL_S)
                writer.join()
            watcher.terminate()
    waits = sorted(readable[raw] - at for raw, at in closed.items())
    shown = ", ".join(f"p{share} {1000 * waits[int(len(waits) * share / 100)]:.0f} ms" for share in (50, 90, 99))
    what = f"file closed to record readable, {RATE} mails/s for {seconds} s"
    print(f"| {what} | {shown}, most {1000 * waits[-1]:.0f} ms |", flush=True)


def deliver(maildir: Path, count: int, closed: dict[bytes, float]) -> None:
    """Mails at RATE, each noted when it is in place."""
    started = time.monotonic()
    for number in range(count):
        raw = mail(number)
        time.sleep(max(started + number / RATE - time.monotonic(), 0))
        (maildir / "tmp" / f"{number}").write_bytes(raw)
        (maildir / "tmp" / f"{number}").rename(maildir / "new" / f"{number}")
        closed[raw] = time.monotonic()


def main() -> None:
    """Run, and print a table."""
    args = options(__doc__, runs=3, mails=10_000, backlog=200_000, seconds=30)
    parent = args.folder or Path(tempfile.gettempdir())
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {platform.platform()}, Python "
        f"{platform.python_version()}\n\n| what | measured |\n|---|---|"
    )
    results = [drain(parent, args.mails) for _ in range(args.runs)]
    cpu = statistics.median(ms for _, ms in results)
    print(f"| drain {args.mails}: CPU of otclog watch --once, its start among it | {cpu:.2f} ms a mail |", flush=True)
    for name in results[0][0]:
        rates = [result[name] for result, _ in results]
        spread = f"{min(rates):.0f} to {max(rates):.0f}, {args.runs} runs"
        print(f"| drain {args.mails}: {name} | {statistics.median(rates):.0f} mails/s ({spread}) |", flush=True)
    rescan(parent)
    latency(parent, args.seconds)
    if args.backlog:
        backlog(parent, args.backlog)


if __name__ == "__main__":
    main()
