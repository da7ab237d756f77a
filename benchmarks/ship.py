"""Lines/s of `otclog ops ship --once` from files, standard input and a journal into a log of three replicas.

usage: .venv/bin/python -m benchmarks.ship [--runs 3] [--lines 200000] [--folder DIR]

The lines are a mail server's and otclog's own as JSON, half each. Each run is a command into a log of its own, its
start included; given are lines a second of wall time, and of its CPU time with that of its children.
The journal is one that systemd-journal-remote makes of a quarter of these lines; without that program it is left out.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import conf
from benchmarks.machine import machine
from benchmarks.options import options
from conf.home import make_home
from log import open_log

OTCLOG = str(Path(sys.executable).with_name("otclog"))
REMOTE = Path("/lib/systemd/systemd-journal-remote")
_MAIL = (
    "2026-11-29T12:00:{second:02}.123456+00:00 mx1 postfix/smtpd[{number}]: NOQUEUE: client=desk{number}.dealer.example"
    "[192.0.2.7], sasl_method=PLAIN, sasl_username=desk{number}, message-id=<{number}@dealer.example>\n"
)
_OWN = (
    '{{"event": "maildir:/var/lib/otclog/mail: \'{number}\': published at mails-3, offset {number}", "level": "info", '
    '"offset": {number}, "partition": 3, "process": 12605, "sha256": "61af783c{number:056}", '
    '"timestamp": "2026-11-29T12:00:{second:02}.655309Z", "topic": "mails", "unit": "otclog watch"}}\n'
)


class Rate(NamedTuple):
    """Of one run."""

    wall: float  # lines a second
    cpu: float


def lines(count: int) -> bytes:
    """That many, by turns of both forms."""
    forms = (_MAIL, _OWN)
    return "".join(forms[each % 2].format(number=each, second=each // 50 % 60) for each in range(count)).encode()


def exported(text: bytes) -> bytes:
    """The lines as a stream of the journal's export format."""
    entry = b"__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%s\n_HOSTNAME=mx1\n"
    entry += b"_SYSTEMD_UNIT=postfix.service\nSYSLOG_IDENTIFIER=postfix/smtpd\n_PID=77\nPRIORITY=6\nMESSAGE=%s\n\n"
    begun, boot = 1_795_900_000_000_000, b"0123456789abcdef" * 2
    return b"".join(entry % (begun + at, at, boot, line) for at, line in enumerate(text.splitlines()))


def one_run(folder: Path, words: list[str], count: int, given: Path | None = None) -> Rate:
    """A command into a log of its own. Raises SystemExit unless the log has as many lines then."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        file = make_home(Path(home) / "home")
        with closing(open_log(conf.load(file, {}).log)):
            pass
        command = [OTCLOG, "ops", "ship", *words, "--once", "--config", str(file)]
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        with (given or Path("/dev/null")).open("rb") as stdin:
            done = subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, text=True, check=True)
        wall_s, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.stdout != f"{count} lines into topic ops\n":
            raise SystemExit(f"of {count} lines: {done.stdout}")
        return Rate(count / wall_s, count / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def shown(rates: list[float]) -> str:
    """Median and spread."""
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"


def main() -> None:
    """Run, and print a table."""
    args = options(__doc__, runs=3, lines=200_000)
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder, text = Path(name), lines(args.lines)
        (folder / "app.log").write_bytes(text)
        sides = {
            "a file": ([str(folder / "app.log")], args.lines, None),
            "standard input": (["--stdin", "--unit", "app"], args.lines, folder / "app.log"),
        }
        if REMOTE.exists():
            journal, some = str(folder / "one.journal"), lines(args.lines // 4)
            subprocess.run([REMOTE, f"--output={journal}", "-"], input=exported(some), check=True, capture_output=True)
            sides["a journal"] = (["--journal", journal], args.lines // 4, None)
        print(
            f"{machine()}; {args.runs} runs of {args.lines} lines, {len(text) / args.lines:.0f} bytes each\n",
            flush=True,
        )
        print("| from | lines/s, median (spread) | lines a second of CPU |\n|---|---|---|")
        for side, (words, count, given) in sides.items():
            rates = [one_run(folder, words, count, given) for _ in range(args.runs)]
            print(
                f"| {side} | {shown([each.wall for each in rates])} | {shown([each.cpu for each in rates])} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
