"""Deliveries/s by `otclog-deliver`, a process a mail, beside procmail to a Maildir; and what the daemon itself takes.

usage: .venv/bin/python benchmarks/deliver.py [--mails 500] [--parallel 1 4 16] [--bytes 10000]

Each delivery is a program started for one mail, as fetchmail and MTAs do it, so many at a time. otclog's answer 0 means
durable on two of three replicas; procmail's 0 means written, not flushed. `false` is a program that does nothing: the
cost of starting one. The last rows have no program: mails over open LMTP connections.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

BIN = Path(sys.executable).parent
PROCMAILRC = "MAILDIR={folder}\nDEFAULT=$MAILDIR/box/\n:0\nbox/\n"


def mail(number: int, size: int) -> bytes:
    """Mail n, of one of fifty senders."""
    head = b"From: desk%d@dealer.example\nMessage-ID: <%d@dealer.example>\n\n" % (number % 50, number)
    return head + b"T 4 1/4 05/15/34 99-16+/17 5x5\n" * ((size - len(head)) // 31)


def by_program(command: list[str], expected: int, folder: Path) -> Callable[[bytes], float]:
    """A delivery by a program; seconds from its start to its end."""

    def deliver(raw: bytes) -> float:
        started = time.perf_counter()
        code = subprocess.run(command, input=raw, cwd=folder, check=False, stderr=subprocess.DEVNULL).returncode
        if code != expected:
            raise SystemExit(f"{command[0]} ended with {code}")
        return time.perf_counter() - started

    return deliver


def by_connection(path: Path) -> Callable[[bytes], float]:
    """A delivery over a connection, one a thread, that stays open."""
    opened: dict[int, tuple[socket.socket, BinaryIO]] = {}

    def deliver(raw: bytes) -> float:
        me = threading.get_ident()
        if me not in opened:
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(path))
            replies: BinaryIO = client.makefile("rb")
            client.sendall(b"LHLO here\r\n")
            while not replies.readline().startswith(b"250 "):
                pass
            opened[me] = client, replies
        client, answers = opened[me]
        started = time.perf_counter()
        client.sendall(b"MAIL FROM:<>\r\nRCPT TO:<a@here>\r\nBDAT %d LAST\r\n%s" % (len(raw), raw))
        if not [answers.readline() for _ in range(3)][-1].startswith(b"250 "):
            raise SystemExit("refused")
        return time.perf_counter() - started

    return deliver


@contextmanager
def daemon(home: Path) -> Iterator[None]:
    """`otclog lmtp` in a home of its own."""
    subprocess.run([BIN / "otclog", "init", home], check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen([BIN / "otclog", "lmtp"], cwd=home, stderr=subprocess.DEVNULL)
    while not (home / "lmtp.sock").exists():
        time.sleep(0.05)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=500)
    parser.add_argument("--bytes", type=int, default=10_000)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 4, 16])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "procmailrc").write_text(PROCMAILRC.format(folder=folder))
        ways = {
            "false": by_program(["false"], 1, folder),
            "otclog-deliver": by_program([str(BIN / "otclog-deliver")], 0, folder / "home"),
            "LMTP, connection open": by_connection(folder / "home" / "lmtp.sock"),
        }
        if procmail := shutil.which("procmail"):
            ways["procmail"] = by_program([procmail, "-m", str(folder / "procmailrc")], 0, folder)
        print(f"{args.mails} mails of {args.bytes} bytes, {os.cpu_count()} cores, {platform.platform()}, "
              f"Python {platform.python_version()}\n\n"
              "| way | at once | deliveries/s | median ms | 99th ms |\n|---|---|---|---|---|")  # fmt: skip
        with daemon(folder / "home"):
            number = 0
            for way, deliver in ways.items():
                for parallel in args.parallel:
                    raws = [mail(number + n, args.bytes) for n in range(args.mails)]
                    number += args.mails
                    started = time.perf_counter()
                    with ThreadPoolExecutor(parallel) as pool:
                        taken = sorted(pool.map(deliver, raws))
                    rate = args.mails / (time.perf_counter() - started)
                    median, late = statistics.median(taken) * 1000, taken[int(len(taken) * 0.99)] * 1000
                    print(f"| {way} | {parallel} | {rate:.0f} | {median:.1f} | {late:.1f} |", flush=True)


if __name__ == "__main__":
    main()
