"""Mails/s of `otclog generate`: median of several runs, each with a seed of its own.

usage: .venv/bin/python benchmarks/generate.py [--mails 10000] [--runs 3]

Each run writes into an empty folder; process start-up and the making of the pool of documents are part of the figure.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OTCLOG = str(Path(sys.executable).with_name("otclog"))


def seconds_of(mails: int, seed: int) -> float:
    """Wall seconds of one run."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        command = [OTCLOG, "generate", "--mails", str(mails), "--seed", str(seed), "--out", f"{folder}/mails"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - started


def main() -> None:
    """Run, and print the median with its spread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    rates = sorted(args.mails / seconds_of(args.mails, seed) for seed in range(1, args.runs + 1))
    print(
        f"generate: {statistics.median(rates):.0f} mails/s, from {rates[0]:.0f} to {rates[-1]:.0f}; "
        f"{args.mails} mails, {args.runs} runs, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"{platform.platform()}, Python {platform.python_version()}"
    )


if __name__ == "__main__":
    main()
