"""A cluster that shares nothing, by scripts/cluster-up, and programs on its machines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_S = 1800  # of the demo on a busy machine: it packs, and each session sends the packs to two executors


MAIL = "BLDR 6.375 06/32 102.25/102.75\r\nCHTR 4.5 32 86.25/86.75\r\n"


@dataclass(frozen=True, slots=True)
class Cluster:
    """A folder of scripts/cluster-up."""

    home: Path
    said: str  # by who started it

    @property
    def is_isolated(self) -> bool:
        """Whether its machines are namespaces."""
        return (self.home / "switch").exists()

    def address(self, machine: str) -> str:
        return (self.home / "hosts" / machine / "address").read_text().strip()

    def own(self, machine: str) -> Path:
        """The folder that the machine's user may write."""
        return self.home / "hosts" / machine / "own"

    def command(self, machine: str, *words: str | Path) -> list[str]:
        """To run a command on a machine; `otclog` and `python` are those of the pack there."""
        program, *rest = words
        packed = self.home / "node" / "bin" / program
        there = packed if packed.is_file() else program
        return [str(each) for each in (ROOT / "scripts" / "cluster-on", self.home, machine, there, *rest)]

    def run(self, machine: str, *words: str | Path, within_s: float = 600) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(machine, *words), capture_output=True, text=True, check=False, timeout=within_s
        )

    def pids(self, of: str) -> list[int]:
        """Programs on any of its machines whose command has this in it, but not who started them there."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                program = (entry / "exe").readlink().name
            except OSError:  # it has just ended
                continue
            started = program.startswith(("java", "python", "weed"))
            if of in command and str(self.home) in command and started:
                found.append(int(entry.name))
        return found


@contextmanager
def demonstrated(folder: Path) -> Iterator[Cluster]:
    """The cluster on which the demo was played to its end."""
    missing = [program for program in ("java", "tar", "gzip") if not shutil.which(program)]
    if missing or not (ROOT / ".jars" / "kafka").is_dir():
        pytest.skip(f"needs {', '.join(missing) or 'jars'}: scripts/setup")
    home = folder / "cluster"
    command = [str(ROOT / "scripts" / "cluster-demo"), "--keep", str(home)]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=LONGEST_S
        )
        assert done.returncode == 0, done.stdout[-6000:]
        yield Cluster(home, done.stdout)
    finally:
        subprocess.run([str(ROOT / "scripts" / "cluster-down"), str(home)], check=True, timeout=300)
    assert not Cluster(home, "").pids("")
    assert not home.exists()


def isolated_or_skip(cluster: Cluster) -> None:
    """Skip the test where machines are but addresses."""
    if not cluster.is_isolated:
        pytest.skip(f"needs root, ip, and namespaces to be allowed, as user {os.geteuid()}: scripts/setup --system")


def lag_of(cluster: Cluster) -> int | None:
    """What is unread; None where nobody could tell."""
    done = cluster.run("driver", "otclog", "group", "lag", "--json")
    if done.returncode:
        return None
    return sum(int(json.loads(line)["lag"]) for line in done.stdout.splitlines())


def put_mails(cluster: Cluster, machine: str, name: str, mails: int) -> Path:
    """So many mails into a driver's Maildir; their Message-IDs begin with the name. Gives the folder they wait in."""
    new = cluster.own(machine) / "mail" / "new"
    owner = new.stat()
    for number in range(mails):
        text = f"From: desk@bank.example\r\nMessage-ID: <{name}.{number}@bank.example>\r\nSubject: run\r\n\r\n{MAIL}"
        (new / f"{name}.{number}").write_text(text)
        os.chown(new / f"{name}.{number}", owner.st_uid, owner.st_gid)
    return new


def deliver(cluster: Cluster, name: str, mails: int) -> int:
    """So many mails into the log, each acknowledged."""
    new = put_mails(cluster, "driver", name, mails)
    end = time.monotonic() + 300
    while any(new.iterdir()):
        assert time.monotonic() < end
        cluster.run("driver", "otclog", "watch", "--once")
    return mails


def positions_of(cluster: Cluster, name: str) -> dict[str, list[tuple[str, int, int]]]:
    """Topic, partition and offset of each outcome of such mails, by the mail's key."""
    found = defaultdict(list)
    for row in rows_of(cluster, "mails", "topic", "log_partition", "log_offset", "message_key", "message_id"):
        if str(row["message_id"]).startswith(f"{name}"):
            found[row["message_key"]].append((row["topic"], row["log_partition"], row["log_offset"]))
    return found


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


@contextmanager
def changed_on_workers(cluster: Cluster, command: str, undo: str) -> Iterator[None]:
    """Within it this was run in the namespaces of the workers' machines, as root, and is undone behind it."""
    _on_workers(cluster, command)
    try:
        yield
    finally:
        _on_workers(cluster, undo)


def _on_workers(cluster: Cluster, command: str) -> None:
    for name in ("worker1", "worker2"):
        pid = (cluster.home / "hosts" / name / "pid").read_text().strip()
        inside = ["nsenter", "-t", pid, "--net", "--mount", "--pid", "--root", "env", "-C", "/", "sh", "-c", command]
        subprocess.run(inside, check=True)
