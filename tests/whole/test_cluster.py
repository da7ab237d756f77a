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
from pathlib import Path
from typing import Any

import pytest

from tests.cluster import LONGEST_S, ROOT, Cluster, demonstrated, isolated_or_skip

MAIL = "BLDR 6.375 06/32 102.25/102.75\r\nCHTR 4.5 32 86.25/86.75\r\n"
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
    assert not [path for path in kept for each in hidden if each in path.read_bytes()]


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


def test_the_scripts_leave_nothing_behind(tmp_path: Path) -> None:
    """Of a cluster that is not there nothing is ended."""
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


VICTIMS = {  # by what is in their command; those that nobody else starts again are started as they were
    "executor": ("CoarseGrainedExecutorBackend", None),
    "worker": ("deploy.worker.Worker --host", "worker2"),
    "broker": ("kafka2/own/server.properties", "kafka2"),
    "store": ("weed -logtostderr server", "s3"),
    "driver": ("-m otclog extract --every", None),
}
STOPPED_S = 30.0


def strike(cluster: Cluster, victim: str, how: str) -> None:
    """kill -9, or stop for a while, one process of the kind."""
    sign, machine = VICTIMS[victim]
    pids = [pid for pid in cluster.pids(sign) if machine is None or f"/{machine}/" in command_of(pid)]
    if not pids:  # between two executors
        return
    if how == "stop":
        os.kill(pids[0], signal.SIGSTOP)
        time.sleep(STOPPED_S)
        for pid in (parent_of(pids[0]), pids[0]):  # who started it in its namespace has stopped with it
            os.kill(pid, signal.SIGCONT)
        return
    words = Path(f"/proc/{pids[0]}/cmdline").read_text().split("\0")[:-1]
    os.kill(pids[0], signal.SIGKILL)
    if machine:
        with (cluster.home / "hosts" / machine / "log").open("ab") as log:
            subprocess.run(["setsid", "--fork", *cluster.command(machine, *words)], stdout=log, stderr=log, check=True)


def parent_of(pid: int) -> int:
    return int(re.findall(r"^PPid:\t(\d+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[0])


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def lag_of(cluster: Cluster) -> int | None:
    """What is unread; None where nobody could tell."""
    done = cluster.run("driver", "otclog", "group", "lag", "--json")
    if done.returncode:
        return None
    return sum(int(json.loads(line)["lag"]) for line in done.stdout.splitlines())


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
            strike(cluster, victim, how)
            end = time.monotonic() + 900
            while lag_of(cluster) != 0:
                assert time.monotonic() < end, f"seed {seed}: nobody reads on after {how} of {victim}"
                following.goes_on()
                time.sleep(2)
    finally:
        following.end()
    mails = rows_of(cluster, "mails", "topic", "log_partition", "log_offset", "message_key", "message_id")
    once = Counter(row["message_key"] for row in mails if str(row["message_id"]).startswith(f"{seed}-"))
    assert len(once) == sent, f"seed {seed}"
    positions = Counter((row["topic"], row["log_partition"], row["log_offset"]) for row in mails)
    assert max(positions.values()) == 1, f"seed {seed}"
    record_property("count", f"{rounds} rounds of kill -9 and SIGSTOP on a cluster: {sent} mails, 0 lost, 0 rows twice")


def deliver(cluster: Cluster, name: str, mails: int) -> int:
    """So many mails into the log, each acknowledged."""
    new = cluster.own("driver") / "mail" / "new"
    owner = new.stat()
    for number in range(mails):
        text = f"From: desk@bank.example\r\nMessage-ID: <{name}.{number}@bank.example>\r\nSubject: run\r\n\r\n{MAIL}"
        (new / f"{name}.{number}").write_text(text)
        os.chown(new / f"{name}.{number}", owner.st_uid, owner.st_gid)
    end = time.monotonic() + 300
    while any(new.iterdir()):
        assert time.monotonic() < end
        cluster.run("driver", "otclog", "watch", "--once")
    return mails


def rows_of(cluster: Cluster, table: str, *names: str) -> list[dict[str, Any]]:
    code = (
        "import json, sys, conf; from pathlib import Path; from pipelines.readers.digest import rows_of; "
        "from pipelines.tables.schemas import TABLES; from pipelines.tables.store.store import store_of; "
        "store, (table, *names) = store_of(conf.load(Path('otclog.toml')).tables), sys.argv[1:]; "
        "print(json.dumps([dict(zip(names, row)) for row in rows_of(store, TABLES[table], names)]))"
    )
    done = cluster.run("driver", "python", "-c", code, table, *names)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_a_python_that_is_missing_on_the_workers_machines_is_told_with_their_names(cluster: Cluster) -> None:
    isolated_or_skip(cluster)
    (python,) = (link.readlink() for link in (cluster.home / "node" / "bin").glob("python3.*"))
    assert deliver(cluster, f"broken-{time.time_ns()}", 3)
    on_workers(cluster, f"mount --bind /dev/null {python}")
    try:
        done = cluster.run("driver", "otclog", "extract")
    finally:
        on_workers(cluster, f"umount {python}")
    assert done.returncode == 75, done.stderr
    said = r"worker[12] has no Python 3\.\d+ at \S+, for which otclog was packed \(on \S+\)"
    assert re.search(said, done.stderr), done.stderr


def on_workers(cluster: Cluster, command: str) -> None:
    """Run it in the namespaces of their machines, as root."""
    for name in ("worker1", "worker2"):
        pid = (cluster.home / "hosts" / name / "pid").read_text().strip()
        inside = ["nsenter", "-t", pid, "--net", "--mount", "--pid", "--root", "env", "-C", "/", "sh", "-c", command]
        subprocess.run(inside, check=True)
