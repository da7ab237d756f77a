"""conf.process"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conf.process import Stop, signals_call
from conf.settings import Settings

ROOT = Path(__file__).parents[2]
PREPARED = """
import logging, sys
from pathlib import Path
from conf.process import prepare
settings = prepare(Path(sys.argv[1]))
settings.log.root.mkdir()
logging.getLogger("any").warning("%s", "heard\\notclog: forged \\u202e")
"""


def test_what_a_prepared_process_makes_is_its_owners_alone_and_a_warning_is_one_line(
    settings: Settings, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", PREPARED, str(tmp_path / "otclog.toml")]
    done = subprocess.run(command, cwd=ROOT, umask=0, text=True, capture_output=True, check=True)
    assert settings.log.root.stat().st_mode & 0o777 == 0o700
    assert done.stderr == "otclog: heard\\notclog: forged \\u202e\n"


INTERRUPTED = """
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    logging.exception("KeyboardInterrupt while sending command.")
"""
REENTERED = """
try:
    try:
        raise RuntimeError("reentrant call inside <_io.BufferedReader name=15>")
    except RuntimeError as error:
        raise ConnectionError("Error while sending or receiving") from error
except ConnectionError:
    logging.exception("Exception while sending command.")
"""
CUT_OFF = """
try:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise BrokenPipeError
except BrokenPipeError:
    logging.exception("while shutting down")
"""


@pytest.mark.parametrize("interrupted", [INTERRUPTED, REENTERED, CUT_OFF])
def test_a_ctrl_c_that_a_library_logs_is_not_shown_with_its_traceback(
    settings: Settings, tmp_path: Path, interrupted: str
) -> None:
    command = [sys.executable, "-c", f"import signal\n{PREPARED}{interrupted}", str(tmp_path / "otclog.toml")]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
    assert settings.log.root.exists()
    assert done.stderr == "otclog: heard\\notclog: forged \\u202e\n"


@pytest.mark.parametrize(
    "words",
    [["watch", "--once"], ["lmtp"], ["import", "x"], ["extract"], ["reparse", "mails"]],
    ids=lambda words: words[0],
)
def test_no_command_writes_where_others_may_look(settings: Settings, tmp_path: Path, words: list[str]) -> None:
    assert settings.tables.folder
    settings.tables.folder.mkdir()
    settings.tables.folder.chmod(0o755)
    (tmp_path / "x").write_bytes(b"From: a@b.example\n\nrun\n")
    otclog = Path(sys.executable).with_name("otclog")
    done = subprocess.run([otclog, *words], cwd=tmp_path, text=True, capture_output=True, check=False)
    said = f"otclog: {settings.tables.root} is open to others (mode 755): chmod 700 {settings.tables.root}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert not settings.log.root.exists()


def test_the_first_signal_stops_in_good_order_and_a_second_has_its_usual_effect() -> None:
    stops: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    with signals_call(lambda: stops.append(1)):
        os.kill(os.getpid(), signal.SIGINT)
        assert stops == [1]
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is before


def test_a_signal_ends_a_wait_at_whatever_moment_it_comes() -> None:
    """The handler runs in the thread that waits, in the middle of whatever that holds."""
    for delay_s in (0.0005 * number for number in range(1, 41)):
        stop = Stop()
        before = signal.signal(signal.SIGALRM, lambda *_, stop=stop: stop.set())
        signal.setitimer(signal.ITIMER_REAL, delay_s)
        while not stop.is_set:
            stop.wait(0.0001)
        signal.signal(signal.SIGALRM, before)
    started = time.monotonic()
    stop.wait(60)
    assert time.monotonic() - started < 30, "what is set is not waited for"


# Two files are read ahead, the second by a thread of Arrow that comes back to Python when its main thread has ended.
READS_ON = """
import atexit, io, sys, threading, time
import pyarrow as pa, pyarrow.dataset as ds, pyarrow.parquet as pq
from pyarrow.fs import FileSystemHandler, PyFileSystem
pq.write_table(pa.table({"price": [98.25]}), kept := io.BytesIO())

class Files(FileSystemHandler):
    def open_input_file(self, path):
        class File(io.BytesIO):
            def read(self, *size):
                if path == "slow":
                    reading.set()
                    time.sleep(1)
                return super().read(*size)
        return pa.PythonFile(File(kept.getvalue()), mode="r")

Files.__abstractmethods__ = frozenset()
reading, form, files = threading.Event(), ds.ParquetFileFormat(), PyFileSystem(Files())
fragments = [form.make_fragment(path, files) for path in ("quick", "slow")]
batches = ds.FileSystemDataset(fragments, pa.schema([("price", pa.float64())]), form, files).to_batches()
print(next(batches).to_pylist()[0]["price"])
reading.wait()
atexit.register(print, "ended in good order")
"""


@pytest.mark.parametrize(("end", "status"), [("import conf.process; conf.process.leave(3)", 3), ("sys.exit(3)", -6)])
def test_a_command_ends_with_its_own_status_whatever_threads_of_arrow_still_do(end: str, status: int) -> None:
    command = [sys.executable, "-c", READS_ON + end]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == ("98.25\nended in good order\n", status), done.stderr


def test_what_cannot_be_printed_at_the_end_is_told_and_is_no_success() -> None:
    command = [sys.executable, "-c", "import conf.process; print(98.25); conf.process.leave(0)"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=ROOT, env=buffered, text=True, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (1, "otclog: standard output: No space left on device\n")


@pytest.mark.parametrize("stream", [1, 2])
def test_a_command_whose_output_is_closed_ends_with_its_own_status(stream: int) -> None:
    code = f"import os, sys; os.close({stream}); os.execv(sys.executable, [sys.executable, '-c', sys.argv[1]])"
    command = [sys.executable, "-c", code, "import conf.process; conf.process.leave(3)"]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
