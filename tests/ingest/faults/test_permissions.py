"""A watcher that is no root: files and folders that it may not open, of its own and of other users."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import conf
from log import open_log
from tests.ingest.faults.conftest import PROGRAM, QUICK, ROOT, Desk, desk_in

pytestmark = pytest.mark.slow

AMail = Callable[..., bytes]
SOMEBODY = 61234  # a user that nothing on the machine belongs to


@pytest.fixture
def home(needs: Callable[..., str]) -> Iterator[Path]:
    """Somebody's, where he gets to it: a test's own folder lies below one of root's alone.

    So may the interpreter and the checkout: they are mounted beside it.
    """
    mount = needs("mount", "umount", root=True)
    places = {"python": Path(sys.base_prefix), "packages": Path(sysconfig.get_path("purelib")), "otclog": ROOT}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        for name, place in places.items():
            (Path(folder) / name).mkdir()
            subprocess.run([mount, "--bind", place, Path(folder) / name], check=True)
        (Path(folder) / "home").mkdir()
        try:
            yield Path(folder) / "home"
        finally:
            for name in places:
                subprocess.run(["umount", "-l", Path(folder) / name], check=True)


@pytest.fixture
def theirs(home: Path) -> Desk:
    """A desk of which all is somebody's, with a drop folder that is watched with those below it."""
    config = home / "otclog.toml"
    config.write_text(
        '[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n'
        '[[ingest.sources]]\npath = "drop"\nkind = "drop"\nrecursive = true\n'
    )
    (home / "drop").mkdir(mode=0o700)
    desk = desk_in(home, conf.load(config, {}))
    give(home)
    return desk


def give(path: Path) -> None:
    """Make all of it somebody's."""
    for each in [path, *path.rglob("*")]:
        os.chown(each, SOMEBODY, SOMEBODY, follow_symlinks=False)


def watch_once(desk: Desk) -> subprocess.CompletedProcess[str]:
    mounts = desk.home.parent
    python = mounts / "python" / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = os.environ | QUICK | {
        "PYTHONPATH": f"{mounts / 'otclog'}:{mounts / 'packages'}",
        "LD_LIBRARY_PATH": str(mounts / "python" / "lib"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    return subprocess.run(
        [python, "-c", PROGRAM, "--once", "--config", str(desk.config)],
        cwd=desk.home, env=environment, user=SOMEBODY, group=SOMEBODY, extra_groups=[],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def place(desk: Desk, path: Path, raw: bytes, mode: int, owner: int = SOMEBODY) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    path.chmod(mode)
    for each in (path.parent, path):
        os.chown(each, SOMEBODY, SOMEBODY)
    os.chown(path, owner, owner)
    desk.delivered.add(raw)


def test_what_it_may_not_open_stays_and_is_told_and_the_others_go(theirs: Desk, a_mail: AMail) -> None:
    """And when it may, it takes them."""
    drop = theirs.home / "drop"
    place(theirs, theirs.new / "open", a_mail(0), 0o600)
    place(theirs, theirs.new / "shut", a_mail(1), 0o000)
    place(theirs, theirs.new / "of root", a_mail(2), 0o600, owner=0)
    place(theirs, drop / "beside", a_mail(3), 0o600)
    place(theirs, drop / "shut" / "m", a_mail(4), 0o600)
    place(theirs, drop / "of root" / "m", a_mail(5), 0o600)
    (drop / "shut").chmod(0o000)
    os.chown(drop / "of root", 0, 0)
    (drop / "of root").chmod(0o700)

    done = watch_once(theirs)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert set(theirs.in_log()) == {a_mail(0), a_mail(3)}
    assert sorted(path.name for path in theirs.new.iterdir()) == ["of root", "shut"]
    for name in ("'shut'", "'of root'", str(drop / "shut"), str(drop / "of root")):
        assert name in done.stderr

    (theirs.new / "shut").chmod(0o600)
    (drop / "shut").chmod(0o700)
    give(theirs.home)
    done = watch_once(theirs)
    assert done.returncode == 0, done.stderr
    theirs.check_taken()
    assert [path for path in drop.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("shut", ["mail/new", "log"])
def test_a_folder_of_its_own_that_it_may_not_enter_costs_no_mail(theirs: Desk, a_mail: AMail, shut: str) -> None:
    place(theirs, theirs.new / "1", a_mail(1), 0o600)
    os.chown(theirs.home / shut, 0, 0)
    (theirs.home / shut).chmod(0o700)
    done = watch_once(theirs)
    assert "Traceback" not in done.stderr
    assert (done.returncode, theirs.on_disk()) == (1, {a_mail(1)}), done.stderr
    assert str(theirs.home / shut) in done.stderr
    theirs.check()
    give(theirs.home)
    done = watch_once(theirs)
    assert done.returncode == 0, done.stderr
    theirs.check_taken()


def test_a_replica_of_its_own_that_it_may_not_enter_is_told_and_the_others_take_the_mail(
    theirs: Desk, a_mail: AMail
) -> None:
    place(theirs, theirs.new / "1", a_mail(1), 0o600)
    replica = theirs.home / "log" / "replica-1"
    os.chown(replica, 0, 0)
    replica.chmod(0o700)
    done = watch_once(theirs)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert f"Permission denied: '{replica}" in done.stderr
    with closing(open_log(theirs.settings.log)) as log:
        assert [len(partition.isr) for partition in log.describe("mails")] == [2] * 4
    theirs.check_taken()
