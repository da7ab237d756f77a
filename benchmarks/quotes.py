"""CPU of the search for quotes: ms a mail over the generator's standard mix, text lines/s, table rows/s; one core.

usage: .venv/bin/python -m benchmarks.quotes [--runs 5] [--mails 2000] [--seed 1]

Every run reads mails that no run before it has read; the documents that many mails carry are made once. Mails are read
one after the other in this process, without a sandbox; those above 1 MB are left out, and a tenth of a run's mails is
read before the clock starts. `quotes alone` is the CPU within `find_quotes`, grids and lines to finished records;
`mail to quotes` is that of `parse_mail`, bytes to outcome. Lines and rows are those with text of the parts in which
quotes were found, over the CPU of these parts; beside them those that became records, over the same CPU.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from benchmarks.machine import machine
from ingest.generate.compose import compose
from parsers.document import Document, Grid, Line
from parsers.parse import parse_mail
from parsers.quotes import finding
from parsers.quotes.context import PartContext
from parsers.quotes.finding import Found
from parsers.quotes.work import Work

MAX_BYTES = 10**6
MARKS = {"quotes alone": "mean 1.6", "mail to quotes": "mean 3.6", "lines": "4,000", "rows": "8,000"}
_find_quotes = finding.find_quotes


class Clock:
    """The CPU within `find_quotes` since the last mail and in all, and what it was spent on."""

    def __init__(self) -> None:
        self.of_mail = 0.0
        self.spent: defaultdict[str, float] = defaultdict(float)  # s, by the kind of part
        self.read: Counter[str] = Counter()  # lines, rows
        self.made: Counter[str] = Counter()  # those of them that became records

    def find_quotes(self, document: Document, context: PartContext, work: Work | None = None) -> Found:
        """In place of the true one."""
        started = time.process_time()
        found = _find_quotes(document, context, work)
        spent = time.process_time() - started
        self.of_mail += spent
        if found.quotes:
            grids = [block for block in document.blocks if isinstance(block, Grid)]
            kind = "rows" if grids else "lines"
            self.spent[kind] += spent
            self.read[kind] += _rows(grids) if grids else _lines(document)
            self.made[kind] += len({quote.line_key for quote in found.quotes})
        return found


def _rows(grids: Iterable[Grid]) -> int:
    return sum(1 for grid in grids for row in grid.rows if any(cell.text for cell in row.cells))


def _lines(document: Document) -> int:
    return sum(1 for block in document.blocks if isinstance(block, Line) and not block.quoted and block.text.strip())


def mails_of(seed: int, numbers: Iterable[int]) -> Iterator[bytes]:
    """The mails of these numbers, but for the long tail."""
    made = (compose(seed, number).raw for number in numbers)
    return (raw for raw in made if len(raw) <= MAX_BYTES)


def one_run(mails: Iterable[bytes], warming: Iterable[bytes]) -> dict[str, list[float]]:
    """CPU ms of each mail, by what it was spent on; lines and rows a second."""
    for raw in warming:
        parse_mail(raw)
    clock = Clock()
    taken: dict[str, list[float]] = {"quotes alone": [], "mail to quotes": []}
    finding.find_quotes = clock.find_quotes
    for raw in mails:
        clock.of_mail = 0.0
        started = time.process_time()
        parse_mail(raw)
        taken["mail to quotes"].append(1000 * (time.process_time() - started))
        taken["quotes alone"].append(1000 * clock.of_mail)
    finding.find_quotes = _find_quotes
    for kind in ("lines", "rows"):
        taken[kind] = [clock.read[kind] / clock.spent[kind], clock.made[kind] / clock.spent[kind]]
    return taken


def shown(values: list[float], digits: int) -> str:
    """Median and spread."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def table(runs: list[dict[str, list[float]]]) -> Iterator[str]:
    """Markdown."""
    yield "| CPU ms a mail, median of the runs (spread) | mean | median | p99 | mark |\n|---|---|---|---|---|"
    for name in ("quotes alone", "mail to quotes"):
        means = [statistics.mean(run[name]) for run in runs]
        middles = [statistics.median(run[name]) for run in runs]
        lasts = [statistics.quantiles(run[name], n=100)[98] for run in runs]
        yield f"| {name} | {shown(means, 2)} | {shown(middles, 2)} | {shown(lasts, 1)} | {MARKS[name]} |"
    yield "\n| a second, median of the runs (spread) | read | of these made records | mark |\n|---|---|---|---|"
    for name, title in (("lines", "text lines"), ("rows", "table rows")):
        read, made = ([run[name][at] for run in runs] for at in (0, 1))
        yield f"| {title} | {shown(read, 0)} | {shown(made, 0)} | {MARKS[name]} |"


def main() -> None:
    """Run, and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mails", type=int, default=2000, help="a run")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"{args.runs} runs of {args.mails} mails; {machine()}\n", flush=True)
    each = args.mails + args.mails // 10
    runs = []
    for number in range(args.runs):
        mails = list(mails_of(args.seed, range(number * each, (number + 1) * each)))
        runs.append(one_run(mails[args.mails // 10 :], mails[: args.mails // 10]))
    print("\n".join(table(runs)), flush=True)


if __name__ == "__main__":
    main()
