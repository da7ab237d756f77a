"""What takes longer as metadata grow: publications, files of a table, groups; and what `otclog maintain` brings back.

usage: .venv/bin/python -m benchmarks.grow [--publications 100000] [--files 200000] [--groups 10000] [--runs 5]

Each is grown by the functions of a run to a hundredth, a tenth and the whole of its number, and at each of them, CPU
and system time of this process:
    commit      one small file more in each table, published
    open        all tables as published, and the names of their files
    prices      the 50 latest of the newest day
    group lag   a log opened, and the lag of one group

Files of days long past are one file under many names, described as being of other days: what is read of them is the
same. So maintain, which would find their rows twice, is run where publications have grown.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import conf
from benchmarks.machine import machine
from ingest.generate.write import generate
from log import Record, TopicConfig, TopicPartition, open_log
from log.lag import lag
from parsers.outcome import MailOutcome
from parsers.parse import parse_mail
from pipelines.jobs.upkeep.maintain import maintain
from pipelines.readers.prices import prices
from pipelines.tables.commits import Change, commit
from pipelines.tables.datafiles import DAY as DAY_COLUMN
from pipelines.tables.datafiles import DataFile
from pipelines.tables.publication import latest, newest, publish, table_of
from pipelines.tables.schemas import OUTCOMES, TABLES
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from tests.pipelines.jobs.small_runs import DAY, SmallRuns
from tests.pipelines.stores import HELD

MAILS = 30  # of a run
A_COMMIT = 1000  # files that are named at once
A_DAY = 20  # files of a table, as maintain leaves them
SHARES = (100, 10, 1)
COLUMNS = ("commit", "open", "prices", "group lag")
Figures = dict[str, float]  # by column


def cost(work: Callable[[], object], runs: int) -> float:
    """Median CPU seconds of doing it."""
    found = []
    for _ in range(runs):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return statistics.median(found)


def generated(seed: int) -> list[MailOutcome]:
    """Outcomes of some mails with prices, others for each seed."""
    with tempfile.TemporaryDirectory() as folder:
        list(generate(Path(folder), MAILS, seed))
        return [parse_mail(path.read_bytes()) for path in sorted(Path(folder).glob("*.eml"))]


def of_tables(tables: SmallRuns, runs: int) -> Figures:
    """What is measured of tables."""
    store = tables.store

    def open_all() -> None:
        publication = latest(store)
        for name in TABLES:
            table_of(store, publication, name).get_add_actions()

    filters = {"since_day": DAY.date()}
    return {
        "open": cost(open_all, runs),
        "prices": cost(lambda: list(prices(store, filters, 50)), runs),
        "commit": cost(tables.commit, runs),
    }


def publications(folder: Path, most: int, runs: int) -> Iterator[tuple[str, Figures]]:
    """Publications of tables that stay as they are; at the end a maintain."""
    store = Folder(folder)
    tables = SmallRuns(store, generated(1))
    tables.commit()
    for share in SHARES:
        on = newest(store)
        while on.number < most // share:
            on = publish(store, f"run {on.number}", {}, HELD, on)
        yield f"{on.number:,} publications", of_tables(tables, runs)
    settings = conf.defaults()
    kept = replace(settings.tables, root=folder, keep_publications=20, keep_s=-60.0)
    began = time.process_time()
    maintain(replace(settings, tables=kept))
    took = time.process_time() - began
    yield f"the same, maintained ({took:.0f} s of CPU)", of_tables(tables, runs)


def files(folder: Path, most: int, runs: int) -> Iterator[tuple[str, Figures]]:
    """Files of days long past, 20 a day, in every table that has days."""
    store = Folder(folder)
    SmallRuns(store, generated(0)).commit()
    tables = SmallRuns(store, generated(1), done=1)
    first = {table.name: first_file(store, table.name) for table in OUTCOMES}
    named = 0
    for share in SHARES:
        while named < most // share:
            for table in OUTCOMES:
                place, file = folder / table.name, first[table.name]
                added = tuple(long_past(place, number, file) for number in range(named, named + A_COMMIT))
                commit(store, table, Change(added), {}, HELD)
            named += A_COMMIT
        tables = SmallRuns(store, generated(share), done=tables.done)  # mails that have not come before
        tables.commit()
        yield f"{named:,} files a table", of_tables(tables, runs)


def first_file(store: Store, name: str) -> DataFile:
    """What the first commit has added to a table."""
    lines = store.get(f"{name}/_delta_log/{1:020}.json").splitlines()
    (add,) = (action["add"] for action in map(json.loads, lines) if "add" in action)
    return DataFile(add["path"], add["size"], json.loads(add["stats"])["numRecords"], None, add["stats"])


def long_past(table: Path, number: int, file: DataFile) -> DataFile:
    """Another name of a file, as one of twenty of its day."""
    day = (date(1990, 1, 1) + timedelta(days=number // A_DAY)).isoformat()
    path = f"received_day={day}/{number:08}.zstd.parquet"
    (table / path).parent.mkdir(exist_ok=True)
    (table / path).hardlink_to(table / file.path)
    told = json.loads(file.statistics)
    if DAY_COLUMN in told["minValues"]:  # a table whose files are of no day
        told["minValues"][DAY_COLUMN] = told["maxValues"][DAY_COLUMN] = day
    return replace(file, path=path, day=day, statistics=json.dumps(told))


def groups(folder: Path, most: int, runs: int) -> Iterator[tuple[str, Figures]]:
    """Groups that have committed once of each partition."""
    settings = conf.defaults()
    options = replace(settings.log, root=folder / "log", replicas=(folder / "log" / "1",), min_insync=1)
    with closing(open_log(options)) as log:
        log.create_topic("mails", 3, TopicConfig(mail=True))
        log.append("mails", [Record(b"%d" % number, b"mail") for number in range(10)])
    made = 0
    for share in SHARES:
        with closing(open_log(options)) as log:
            for number in range(made, most // share):
                log.commit(f"group-{number}", {TopicPartition("mails", partition): 0 for partition in range(3)})
        made = most // share

        def look() -> None:
            with closing(open_log(options)) as log:
                lag(log, "group-0")

        yield f"{made:,} groups", {"group lag": cost(look, runs)}


def main() -> None:
    """Run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--publications", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=200_000)
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    print(f"{machine()}; median of {args.runs}\n", flush=True)
    print(f"| s of CPU | {' | '.join(COLUMNS)} |\n|{' --- |' * (1 + len(COLUMNS))}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        for grown, most in ((publications, args.publications), (files, args.files), (groups, args.groups)):
            for what, found in grown(Path(name) / grown.__name__, most, args.runs):
                shown = (
                    f"{found[each]:.3f}" if each in found else "" for each in ("commit", "open", "prices", "group lag")
                )
                print(f"| {what} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
