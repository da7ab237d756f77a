from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ingest.folders import shares as module
from ingest.folders.shares import OthersBusy, Shares

NAMES = [f"m{number}" for number in range(10)]
OTHER = """
import sys, time
from pathlib import Path
from ingest.folders.shares import Shares
with Shares(Path(sys.argv[1])).take("/new", [f"m{n}" for n in range(10)], 4) as share:
    print(*share.names, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "watchers"


@pytest.fixture
def ours(folder: Path) -> Iterator[Shares]:
    with closing(Shares(folder)) as shares:
        yield shares


@pytest.fixture
def theirs(folder: Path) -> Iterator[Shares]:
    with closing(Shares(folder)) as shares:
        yield shares


@pytest.fixture
def other_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A watcher that has the first four names in hand."""
    command = [sys.executable, "-c", OTHER, str(folder)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=root, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().split() == NAMES[:4]
        yield process
        process.kill()


def go_on() -> None:
    """Nobody asks to stop."""


def gone(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def test_no_two_watchers_have_the_same_file_in_hand(ours: Shares, theirs: Shares) -> None:
    with ours.take("/new", NAMES, 4) as first, theirs.take("/new", NAMES, 4) as second:
        assert (first.names, second.names) == (NAMES[:4], NAMES[4:8])
    with theirs.take("/new", NAMES, 4) as third:
        assert third.names == NAMES[:4], "given back at the end"


def test_files_of_another_folder_may_have_the_same_names(ours: Shares, theirs: Shares) -> None:
    with ours.take("/one", NAMES, 4), theirs.take("/two", NAMES, 4) as second:
        assert (second.names, second.earlier) == (NAMES[:4], [])


def test_the_share_taken_later_waits_for_the_one_taken_earlier(ours: Shares, theirs: Shares) -> None:
    order: list[str] = []
    waits = threading.Event()
    with ExitStack() as earlier:
        first = earlier.enter_context(theirs.take("/new", NAMES, 4))
        with ours.take("/new", NAMES, 4) as second:
            assert theirs.wait(first, gone(), go_on), "the earlier one waits for nobody"
            thread = threading.Thread(target=lambda: order.append(f"ours {ours.wait(second, gone(*NAMES), waits.set)}"))
            thread.start()
            assert waits.wait(30)
            order.append("theirs")
            earlier.close()
            thread.join()
    assert order == ["theirs", "ours True"]


def test_files_that_an_earlier_share_left_must_go_first(ours: Shares, theirs: Shares) -> None:
    with ExitStack() as earlier:
        earlier.enter_context(theirs.take("/new", NAMES, 4))
        with ours.take("/new", NAMES, 4) as second:
            earlier.close()
            assert not ours.wait(second, gone(*NAMES[:3]), go_on)
            assert ours.wait(second, gone(*NAMES[:4]), go_on)


def test_the_share_of_a_watcher_that_dies_is_free(
    ours: Shares, folder: Path, other_process: subprocess.Popen[str]
) -> None:
    with ours.take("/new", NAMES, 4) as share:
        assert share.names == NAMES[4:8]
        other_process.kill()
        other_process.wait()
        assert not ours.wait(share, gone(), go_on), "its files have not gone: they come first"
    with ours.take("/new", NAMES, 4) as share:
        assert share.names == NAMES[:4]
        assert len(list(folder.iterdir())) == 2, "the lock and ours"


def test_one_that_is_stopped_is_waited_for_only_so_long(
    ours: Shares, other_process: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.3)
    os.kill(other_process.pid, signal.SIGSTOP)
    says = f"process {other_process.pid} does not get on"
    with ours.take("/new", NAMES, 4) as share, pytest.raises(OthersBusy, match=says) as error:
        ours.wait(share, gone(*NAMES), go_on)
    assert error.value.retriable


def test_waiting_ends_when_asked_to_stop(ours: Shares, other_process: subprocess.Popen[str]) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    assert other_process.poll() is None
    with ours.take("/new", NAMES, 4) as share, pytest.raises(KeyboardInterrupt):
        ours.wait(share, gone(), stop)


def test_who_holds_the_lock_too_long_makes_others_try_again(
    ours: Shares, theirs: Shares, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.2)
    with theirs._alone(), pytest.raises(OthersBusy), ours.take("/new", NAMES, 4):
        raise AssertionError("not alone")


def test_who_leaves_leaves_nothing(folder: Path) -> None:
    shares = Shares(folder)
    with shares.take("/new", ["name \udcff\n"], 4) as share:
        assert share.names == ["name \udcff\n"]
    shares.close()
    shares.close()
    assert [path.name for path in folder.iterdir()] == ["lock"]
    assert {path.stat().st_mode & 0o077 for path in [folder, *folder.iterdir()]} == {0}


@pytest.mark.parametrize("left", [b"", b'{"pid": 7, "num'])
def test_what_a_watcher_had_no_space_to_write_makes_others_try_again(
    ours: Shares, theirs: Shares, folder: Path, left: bytes
) -> None:
    with theirs.take("/new", NAMES, 4):
        (said,) = [path for path in folder.iterdir() if path.name != "lock"]
        said.write_bytes(left)
        with pytest.raises(OthersBusy, match="is the disk full"), ours.take("/new", NAMES, 4):
            pass
    with ours.take("/new", NAMES, 4) as share:
        assert share.names == NAMES[:4]
