"""One child process, from its start to its end, as its parent sees it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from parsers.codes import Code
from parsers.sandbox.announced import Announced
from parsers.sandbox.failures import Allowance, ChildFailed, ParserChanged, StartFailed
from parsers.sandbox.frames import BYTES, OUTCOME, READY, FrameError, job, take_frame
from parsers.sandbox.options import SandboxSettings
from parsers.sandbox.walls import standing
from parsers.sandbox.watch import Watch
from parsers.taught import Taught
from parsers.version import parser_version

_ROOT = Path(__file__).resolve().parents[2]
_CHILD = Path(__file__).with_name("child.py")
_START_S = 120.0  # wall time for loading the engines on a machine with other things to do
_TICK_S = 0.25  # how often a child's clocks are looked at
_LAST_S = 1.0  # wall time for a child whose output has ended to end, too, and so to say why
_CHUNK = 1 << 18


class Child:
    """Starts at once; loading its engines goes on while others work."""

    def __init__(self, options: SandboxSettings, taught: Taught) -> None:
        """Raises StartFailed where the system has no process, file or memory for it."""
        self._options = options
        self._taught = taught
        with contextlib.ExitStack() as undone:
            try:
                self._errors = undone.enter_context(tempfile.TemporaryFile())  # what it says while it starts
                self._parts = Announced()
                undone.callback(self._parts.close)
                self._folder = Path(tempfile.mkdtemp(prefix="otclog-parser-"))  # 0700; the child takes its name away
                undone.callback(self._folder.rmdir)
                try:
                    self._process = self._started()
                finally:
                    os.close(self._parts.write_end)
            except OSError as error:
                raise StartFailed(f"the parser process cannot be started: {error}") from error
            undone.pop_all()
        self._buffer = bytearray()
        self._is_ready = False

    def _started(self) -> subprocess.Popen[bytes]:
        options = self._options
        with tempfile.TemporaryFile() as taught:  # not the users' files: these may change before it reads them
            taught.write(self._taught.content)
            taught.seek(0)
            told = [options.sandbox, options.memory_bytes, options.part_deadline_s, taught.fileno()]
            return subprocess.Popen(
                [sys.executable, "-I", _CHILD, _ROOT, *map(str, (os.getpid(), self._parts.write_end, *told))],
                pass_fds=[self._parts.write_end, taught.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=self._folder,
                env={"LC_ALL": "C.UTF-8"},
                start_new_session=True,
                bufsize=0,
                pipesize=_CHUNK,  # most mails in one piece
            )

    @property
    def pid(self) -> int:
        """Of the process, and of its group."""
        return self._process.pid

    def is_up(self) -> bool:
        """Whether it has loaded its engines, or ended; asked before its first job."""
        return self._is_ready or self._says_something(0)

    def run(self, raw: bytes, key: str, barred: Mapping[str, Code], allowance: Allowance) -> bytes:
        """The outcome of a mail, as the child wrote it. What it took is gone from the allowance.

        Args:
            raw: the mail.
            key: its SHA-256, hex.
            barred: as `parse_mail` takes them.
            allowance: wall time.

        Raises:
            ChildFailed: it hung, died or talked nonsense, and is gone.
            StartFailed: it never came up.
            ParserChanged: it is of another parser version than this process.
        """
        return self._asked({"key": key, "barred": barred}, raw, OUTCOME, allowance)

    def part_bytes(self, raw: bytes, path: str, allowance: Allowance) -> bytes | None:
        """The bytes of a part, as `parsers.mail.partbytes` finds them. Raises as `run`."""
        answer = self._asked({"wanted": path}, raw, BYTES, allowance)
        return answer[1:] if answer else None

    def account(self, raw: bytes, part_path: str, record_id: str, allowance: Allowance) -> bytes | None:
        """The account of a quote, as `parsers.account` sends it. Raises as `run`."""
        answer = self._asked({"accounted": [part_path, record_id]}, raw, BYTES, allowance)
        return answer[1:] if answer else None

    def lesson(self, raw: bytes, truths: Sequence[Mapping[str, object]], seconds: float, allowance: Allowance) -> bytes:
        """What a mail and its truth teach, as `parsers.learning` finds it; JSON. Raises as `run`."""
        return self._asked({"truth": truths, "seconds": seconds}, raw, BYTES, allowance)[1:]

    def walls(self) -> list[str]:
        """The walls around it, which it has put up when it is ready. Raises StartFailed."""
        self._await_ready()
        return standing(self.pid)

    def _asked(self, note: Mapping[str, object], raw: bytes, kind: bytes, allowance: Allowance) -> bytes:
        """What it answers to a job, in a frame of this kind."""
        self._await_ready()
        self._parts.begin()
        began = time.monotonic()
        try:
            return self._exchange(job(json.dumps(note).encode(), raw), kind, began + allowance.left_s)
        except FrameError as error:
            raise self._failed(Code.PARSER_ERROR, f"the parser process talked nonsense: {error}") from error
        finally:
            allowance.left_s -= time.monotonic() - began

    def close(self) -> None:
        """End it, wherever it is in its life, and leave nothing of it."""
        self._end()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._parts.close()
        with contextlib.suppress(OSError):
            self._folder.rmdir()  # where it had no time to do so itself

    def _end(self) -> None:
        """Kill it and its process group. What left the group, which root may, lives on."""
        if self._process.returncode is None:  # once waited for, its id may be another's
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _pipes(self) -> tuple[int, int]:
        """Descriptors of its input and its output."""
        if self._process.stdin is None or self._process.stdout is None:
            raise StartFailed("the parser process has no pipes")
        return self._process.stdin.fileno(), self._process.stdout.fileno()

    def _says_something(self, within_s: float) -> bool:
        readable = select.poll()  # select() takes no descriptor beyond 1,023
        readable.register(self._pipes()[1], select.POLLIN)
        return bool(readable.poll(within_s * 1000))

    def _await_ready(self) -> None:
        if self._is_ready:
            return
        end = time.monotonic() + _START_S
        _, out = self._pipes()
        while (frame := take_frame(self._buffer)) is None:
            data = os.read(out, _CHUNK) if self._says_something(max(end - time.monotonic(), 0)) else b""
            if not data:
                self._errors.seek(0)
                said = self._errors.read(4000).decode("utf-8", "replace").strip().rpartition("\n")[2]
                self.close()
                raise StartFailed(f"the parser process does not start: {said or 'no answer'}")
            self._buffer += data
        own, asked = frame.body.decode("utf-8", "replace"), parser_version(self._taught)
        if own != asked:
            self.close()
            raise ParserChanged(f"the parsers on disk are now {own}, and this process began with {asked}")
        self._is_ready = frame.kind == READY
        os.set_blocking(self._pipes()[0], False)

    def _exchange(self, sent: bytes, kind: bytes, end: float) -> bytes:
        """Send the job and read until the answer, watching the part's clocks and the mail's end."""
        into, out = self._pipes()
        pending = memoryview(sent)
        poll = select.poll()
        poll.register(out, select.POLLIN)
        poll.register(into, select.POLLOUT)
        watch = Watch(self.pid, self._options.part_deadline_s)
        look_at = time.monotonic() + _TICK_S
        while True:
            able = {descriptor for descriptor, _ in poll.poll(_TICK_S * 1000)}
            if into in able:
                try:
                    pending = pending[os.write(into, pending[:_CHUNK]) :]
                except BrokenPipeError:
                    pending = memoryview(b"")  # the end of its output says the rest
                if not pending:
                    poll.unregister(into)
            if out in able and (answer := self._read_on(out, kind)) is not None:
                return answer
            if (now := time.monotonic()) >= look_at:
                look_at = now + _TICK_S
                self._look_at_clocks(watch, end)

    def _look_at_clocks(self, watch: Watch, end: float) -> None:
        if time.monotonic() > end:  # it may be no part's fault
            raise self._failed(Code.PARSE_TIMEOUT, "the parts of the mail together took too long", of_part=False)
        if self._parts.update():
            watch.restart()
        if why := watch.expired():
            raise self._failed(Code.PARSE_TIMEOUT, why)

    def _read_on(self, out: int, kind: bytes) -> bytes | None:
        """What has come of the answer; None while it is not whole."""
        data = os.read(out, _CHUNK)
        if not data:
            raise self._died()
        self._buffer += data
        frame = take_frame(self._buffer)
        if frame is not None and frame.kind != kind:
            raise FrameError(f"a frame of kind {frame.kind!r} out of turn")
        return None if frame is None else frame.body

    def _died(self) -> ChildFailed:
        """Its output ended. A child that only closed it is killed; one that dies of itself keeps its status."""
        end = time.monotonic() + _LAST_S
        dead_yet = os.WEXITED | os.WNOHANG | os.WNOWAIT  # a look: its id stays its own until the group is killed
        while os.waitid(os.P_PID, self._process.pid, dead_yet) is None and time.monotonic() < end:
            time.sleep(0.01)
        self._end()
        status = self._process.returncode
        if status == -signal.SIGXCPU:
            return self._failed(Code.PARSE_TIMEOUT, "its CPU time was up")
        if status == -signal.SIGKILL:
            return self._failed(Code.PARSER_ERROR, "the parser process was killed, or closed its output")
        how = f"died by {_signal_name(-status)}" if status < 0 else f"ended with exit code {status}"
        return self._failed(Code.PARSER_ERROR, f"the parser process {how}")

    def _failed(self, code: Code, why: str, *, of_part: bool = True) -> ChildFailed:
        self._end()
        with contextlib.suppress(FrameError):  # what it announced before it talked nonsense stands
            self._parts.update()
        self.close()
        return ChildFailed(code, why, self._parts.part if of_part else None)


def _signal_name(number: int) -> str:
    """As `SIGSEGV`; a child may send itself those without a name, too."""
    return next((known.name for known in signal.Signals if known == number), f"signal {number}")
