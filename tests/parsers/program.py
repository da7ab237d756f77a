"""The commands of the parsers as programs of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RUN = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"
QUOTE: Mapping[str, Any] = {
    "kind": "quote",
    "part_path": "1",
    "description": "BACR 5.2 05/26",
    "asset_class": "corp_ig",
    "quote_type": "spread_bench_bp",
    "bid": "85",
    "ask": "80",
}
"""What it says."""


def otclog(*arguments: str | Path, cwd: Path, command: str = "parsers.cli.parse") -> subprocess.CompletedProcess[str]:
    """What a command does: the function, with its module."""
    module = command.rpartition(".")[0]
    program = f"import sys, typer, {module}; app = typer.Typer(); app.command()({command}); app()"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
