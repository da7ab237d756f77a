from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.tables.store.folder import Folder

ROOT = Path(__file__).resolve().parents[4]


def test_all_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    store = Folder(tmp_path / "tables")
    store.put("a/1", b"")
    store.put_new("b/1", b"")
    with store.open_write("c/d/1") as file:
        file.write(b"x")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tables").rglob("*") if path.is_file()}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tables").rglob("*") if path.is_dir()}
    assert (modes, folders) == ({0o600}, {0o700})


CALLS = {
    "put": "store.put('t/a', b'1')",
    "put_new": "store.put_new('t/a', b'1')",
    "swap": "store.swap('t/a', b'1', store.put_new('t/a', b'0'))",
    "open_write": "with store.open_write('t/a') as file: file.write(b'1')",
}


@pytest.mark.parametrize("verb", CALLS)
def test_a_verb_returns_when_content_and_name_are_on_the_disk(
    needs: Callable[..., str], tmp_path: Path, verb: str
) -> None:
    strace = needs("strace")
    code = f"from pathlib import Path\nfrom pipelines.tables.store.folder import Folder\nstore = Folder(Path({str(tmp_path)!r}))\n{CALLS[verb]}"
    trace = tmp_path / "trace"
    calls = "trace=fsync,rename,renameat,renameat2,link,linkat"
    command = [strace, "-f", "-y", "-e", calls, "-o", str(trace), sys.executable, "-c", code]
    subprocess.run(command, cwd=ROOT, check=True)
    ours = [line for line in trace.read_text().splitlines() if f"{tmp_path}/t" in line]
    named = max(at for at, line in enumerate(ours) if "rename" in line or "link" in line)
    assert any("fsync" in line and ".tmp>" in line for line in ours[:named])
    assert any("fsync" in line and f"{tmp_path}/t>" in line for line in ours[named:])


DIE = """
import os, signal
from pathlib import Path
from pipelines.tables.store.folder import Folder
with Folder(Path({root!r})).open_write("t/a") as file:
    file.write(b"1")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_writer_that_died_left_is_not_listed_and_is_swept_when_it_is_old(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    done = subprocess.run([sys.executable, "-c", DIE.format(root=str(tmp_path))], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    store.put("t/b", b"")
    (left,) = [path for path in (tmp_path / "t").iterdir() if path.name != "b"]
    assert [each.name for each in store.list()] == ["t/b"]
    store.sweep(3600)
    assert left.exists()
    os.utime(left, (0, 0))
    store.sweep(3600)
    assert [path.name for path in (tmp_path / "t").iterdir()] == ["b"]


def test_a_file_that_cannot_be_written_is_named() -> None:
    with pytest.raises(OSError, match="/dev/full"):
        Folder(Path("/dev/full")).put("a", b"1")


def test_delta_rs_gets_a_path(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    assert (store.uri("quotes"), store.storage_options()) == (str(tmp_path / "quotes"), {})
    assert repr(store) == f"Folder({str(tmp_path)!r})"


@pytest.mark.parametrize("cause", [errno.EIO, errno.EACCES, errno.EMFILE])
def test_a_folder_that_cannot_be_listed_is_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: int
) -> None:
    store = Folder(tmp_path)
    store.put("a/b/c", b"x")
    listing = os.scandir

    def scandir(path: str | Path) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith("/b"):
            raise OSError(cause, os.strerror(cause), str(path))
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
    for look in (lambda: list(store.list("a")), lambda: list(store.list("a/b")), lambda: store.sweep(0.0)):
        with pytest.raises(OSError, match=os.strerror(cause)) as told:
            look()
        assert told.value.filename == str(tmp_path / "a" / "b")


def test_a_folder_that_is_removed_while_it_is_listed_is_none(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    for number in range(3):
        store.put(f"{number}/file", b"x")
    listed = store.list()
    first = next(listed).name
    for number in range(3):
        store.delete_folder(str(number))
    assert [first, *listed] == [first]
    assert list(store.list("nowhere")) == []
