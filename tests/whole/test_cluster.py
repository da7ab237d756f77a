"""Driver and workers that share nothing but the log and the store: the demo, and what it leaves running."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.cluster import (
    LONGEST_S,
    ROOT,
    Cluster,
    changed_on_workers,
    deliver,
    demonstrated,
    isolated_or_skip,
    lag_of,
    positions_of,
    put_mails,
    rows_of,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LONGEST_S + 120)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with demonstrated(tmp_path_factory.mktemp("desk")) as found:
        yield found


def test_the_demo_loses_a_machine_and_leaves_the_rows_of_a_single_one(cluster: Cluster) -> None:
    mails = len(list((ROOT / "samples").glob("*.eml")))
    assert cluster.said.count("checked: each table has the same rows as before") == 2  # reparsed; on one machine
    assert "worker1 is lost" in cluster.said
    tables = dict(re.findall(r"^[0-9a-f]{64} (\d+) (\w+)$", cluster.said, re.MULTILINE)[::-1])
    counts = {name: int(rows) for rows, name in tables.items()}
    assert counts["mails"] == mails
    assert counts["quotes"] > mails


def test_a_run_on_the_workers_says_which_pack_they_ran(cluster: Cluster) -> None:
    made = (cluster.home / "otclog.tar.gz.sha256").read_text().split()[0]
    runs = rows_of(cluster, "runs", "run_id", "pack_sha256")
    assert {row["pack_sha256"] for row in runs} == {made}


@pytest.mark.parametrize("machine", ["worker1", "worker2"])
def test_a_worker_can_read_neither_the_checkout_nor_the_driver_nor_write_but_into_its_own_folder(
    cluster: Cluster, machine: str
) -> None:
    isolated_or_skip(cluster)
    out_of_reach = [ROOT / "pyproject.toml", ROOT / ".venv", cluster.own("driver"), cluster.home / "otclog.toml"]
    out_of_reach += [cluster.own("s3"), cluster.home / "secret", Path("/root/.ssh"), Path("/home")]
    tried = "import sys, pathlib; print([p for p in sys.argv[1:] if pathlib.Path(p).exists()])"
    done = cluster.run(machine, "python", "-c", tried, *out_of_reach)
    assert done.stdout == "[]\n", done.stderr
    wrote = "import os, sys; print(os.getuid(), [p for p in sys.argv[1:] if os.access(p, os.W_OK)])"
    done = cluster.run(machine, "python", "-c", wrote, cluster.home / "node", "/usr", "/etc", cluster.own(machine))
    user, _, writable = done.stdout.strip().partition(" ")
    assert int(user) > 60_000
    assert writable == f"['{cluster.own(machine)}']"
    mine = cluster.run(machine, "sh", "-c", "ls -d /proc/[0-9]* | wc -l")
    assert int(mine.stdout) < 40  # it sees its own processes alone


def test_no_secret_is_in_a_commands_arguments_or_in_what_spark_keeps(cluster: Cluster) -> None:
    secret = re.findall("=(.*)", (cluster.home / "secret").read_text())[0]
    keys = re.findall("KEY(?:_ID)?=(.*)", (cluster.own("s3") / "credentials").read_text())
    hidden = [each.encode() for each in (secret, *keys)]
    assert len(hidden) == 3
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
        except OSError:
            continue
        assert not [each for each in hidden if each in command]
    kept = [path for name in ("worker1", "worker2", "master") for path in (cluster.own(name)).rglob("stdout*")]
    kept += [path.with_name("stderr") for path in kept if path.with_name("stderr").exists()]
    kept += [cluster.home / "hosts" / name / "log" for name in ("worker1", "worker2", "master", "driver")]
    said = {path: path.read_bytes() for path in kept}
    assert sum(map(len, said.values())) > 1000  # there was something to look through
    assert not [path for path, content in said.items() for each in hidden if each in content]


def test_a_master_that_stands_still_and_one_that_is_not_there_are_told(cluster: Cluster) -> None:
    (master,) = cluster.pids("deploy.master.Master --host")
    rewind = ("group", "rewind", "extract", "mails", "--to-earliest", "--execute")
    assert cluster.run("driver", "otclog", *rewind).returncode == 0
    os.kill(master, signal.SIGSTOP)
    try:
        stopped = cluster.run("driver", "otclog", "extract")
    finally:
        os.kill(master, signal.SIGCONT)
    assert stopped.returncode == 75
    assert re.search(r"otclog: no answer from spark://\S+ within 10 s: does it stand still\?", stopped.stderr)
    gone = "OTCLOG_SPARK_MASTER=spark://127.0.0.1:1"
    began = time.monotonic()
    refused = cluster.run("driver", "env", gone, cluster.home / "node" / "bin" / "otclog", "extract")
    assert time.monotonic() - began < 30
    assert "no answer from spark://127.0.0.1:1 (127.0.0.1:1: [Errno 111] Connection refused)" in refused.stderr


def test_a_driver_with_another_secret_is_refused_in_a_line(cluster: Cluster) -> None:
    other = ("env", "_SPARK_AUTH_SECRET=another", cluster.home / "node" / "bin" / "otclog", "extract")
    done = cluster.run("driver", *other)
    assert done.returncode == 1
    assert re.search(r"otclog: spark://\S+ does not speak with us: has it the same secret", done.stderr)


def test_of_a_cluster_that_is_not_there_nothing_is_ended(tmp_path: Path) -> None:
    done = subprocess.run([ROOT / "scripts" / "cluster-down", tmp_path / "none"], check=False)
    assert done.returncode == 0


class Following:
    """`otclog extract --every 2s` on the driver's machine, started again whenever it has ended."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._process: subprocess.Popen[bytes] | None = None

    def goes_on(self) -> None:
        if self._process is None or self._process.poll() is not None:
            with (self._cluster.home / "following.log").open("ab") as log:
                command = self._cluster.command("driver", "otclog", "extract", "--every", "2s")
                self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def end(self) -> None:
        for pid in self._cluster.pids("-m otclog extract --every"):
            os.kill(pid, signal.SIGKILL)
        if self._process:
            self._process.wait()


WORKER = "org.apache.spark.deploy.worker.Worker"
VICTIMS = {  # by what is in their command; those that nobody else starts again are started as they were
    "executor": ("CoarseGrainedExecutorBackend", None),
    "worker": (f"{WORKER} spark://", "worker2"),
    "broker": ("kafka2/own/server.properties", "kafka2"),
    "store": ("weed -logtostderr server", "s3"),
    "driver": ("-m otclog extract --every", None),
}
STOPPED_S = 30.0


def strike(cluster: Cluster, following: Following, victim: str, how: str) -> None:
    """kill -9, or stop for a while, one process of the kind; an executor may have to be started first."""
    sign, machine = VICTIMS[victim]
    end = time.monotonic() + 180
    while not (pids := [pid for pid in cluster.pids(sign) if machine is None or f"/{machine}/" in command_of(pid)]):
        assert time.monotonic() < end, f"there is no {victim}"
        following.goes_on()
        time.sleep(0.1)
    if how == "stop":
        os.kill(pids[0], signal.SIGSTOP)
        time.sleep(STOPPED_S)
        for pid in (parent_of(pids[0]), pids[0]):  # who started it in its namespace has stopped with it
            os.kill(pid, signal.SIGCONT)
        return
    words = Path(f"/proc/{pids[0]}/cmdline").read_text().split("\0")[:-1]
    if victim == "worker":  # what tells it where Spark is, and its executors, is in no argument
        words = ["spark-class", *words[words.index(WORKER) :]]
    os.kill(pids[0], signal.SIGKILL)
    if machine:
        with (cluster.home / "hosts" / machine / "log").open("ab") as log:
            subprocess.run(["setsid", "--fork", *cluster.command(machine, *words)], stdout=log, stderr=log, check=True)


def parent_of(pid: int) -> int:
    return int(re.findall(r"^PPid:\t(\d+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[0])


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


@pytest.mark.parametrize(
    "rounds",
    [pytest.param(3, id="3"), pytest.param(60, id="60", marks=[pytest.mark.soak, pytest.mark.timeout(6 * 3600)])],
)
def test_processes_that_are_killed_or_stand_still_cost_no_mail_and_repeat_none(
    cluster: Cluster, rounds: int, record_property: Callable[[str, object], None]
) -> None:
    seed = int(os.environ.get("TEST_SEED", time.time_ns() % 10**6))
    chosen = random.Random(seed)
    following, sent = Following(cluster), 0
    struck = [(victim, how) for how in ("kill", "stop") for victim in VICTIMS]
    chosen.shuffle(struck)
    try:
        for number in range(rounds):
            victim, how = struck[number % len(struck)]
            sent += deliver(cluster, f"{seed}-{number}", 20)
            following.goes_on()
            time.sleep(chosen.uniform(0, 20))
            strike(cluster, following, victim, how)
            end = time.monotonic() + 900
            while lag_of(cluster) != 0:
                assert time.monotonic() < end, f"seed {seed}: nobody reads on after {how} of {victim}"
                following.goes_on()
                time.sleep(2)
    finally:
        following.end()
    positions = positions_of(cluster, f"{seed}-")
    assert len(positions) == sent, f"seed {seed}"
    assert max(Counter(chain(*positions.values())).values()) == 1, f"seed {seed}"
    for worker in ("worker1", "worker2"):  # whichever was struck works on; an executor may be ended amid its start
        told = (cluster.home / "hosts" / worker / "log").read_text()
        assert told.count("finished with state FAILED") < told.count("Asked to launch executor") / 2, f"seed {seed}"
    record_property("count", f"{rounds} of kill -9 and SIGSTOP on a cluster: {sent} mails, 0 lost, 0 rows twice")


@pytest.mark.parametrize(
    "apart",
    [
        pytest.param("", id="clocks alike"),
        # With the wall clock faketime moves what threads count their waits by: they turn round instead of waiting.
        pytest.param("-5m", marks=pytest.mark.soak, id="clocks five minutes apart"),
    ],
)
def test_of_two_drivers_on_two_hosts_one_extracts_and_the_other_says_who(
    cluster: Cluster, needs: Callable[..., str], apart: str
) -> None:
    faked = []
    if apart:
        asked = [needs("faketime"), "-f", apart, "printenv", "LD_PRELOAD"]
        library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        faked = ["env", f"LD_PRELOAD={library}", f"FAKETIME={apart}"]
    name = f"two-{time.time_ns()}"
    assert deliver(cluster, name, 10)
    command = cluster.command("driver", "otclog", "extract")
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 300
    while not (jvm := cluster.pids("org.apache.spark.deploy.SparkSubmit")):
        assert first.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
    for pid in jvm:  # so that it works on while the other asks, however long that takes; its lease is Python's to renew
        os.kill(pid, signal.SIGSTOP)
    try:
        otclog = cluster.home / "node" / "bin" / "otclog"
        second = cluster.run("driver2", *faked, otclog, "extract", within_s=1500)
    finally:
        for pid in jvm:
            os.kill(pid, signal.SIGCONT)
    _, told = first.communicate(timeout=600)
    assert first.returncode == 0, told
    assert second.returncode == 75, second.stderr
    assert re.search(r"by process \d+ on driver;", second.stderr), second.stderr
    positions = positions_of(cluster, name)
    assert sorted(map(len, positions.values())) == [1] * 10


def test_what_a_driver_that_was_lost_had_begun_another_host_ends(cluster: Cluster, seed: int) -> None:
    name = f"lost-{time.time_ns()}"
    assert deliver(cluster, name, 20)
    lost = subprocess.Popen(cluster.command("driver", "otclog", "extract"), stderr=subprocess.DEVNULL)
    end = time.monotonic() + 300
    while not cluster.pids("pipelines.jobs.spark.worker_daemon"):  # amid the reading
        assert lost.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
    time.sleep(random.Random(seed).uniform(0, 6))
    for pid in cluster.pids("-m otclog extract"):
        os.kill(pid, signal.SIGKILL)
    assert lost.wait()
    done = cluster.run("driver2", "otclog", "extract")
    assert done.returncode == 0, done.stderr
    assert lag_of(cluster) == 0
    assert sorted(map(len, positions_of(cluster, name).values())) == [1] * 20


def side_by_side(cluster: Cluster, *commands: list[str]) -> list[subprocess.CompletedProcess[str]]:
    """Commands that are begun without waiting for any, and how each ended."""
    begun = [
        subprocess.Popen(cluster.command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for words in commands
    ]
    ended = []
    for process in begun:
        said, told = process.communicate(timeout=600)
        ended.append(subprocess.CompletedProcess(process.args, process.returncode, said, told))
    return ended


def test_a_mail_that_two_hosts_have_taken_is_shown_once(cluster: Cluster) -> None:
    name = f"both-{time.time_ns()}"
    for machine in ("driver", "driver2"):
        put_mails(cluster, machine, name, 10)
    for done in side_by_side(cluster, *([machine, "otclog", "watch", "--once"] for machine in ("driver", "driver2"))):
        assert done.returncode == 0, done.stderr
    otclog = cluster.home / "node" / "bin" / "otclog"
    done = cluster.run("driver", "env", "OTCLOG_EXTRACT_SMALL_MAILS=100", otclog, "extract")
    assert done.returncode == 0, done.stderr
    assert lag_of(cluster) == 0
    positions = positions_of(cluster, name)
    assert len(positions) == 10
    assert 10 <= len(set(chain(*positions.values()))) == sum(map(len, positions.values())) <= 20
    shown = cluster.run("driver2", "otclog", "prices", "--limit", "1000", "--json").stdout.splitlines()
    keys = Counter(quote["message_key"] for quote in map(json.loads, shown) if quote["message_key"] in positions)
    assert keys == dict.fromkeys(positions, 2)  # a mail has two quotes


@pytest.mark.soak  # each of a task's four attempts waits a minute for it
def test_a_store_that_the_workers_do_not_reach_is_told_with_their_names(cluster: Cluster) -> None:
    isolated_or_skip(cluster)
    assert deliver(cluster, f"apart-{time.time_ns()}", 3)
    route = f"unreachable {cluster.address('s3')}"
    with changed_on_workers(cluster, f"ip route add {route}", f"ip route del {route}"):
        done = cluster.run("driver", "otclog", "extract", within_s=1200)
    assert done.returncode == 75, done.stderr
    assert re.search(r"otclog: .*s3://otclog\S* .*\(on \S+, worker[12]\)", done.stderr), done.stderr


def test_a_python_that_is_missing_on_the_workers_machines_is_told_with_their_names(cluster: Cluster) -> None:
    isolated_or_skip(cluster)
    python = python_of(cluster)
    assert deliver(cluster, f"broken-{time.time_ns()}", 3)
    with changed_on_workers(cluster, f"mount --bind /dev/null {python}", f"umount {python}"):
        done = cluster.run("driver", "otclog", "extract")
    assert done.returncode == 75, done.stderr
    said = r"worker[12] has no Python 3\.\d+ at \S+, for which otclog was packed \(on \S+\)"
    assert re.search(said, done.stderr), done.stderr


def python_of(cluster: Cluster) -> Path:
    """The one that the pack's is a link to."""
    (python,) = (link.readlink() for link in (cluster.home / "node" / "bin").glob("python3.*"))
    return python
