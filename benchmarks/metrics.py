"""What counting costs, and writing what is counted: CPU of `watch` over mails of 10 kB, in turn with doing neither.

usage: .venv/bin/python -m benchmarks.metrics [--runs 5] [--mails 5000] [--before TREE] [--folder DIR]

off       otclog without `[metrics]`: counted, and not written
on        with a folder
before    another tree of otclog, one before it counted anything, by the packages of this one

CPU of the process, its start with it, for the clock says more of who else is there. Shares are of the first.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.ingest import children_s, fill, home
from benchmarks.machine import machine

HERE = Path(__file__).parent.parent


def watched(folder: Path, tree: Path, metrics: str, mails: int) -> float:
    """CPU of a run of `watch` by a tree, seconds."""
    with home(folder) as at:
        fill(at / "mail" / "new", mails)
        environment = os.environ | {"PYTHONPATH": str(tree)} | ({"OTCLOG_METRICS_FOLDER": metrics} if metrics else {})
        before = children_s()
        command = [sys.executable, "-m", "otclog", "watch", "--once"]
        subprocess.run(command, cwd=at, env=environment, check=True, stdout=subprocess.DEVNULL)
        used = children_s() - before
        if metrics and not list((at / metrics).glob("*.prom")):
            raise SystemExit("nothing was written")
        return used


def main() -> None:
    """Say which machine, then run each side once a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    sides = {"off": (HERE, ""), "on": (HERE, "metrics")}
    if options.before:
        sides["before"] = options.before.absolute(), ""
    print(machine())
    used: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for _ in range(options.runs):
            for side, (tree, metrics) in sides.items():
                used[side].append(watched(Path(name), tree, metrics, options.mails))
    for side, each in used.items():
        us = [1e6 * one / options.mails for one in each]
        share = 100 * (statistics.median(each) / statistics.median(used["off"]) - 1)
        print(f"{side:7} {statistics.median(us):6.0f} us a mail ({min(us):.0f} to {max(us):.0f}), {share:+.1f} %")
    print(machine())


if __name__ == "__main__":
    main()
