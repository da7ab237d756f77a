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
        signal.setitimer(signal.ITIMER_REAL, delay_s)
        before = signal.signal(signal.SIGALRM, lambda *_, stop=stop: stop.set())
        while not stop.is_set:
            stop.wait(0.0001)
        signal.signal(signal.SIGALRM, before)
    started = time.monotonic()
    stop.wait(60)
    assert time.monotonic() - started < 30, "what is set is not waited for"
