"""A cluster that shares nothing, by scripts/cluster-up, and programs on its machines."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_S = 1800  # of the demo on a busy machine: it packs, and each session sends the packs to two executors


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
        subprocess.run([str(ROOT / "scripts" / "cluster-down"), str(home)], check=True, timeout=60)


def isolated_or_skip(cluster: Cluster) -> None:
    """Skip the test where machines are but addresses."""
    if not cluster.is_isolated:
        pytest.skip(f"needs root, ip, and namespaces to be allowed, as user {os.geteuid()}: scripts/setup --system")
