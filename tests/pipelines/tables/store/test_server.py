"""scripts/s3-up and s3-down: a server of one's own, which nobody else reaches."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from pathlib import Path

from tests.pipelines.stores import ROOT, Server


def test_the_server_listens_on_loopback_alone_and_its_keys_are_its_owners(s3: Server) -> None:
    home = s3.credentials.parent
    process = Path("/proc") / (home / "pid").read_text().strip()
    mine = {
        match[1] for fd in (process / "fd").iterdir() if (match := re.match(r"socket:\[(\d+)\]", str(fd.readlink())))
    }
    sockets = [
        line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]
    ]
    listening = {fields[1].split(":")[0] for fields in sockets if fields[3] == "0A" and fields[9] in mine}
    assert listening == {"0100007F"}
    assert {stat.S_IMODE((home / name).stat().st_mode) for name in ("credentials", "s3.json", "log")} == {0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    secret = re.search(r"SECRET_ACCESS_KEY=(\w{40})", s3.credentials.read_text())
    assert secret is not None
    assert secret[1] not in (process / "cmdline").read_text()
    assert "-master.telemetry=false" in (process / "cmdline").read_text()


def test_a_folder_that_is_there_is_not_taken_for_a_server(tmp_path: Path) -> None:
    done = subprocess.run(["scripts/s3-up", "1", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    said = f"{tmp_path} is there already: scripts/s3-down {tmp_path}, or name another folder\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_only_a_server_is_ended_not_what_has_its_number_now(tmp_path: Path) -> None:
    home = tmp_path / "server"
    home.mkdir()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        (home / "pid").write_text(f"{other.pid}\n")
        (home / "ports").write_text("1\n")
        subprocess.run(["scripts/s3-down", str(home)], cwd=ROOT, check=True)
        assert other.poll() is None
        assert not home.exists()
        other.communicate(b"\n")


def test_nothing_is_removed_where_no_server_was(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    subprocess.run(["scripts/s3-down", str(tmp_path)], cwd=ROOT, check=True)
    assert (tmp_path / "mine").exists()
