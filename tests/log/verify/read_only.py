"""A process of its own mount namespace: a home becomes read-only, and each command is asked there.

python -m tests.log.verify.read_only HOME COMMAND ...      a JSON line a command: command, code, stderr
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from otclog import app

NOT_ALLOWED = 77


def main() -> int:
    """Mount, then run all."""
    home, *commands = sys.argv[1:]
    for mount in (["--bind", home, home], ["-o", "remount,bind,ro", home]):
        done = subprocess.run(["mount", *mount], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.stderr.write(done.stderr)
            return NOT_ALLOWED
    for command in commands:
        result = CliRunner().invoke(app, [*command.split(), "--config", str(Path(home) / "otclog.toml")])
        print(json.dumps({"command": command, "code": result.exit_code, "stderr": result.stderr}))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
