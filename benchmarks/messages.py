"""What a line a mail costs, in a file and in the log: CPU of `watch` and `extract`, in turn with saying none.

usage: .venv/bin/python -m benchmarks.messages [--runs 5] [--mails 5000] [--parsed 1000] [--folder DIR]

watch     a Maildir of mails of 10 kB (as benchmarks/ingest.py makes them), taken by `otclog watch --once`
extract   generated mails that the log has, by `otclog extract` on Spark, the parsers' processes with it

Each in turn with no line a mail, with one as JSON in a file, with the same in the topic `ops`, too, and in the topic
alone. CPU of all processes, their start with it, for the clock says more of who else is there. Shares are of the first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from benchmarks.ingest import OTCLOG, children_s, fill, home
from benchmarks.machine import machine

SIDES = {
    "none": {"LEVEL": "warning", "OPS": "off"},
    "file": {"LEVEL": "info", "FORMAT": "json", "FILE": "messages.log", "OPS": "off"},
    "file and ops": {"LEVEL": "info", "FORMAT": "json", "FILE": "messages.log", "OPS": "info"},
    "ops": {"LEVEL": "warning", "OPS": "info"},
}


def otclog(at: Path, side: str, *words: str) -> float:
    """CPU of a command, seconds."""
    environment = os.environ | {f"OTCLOG_LOGGING_{name}": value for name, value in SIDES[side].items()}
    before = children_s()
    subprocess.run([OTCLOG, *words], cwd=at, env=environment, check=True, stdout=subprocess.DEVNULL)
    return children_s() - before


def watched(folder: Path, side: str, mails: int) -> float:
    """Of a run of `watch`."""
    with home(folder) as at:
        fill(at / "mail" / "new", mails)
        return otclog(at, side, "watch", "--once")


def extracted(origin: Path, side: str) -> float:
    """Of a run of `extract` over a copy of a home whose mails are in the log."""
    at = origin.with_name("copy")
    shutil.copytree(origin, at)
    used = otclog(at, side, "extract")
    shutil.rmtree(at)
    return used


def filled(folder: Path, mails: int) -> Path:
    """A home whose log has generated mails."""
    at = folder / "home"
    at.mkdir()
    (at / "otclog.toml").write_text('[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n')
    for part in ("tmp", "new", "cur"):
        (at / "mail" / part).mkdir(parents=True)
    otclog(at, "none", "generate", "--mails", str(mails), "--out", "mail")
    otclog(at, "none", "watch", "--once")
    return at


def in_turn(what: str, mails: int, runs: int, run: Callable[[str], float]) -> None:
    """Each side once a run, and what came of it."""
    used: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for side in SIDES:
            used[side].append(run(side))
    none = statistics.median(used["none"])
    for side, each in used.items():
        us = [1e6 * one / mails for one in each]
        share = 100 * (statistics.median(each) / none - 1)
        spread = f"{min(us):.0f} to {max(us):.0f}"
        print(f"{what:8} {side:13} {statistics.median(us):6.0f} us a mail ({spread}), {share:+.1f} %")


def main() -> None:
    """Say which machine, then run both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--parsed", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        in_turn("watch", options.mails, options.runs, lambda side: watched(folder, side, options.mails))
        origin = filled(folder, options.parsed)
        in_turn("extract", options.parsed, options.runs, lambda side: extracted(origin, side))
    print(machine())


if __name__ == "__main__":
    main()
