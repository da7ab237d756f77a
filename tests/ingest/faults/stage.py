"""Runs watchers as forked children, everything imported: so that a test can kill hundreds of them, each at one call.

usage: stage.py        reads lines from stdin:   <path of otclog.toml> <traced: 0 or 1>
                       writes lines to stdout:   pid <n>   when the child is there
                                                 end <n>   its wait status: negative is a signal

A traced child begins when a tracer has hold of it.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from pathlib import Path

import conf
from ingest.watch import Watcher
from log import open_log


def main() -> None:
    """Serve until stdin ends."""
    for line in sys.stdin:
        config, traced = line.split()
        pid = os.fork()
        if not pid:
            try:
                if traced == "1":
                    await_tracer()
                settings = conf.load(Path(config), {})
                with closing(open_log(settings.log)) as log:
                    Watcher(log, settings, lambda _: None).run_once()
                os._exit(0)
            finally:
                os._exit(1)
        say(f"pid {pid}")
        _, status = os.waitpid(pid, 0)
        say(f"end {os.waitstatus_to_exitcode(status)}")


def await_tracer() -> None:
    """Return when strace is attached."""
    while "TracerPid:\t0\n" in Path("/proc/self/status").read_text("ascii"):
        time.sleep(0.001)


def say(line: str) -> None:
    """To the test."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
