"""Documents to grids and lines beside the plain libraries, and mails of the generator's mix, by CPU time in one run.

usage: .venv/bin/python -m benchmarks.documents [--runs 15] [--mails 2000]

One 100-row sheet of the generator's as PDF, XLSX and DOCX. pdfminer.six: `extract_pages`. openpyxl: every attribute of
a cell that `read_xlsx` tells (value, number format, bold, struck, fill, colour, hidden row or column, merge, formula
without a value), for which it must load the file twice, for values and for formulas; beside it, the values alone.
python-docx: the text of every cell. The sides take turns; figures are medians, with their spread, ratios those of the
medians. Sandbox: parent's and child's CPU and the wall time of a mail of 80 kB, less what it takes without; the
wall time behind a child that was killed. Mails: unpacked, and every part read to grids and lines, no quotes; the
generator's large documents apart.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from benchmarks import document_sides as sides
from benchmarks.machine import machine

MARKS = {"PDF to grids": 25, "PDF to lines": 50, "XLSX": 8, "DOCX": 10}
MAX_SANDBOX_MS, MAX_TAKEOVER_MS, MAX_MEAN_MS = 0.4, 200, 2.0

Times = dict[tuple[str, str], list[float]]  # milliseconds, by what was done and who did it


def in_turn(pairs: dict[str, dict[str, Callable[[], object]]], runs: int) -> Times:
    """CPU milliseconds of every side, the sides one after the other in each run; the first run warms up."""
    times: Times = defaultdict(list)
    for name, by_side in pairs.items():
        for number in range(runs + 1):
            for side, work in by_side.items():
                gc.collect()  # what the other side left is not this one's to clear away
                began = time.process_time()
                work()
                if number:
                    times[name, side].append(1000 * (time.process_time() - began))
    return times


def shown(values: list[float]) -> str:
    """Median and spread."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def table(times: Times) -> str:
    """Markdown."""
    rows = ["| ms of CPU, median (spread) | otclog | library | ratio | mark |", "|---|---|---|---|---|"]
    for name, side in times:
        if side != "otclog":
            ours, theirs = times[name, "otclog"], times[name, side]
            ratio = statistics.median(theirs) / statistics.median(ours)
            mark = "" if "alone" in side else MARKS[name]
            rows.append(f"| {name}, {side} | {shown(ours)} | {shown(theirs)} | {ratio:.1f} | {mark} |")
    return "\n".join(rows)


def of_mix(files: list[Path], runs: int) -> str:
    """Mean, median and 99th percentile of a mail's CPU time; each mail's time is the median of its runs."""
    raws = [file.read_bytes() for file in files]
    small = [raw for raw in raws if len(raw) <= sides.LARGE_BYTES]
    for raw in small[:100]:
        sides.to_documents(raw)
    totals: list[list[float]] = [[] for _ in small]
    for _ in range(runs):
        for raw, taken in zip(small, totals, strict=True):
            began = time.process_time()
            sides.to_documents(raw)
            taken.append(1000 * (time.process_time() - began))
    each = sorted(statistics.median(taken) for taken in totals)
    means = [statistics.mean(run) for run in zip(*totals, strict=True)]
    return (
        f"| mail and documents, {len(small)} mails | mean {statistics.median(means):.2f} ({min(means):.2f} to "
        f"{max(means):.2f}), median {statistics.median(each):.2f}, p99 {each[len(each) * 99 // 100]:.2f} | "
        f"mean {MAX_MEAN_MS} |"
    )


def main() -> None:
    """Run, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--mails", type=int, default=2_000)
    args = parser.parse_args()
    print(f"{machine(sides.versions())}; {args.runs} runs\n", flush=True)
    print("| ms a mail | measured | mark |\n|---|---|---|", flush=True)
    cpu, wall = sides.sandbox_ms(20 * args.runs)
    print(f"| sandbox, 80 kB: CPU of both processes | {shown(cpu)} | {MAX_SANDBOX_MS} |")
    print(f"| sandbox, 80 kB: wall | {shown(wall)} | |", flush=True)
    print(
        f"| the next mail behind a killed child: wall | {shown(sides.takeover_ms(5))} | {MAX_TAKEOVER_MS} |", flush=True
    )
    with sides.mails_of_mix(args.mails) as files:
        print(of_mix(files, 3), flush=True)
    print("\n" + table(in_turn(sides.pairs(), args.runs)), flush=True)


if __name__ == "__main__":
    main()
