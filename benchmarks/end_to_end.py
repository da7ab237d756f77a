"""Mails/s and quotes/s of ingest and extract, beside the same parse without log and Spark.

usage: .venv/bin/python benchmarks/end_to_end.py [--mails 5000] [--runs 3] [--seed 1]

Each run starts from an empty home in a folder of its own: the generator's standard mix is written into a Maildir,
`otclog watch --once` takes it into the log (durable, three replicas), `otclog extract` into the tables, and
`otclog parse` reads the same files with no log and no Spark. Process start-up is part of each figure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OTCLOG = str(Path(sys.executable).with_name("otclog"))
STEPS = ("ingest", "extract", "parse only")


def timed(*command: str, cwd: Path) -> tuple[float, list[dict[str, object]]]:
    """Wall seconds of an otclog command, and its JSON lines."""
    started = time.monotonic()
    done = subprocess.run([OTCLOG, *command, "--json"], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True)
    return time.monotonic() - started, [json.loads(line) for line in done.stdout.splitlines()]


def one_run(mails: int, seed: int, folder: Path) -> tuple[dict[str, float], int]:
    """Seconds of each step, and the quotes extracted."""
    home = folder / "home"
    timed("init", str(home), cwd=folder)
    timed("generate", "--mails", str(mails), "--seed", str(seed), "--out", str(folder / "mails"), cwd=folder)
    files = sorted((folder / "mails").glob("*.eml"))
    for file in files:
        shutil.copyfile(file, home / "mail" / "new" / file.name)
    seconds = dict.fromkeys(STEPS, 0.0)
    seconds["ingest"], _ = timed("watch", "--once", cwd=home)
    seconds["extract"], summaries = timed("extract", cwd=home)
    seconds["parse only"], _ = timed("parse", str(folder / "mails"), "--out", str(folder / "out"), cwd=home)
    taken = sum(int(str(summary["mails"])) for summary in summaries)
    if taken != mails:
        raise SystemExit(f"{mails} mails were generated, {taken} were extracted")
    return seconds, sum(int(str(summary["quotes"])) for summary in summaries)


def main() -> None:
    """Run, and print medians with their spread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    results = []
    for run in range(args.runs):
        with tempfile.TemporaryDirectory() as folder:
            seconds, quotes = one_run(args.mails, args.seed, Path(folder))
        results.append(seconds)
        print(f"run {run + 1}: " + ", ".join(f"{step} {seconds[step]:.1f} s" for step in STEPS), flush=True)
    print(
        f"\n{args.mails} mails, {quotes} quotes, {args.runs} runs, {os.cpu_count()} cores, {platform.platform()}, "
        f"Python {platform.python_version()}\n\n"
        "| step | mails/s | quotes/s | slowest and fastest mails/s |\n|---|---|---|---|"
    )
    for step in STEPS:
        taken = [result[step] for result in results]
        middle = statistics.median(taken)
        print(
            f"| {step} | {args.mails / middle:.0f} | {quotes / middle:.0f} | "
            f"{args.mails / max(taken):.0f} to {args.mails / min(taken):.0f} |"
        )


if __name__ == "__main__":
    main()
