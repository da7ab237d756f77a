from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from conf import Settings

StartDaemon = Callable[..., "subprocess.Popen[bytes]"]
ROOT = Path(__file__).parent.parent.parent.parent
PROGRAM = "import typer; from ingest.lmtp.cli import lmtp; typer.run(lmtp)"


def test_a_second_daemon_on_the_same_socket_says_so_and_ends(start_daemon: StartDaemon, tmp_path: Path) -> None:
    start_daemon()
    second = subprocess.run(
        [sys.executable, "-c", PROGRAM, "--config", tmp_path / "otclog.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert "another daemon serves this socket" in second.stderr


def test_it_does_not_start_where_others_can_reach_the_log(settings: Settings, tmp_path: Path) -> None:
    settings.log.root.mkdir(mode=0o755)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "--config", tmp_path / "otclog.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"otclog: {settings.log.root} is open to others (mode 755): chmod 700 {settings.log.root}" in done.stderr
