"""docs/consumers.md: its first example is a whole program."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import conf
from log import LogOptions, Record, TopicPartition, open_log

ROOT = Path(__file__).parents[3]
SOURCE = TopicPartition("mails", 0)


def test_the_first_example_runs_as_it_stands_in_a_home(
    tmp_path: Path, spawn: Callable[..., subprocess.Popen[str]]
) -> None:
    (tmp_path / "otclog.toml").write_text("[log]\n")
    options: LogOptions = conf.load(tmp_path / "otclog.toml", {}).log
    log = open_log(options)
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"desk", b"." * size) for size in (3, 5)])
    page = (ROOT / "docs" / "consumers.md").read_text("utf-8")
    (example, *_) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    environ = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    program = spawn([sys.executable, "-c", example], cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        assert [program.stdout.readline() for _ in range(2)] == ["mails-0 0 3\n", "mails-0 1 5\n"]
        deadline = time.monotonic() + 60
        while log.committed("audit") != {SOURCE: 2}:
            assert time.monotonic() < deadline, "the example did not commit"
            time.sleep(0.05)
    finally:
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=60)
        log.close()
