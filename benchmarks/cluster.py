"""What a second executor adds on a cluster of namespaces of this machine, and whose CPU it takes.

usage: .venv/bin/python -m benchmarks.cluster [--mails 5000] [--runs 3] [--tasks 512]

The same generated mails are extracted, in turn, by one executor of one core and by two, into tables of their own each
time, by a session that has extracted all of them before: its start, the pack's way and most of what its JVMs compile
are not measured. A run's seconds are those of its row: reading and parsing (parse_s), and the writing of the tables'
files (write_s). CPU is what the processes of each machine, which has a user of its own, have taken meanwhile. Last, a
topic of 64 partitions is read in so many tasks: what takes its time beside these is planning and committing. It needs
root and namespaces.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.machine import machine
from ingest.generate.write import generate
from tests.cluster import ROOT, Cluster

SAMPLED_S = 0.25
TICKS = os.sysconf("SC_CLK_TCK")
MACHINES = {
    "executors": ("worker1", "worker2"),
    "driver": ("driver",),
    "brokers": ("kafka1", "kafka2", "kafka3"),
    "store": ("s3",),
}

_EXTRACT = """
import json, os, sys, time
from otclog import main
from pipelines.jobs.spark import source

def extract(kind, topic, mails_a_task):
    source.MAILS_A_TASK = mails_a_task
    os.environ["OTCLOG_EXTRACT_GROUP"] = f"{name}-{kind}"
    os.environ["OTCLOG_TABLES_ROOT"] = f"s3://otclog/{name}-{kind}"
    sys.argv[1:] = ["extract", "--topic", topic]
    started = time.time()
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
    return started, time.time()

name, topic, mails_a_task = sys.argv[1:]
extract("before", "mails", 100)
sys.stderr.write("took" + json.dumps(extract("measured", topic, int(mails_a_task))))
"""

_ROW = """
import json, sys, conf
from pathlib import Path
from pipelines.readers.digest import rows_of
from pipelines.tables.schemas import TABLES
from pipelines.tables.store.store import store_of
names = ("mails", "parse_s", "write_s")
rows = rows_of(store_of(conf.load(Path("otclog.toml")).tables), TABLES["runs"], names)
print(json.dumps(dict(zip(names, max(rows)))))
"""


class Sampler:
    """CPU seconds of each user's processes, by time, those that have ended among them."""

    def __init__(self) -> None:
        self._last: dict[tuple[int, int], float] = {}  # (pid, started) -> seconds
        self._owner: dict[tuple[int, int], int] = {}
        self.samples: list[tuple[float, Counter[int]]] = []
        self._stop = threading.Event()

    def look(self) -> None:
        """Take a sample."""
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                owner, told = entry.stat().st_uid, (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            process = int(entry.name), int(told[19])
            self._owner[process], self._last[process] = owner, (int(told[11]) + int(told[12])) / TICKS
        found: Counter[int] = Counter()
        for process, seconds in self._last.items():
            found[self._owner[process]] += seconds  # type: ignore[assignment]  # seconds, not a count
        self.samples.append((time.time(), found))

    def run(self) -> None:
        """Until it is stopped."""
        while not self._stop.wait(SAMPLED_S):
            self.look()

    def stop(self) -> None:
        """End `run`."""
        self._stop.set()

    def between(self, start: float, end: float) -> Mapping[int, float]:
        """By user."""
        within = [found for at, found in self.samples if start <= at <= end]
        return {user: within[-1][user] - within[0][user] for user in within[-1]}


@contextmanager
def sampled() -> Iterator[Sampler]:
    """Within it CPU is sampled."""
    sampler = Sampler()
    thread = threading.Thread(target=sampler.run)
    thread.start()
    try:
        yield sampler
    finally:
        sampler.stop()
        thread.join()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """One of scripts/cluster-up."""
    folder = Path(tempfile.mkdtemp())
    home = folder / "cluster"
    try:
        subprocess.run([ROOT / "scripts" / "cluster-up", home], check=True, stdout=subprocess.DEVNULL)
        yield Cluster(home, "")
    finally:
        subprocess.run([ROOT / "scripts" / "cluster-down", home], check=True)
        shutil.rmtree(folder)


def said(cluster: Cluster, *words: str | Path) -> str:
    """What a command says on the driver's machine."""
    done = cluster.run("driver", *words, within_s=3600)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def take_in(cluster: Cluster, topic: str, partitions: int, mails: int) -> None:
    """So many generated mails into a new topic."""
    new = cluster.own("driver") / "mail" / "new"
    with tempfile.TemporaryDirectory() as folder:
        list(generate(Path(folder), mails, 1))
        for path in Path(folder).glob("*.eml"):
            shutil.copy(path, new)
            os.chown(new / path.name, new.stat().st_uid, new.stat().st_gid)
    environ = f"OTCLOG_INGEST_TOPIC={topic}", f"OTCLOG_INGEST_PARTITIONS={partitions}"
    said(cluster, "env", *environ, cluster.home / "node" / "bin" / "otclog", "watch", "--once")


def extracted(cluster: Cluster, name: str, executors: int, topic: str, mails_a_task: int) -> dict[str, float]:
    """The figures of a run into tables of its own: its row's, seconds of all else, and of CPU by kind of machine."""
    environ = f"OTCLOG_SPARK_EXECUTORS={executors}", f"OTCLOG_TABLES_ROOT=s3://otclog/{name}-measured"
    env = "env", *environ, cluster.home / "node" / "bin" / "python"
    with sampled() as sampler:
        done = cluster.run("driver", *env, "-c", _EXTRACT, name, topic, str(mails_a_task), within_s=3600)
    if done.returncode:
        raise SystemExit(done.stderr)
    started, ended = json.loads(done.stderr.rpartition("took")[2])
    row: dict[str, float] = json.loads(said(cluster, *env, "-c", _ROW))
    row["other"] = ended - started - row["parse_s"] - row["write_s"]
    taken = sampler.between(started, ended)
    for kind, names in MACHINES.items():
        row[kind] = sum(taken.get(61_000 + int(cluster.address(each).rpartition(".")[2]), 0.0) for each in names)
    return row


def main() -> None:
    """Run, and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=512)
    args = parser.parse_args()
    with running_cluster() as cluster:
        for topic, partitions, mails in (("mails", 4, args.mails), ("many", 64, 2 * args.tasks)):
            take_in(cluster, topic, partitions, mails)
        found: dict[int, list[dict[str, float]]] = {1: [], 2: []}
        for run in range(args.runs):
            for executors, rows in found.items():
                rows.append(extracted(cluster, f"scaled-{run}-{executors}", executors, "mails", 100))
        print(f"{machine()}; {args.mails} mails, median of {args.runs}\n")
        print(f"| executors | mails/s | spread | {' | '.join(f's of CPU, {each}' for each in MACHINES)} |")
        print(f"|{' --- |' * (3 + len(MACHINES))}")
        for executors, rows in found.items():
            rates = sorted(row["mails"] / (row["parse_s"] + row["write_s"]) for row in rows)
            cpu = [f"{statistics.median(row[kind] for row in rows):.2f}" for kind in MACHINES]
            rate = f"{statistics.median(rates):.1f} | {rates[0]:.1f} to {rates[-1]:.1f}"
            print(f"| {executors} | {rate} | {' | '.join(cpu)} |", flush=True)
        row = extracted(cluster, "many", 2, "many", 2)
        print(f"\n{row['mails']} mails of 64 partitions, two a task: {row['parse_s']:.1f} s of reading and parsing,")
        print(f"{row['write_s']:.1f} s of writing; {row['other']:.2f} s of planning and committing;")
        print(f"{row['driver']:.2f} s of the driver's CPU")


if __name__ == "__main__":
    main()
