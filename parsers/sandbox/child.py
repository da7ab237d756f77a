"""The child: run by path with `python -I`, told where the packages are, it parses mails until its input ends.

usage: child.py PACKAGE_ROOT PARENT_PID PARTS_DESCRIPTOR process|limits MEMORY_BYTES PART_DEADLINE_S TAUGHT_DESCRIPTOR
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from parsers.taught import Taught


def main(  # noqa: PLR0917  as on the command line
    root: str, parent: str, parts: str, sandbox: str, memory_bytes: str, deadline_s: str, taught_descriptor: str
) -> None:
    """Serve until the parent closes the pipe."""
    sys.path.insert(0, root)
    from parsers.sandbox import seccomp, walls

    walls.die_with(int(parent))
    walls.stand_apart()
    os.umask(0o077)
    Path.cwd().rmdir()  # no file can be made under a relative name, and nothing is left of the folder
    jobs, answers = _pipes()
    announcements = os.fdopen(int(parts), "wb")

    from parsers.codes import Code
    from parsers.parse import parse_mail
    from parsers.sandbox.engines import load_engines
    from parsers.sandbox.frames import BYTES, HEAD, OUTCOME, PART, READY, Frame
    from parsers.sandbox.questions import answer
    from parsers.wire import to_wire

    load_engines()
    taught, version = _taught(taught_descriptor)
    silence = os.open(os.devnull, os.O_WRONLY)
    if sandbox == "process":
        seccomp.filter_calls()
    os.dup2(silence, 2)  # until here our parent could read why we failed
    walls.close_in(int(memory_bytes))

    def send(to: BinaryIO, frame: Frame) -> None:
        to.write(frame.encode())
        to.flush()

    allowed_until = 0.0  # CPU seconds of this process

    def allow_cpu() -> None:
        nonlocal allowed_until
        if (now := time.process_time()) >= allowed_until:  # most parts are read before the limit need be moved
            walls.allow_cpu(float(deadline_s) + 1)
            allowed_until = now + 1

    def started(path: str) -> None:
        allow_cpu()
        send(announcements, Frame(PART, path.encode("utf-8", "replace")))

    send(answers, Frame(READY, version.encode()))
    while head := jobs.read(HEAD.size):
        _, length, _ = HEAD.unpack(head)
        size = int.from_bytes(jobs.read(4), "little")
        note = json.loads(jobs.read(size))
        raw = jobs.read(length - 4 - size)  # read by itself: a mail need not be cut out of a copy of it
        if "barred" not in note:
            allow_cpu()
            found = answer(note, raw, taught)
            send(answers, Frame(BYTES, b"" if found is None else b"+" + found))
            continue
        barred = {path: Code(code) for path, code in note["barred"].items()}
        allow_cpu()
        outcome = parse_mail(raw, taught, key=note["key"], barred=barred, started=started)
        send(answers, Frame(OUTCOME, to_wire(outcome)))


def _taught(descriptor: str) -> tuple[Taught, str]:
    """What users teach, and the version of the code that was just loaded, which may be newer than our parent's."""
    from parsers.taught import Taught
    from parsers.version import parser_version

    with os.fdopen(int(descriptor), "rb") as content:  # mapped: a dictionary of instruments has megabytes
        taught = Taught.decode(mmap.mmap(content.fileno(), 0, access=mmap.ACCESS_READ))
    return taught, parser_version(taught)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Jobs and answers on descriptors of their own: what an engine prints must not look like an answer."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return jobs, answers


if __name__ == "__main__":
    main(*sys.argv[1:])
