from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import ClaimMissing, ClaimUnavailable, DiskFull, NotEnoughReplicas
from log.claims import Claim, ClaimStore, NotTheClaim, open_claims
from log.claims.places import OWNER, FolderPlace
from log.claims.urls import UrlPlace
from log.embedded import EmbeddedLog

MakeClaim = Callable[[bytes], Claim]
RAW = b"mail" * 1000


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name not in {"lock", OWNER}]


def mark(store: ClaimStore) -> None:
    """As the first log does that uses a place."""
    for place in store.places:
        place.own("of the tests")


def chunks() -> Iterator[bytes]:
    yield RAW[:1500]
    yield RAW[1500:]


def test_every_place_has_the_claim_when_put_returns(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    store.put(claim_for(RAW), chunks)
    for folder in folders:
        assert [path.read_bytes() for path in files(folder)] == [RAW]
    assert store.read(claim_for(RAW)) == RAW
    with store.open(claim_for(RAW)) as file:
        assert file.read() == RAW


def test_what_is_there_is_not_read_again(store: ClaimStore, claim_for: MakeClaim) -> None:
    store.put(claim_for(RAW), chunks)

    def never() -> Iterator[bytes]:
        raise AssertionError("read again")

    store.put(claim_for(RAW), never)


def test_a_damaged_copy_is_no_copy_for_who_has_the_mail_at_hand(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    store.put(claim_for(RAW), chunks)
    for folder in folders:
        files(folder)[0].write_bytes(bytes(len(RAW)))
    store.put(claim_for(RAW), chunks)
    assert [[path.read_bytes() for path in files(folder)] for folder in folders] == [[RAW]] * 3


def test_what_went_after_it_was_put_is_put_again_and_what_is_there_is_not_read(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    store.put(claim_for(RAW), chunks)
    files(folders[1])[0].unlink()
    store.keep(claim_for(RAW), chunks)
    assert [path.read_bytes() for path in files(folders[1])] == [RAW]

    def never() -> Iterator[bytes]:
        raise AssertionError("read again")

    store.keep(claim_for(RAW), never)


def test_a_place_that_lacks_it_gets_it(store: ClaimStore, folders: list[Path], claim_for: MakeClaim) -> None:
    store.put(claim_for(RAW), chunks)
    shutil.rmtree(folders[1])
    store.put(claim_for(RAW), chunks)
    assert [path.read_bytes() for path in files(folders[1])] == [RAW]


def test_a_claim_is_not_missing_as_long_as_a_place_that_may_have_it_cannot_be_read(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    claim = claim_for(RAW)
    store.put(claim, chunks)
    for folder in folders[:2]:
        shutil.rmtree(folder)
    away = folders[2].rename(folders[2].with_name("away"))
    folders[2].symlink_to(folders[2])  # ELOOP: an error of the place, not of the claim
    for take in (store.read, store.open):
        with pytest.raises(ClaimUnavailable, match=claim.sha256) as error:
            take(claim)
        assert error.value.retriable
    folders[2].unlink()
    away.rename(folders[2])
    assert store.read(claim) == RAW


def test_a_claim_is_missing_when_every_place_can_be_read_and_none_has_it(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    mark(store)
    store.put(claim_for(RAW), chunks)
    files(folders[0])[0].unlink()
    for folder in folders[1:]:
        for path in files(folder):
            path.write_bytes(RAW[::-1])
    with pytest.raises(ClaimMissing):
        store.read(claim_for(RAW))


def test_a_claim_is_not_missing_where_a_folder_has_nothing_of_any_log(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    store.put(claim_for(RAW), chunks)
    for folder in folders:
        shutil.rmtree(folder)
    folders[0].mkdir()  # as where a disk is mounted otherwise
    with pytest.raises(ClaimUnavailable, match=f"it has no {OWNER}: is its disk mounted"):
        store.read(claim_for(RAW))


def test_a_claim_on_a_disk_that_is_not_mounted_is_not_missing(
    embedded: EmbeddedLog, options: LogSettings, claim_for: MakeClaim
) -> None:
    assert set(embedded.home.replicas.values()) == set(options.replicas)
    store = open_claims(options)
    store.put(claim_for(RAW), chunks)
    for replica in options.replicas[:2]:
        shutil.rmtree(replica / "claims")
    options.replicas[2].rename(options.replicas[2].with_name("away"))
    with pytest.raises(ClaimUnavailable, match="mounted"):
        store.read(claim_for(RAW))


@pytest.mark.parametrize("other", [RAW[:-1], RAW + b"x", b"X" + RAW[1:]], ids=["shorter", "longer", "other"])
def test_a_file_that_changed_while_it_was_read_leaves_nothing(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim, other: bytes
) -> None:
    with pytest.raises(NotTheClaim):
        store.put(claim_for(RAW), lambda: iter((other,)))
    assert [path for folder in folders for path in files(folder)] == []


def test_one_place_may_fail_and_two_may_not(store: ClaimStore, folders: list[Path], claim_for: MakeClaim) -> None:
    folders[0].write_bytes(b"in the way")
    store.put(claim_for(RAW), chunks)
    assert store.read(claim_for(RAW)) == RAW
    shutil.rmtree(folders[1])
    folders[1].write_bytes(b"in the way")
    with pytest.raises(NotEnoughReplicas, match=r"1 of 3 places .* 2 are needed") as error:
        store.put(claim_for(b"other"), lambda: iter((b"other",)))
    assert error.value.retriable


def test_a_write_that_ends_half_way_leaves_nothing_and_is_told(folders: list[Path]) -> None:
    program = """
import hashlib, resource, signal, sys
from pathlib import Path
from log.claims import Claim, ClaimStore
from log.claims.places import FolderPlace
from log.errors import NotEnoughReplicas
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
raw = b"x" * 300_000
try:
    store = ClaimStore([FolderPlace(Path(name)) for name in sys.argv[1:]], 2)
    store.put(Claim(hashlib.sha256(raw).hexdigest(), len(raw)), lambda: iter((raw,)))
except NotEnoughReplicas as error:
    print(error)
"""
    command = [sys.executable, "-c", program, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "0 of 3" in done.stdout
    assert "File too large" in done.stdout
    assert [path for folder in folders for path in files(folder)] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
def test_a_claim_on_disks_without_space_is_refused_as_retriable(tmp_path: Path, claim_for: MakeClaim) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", tmp_path], check=True)
    try:
        store = ClaimStore([FolderPlace(tmp_path / "claims")], 1)
        raw = os.urandom(200_000)
        with pytest.raises(DiskFull):
            store.put(claim_for(raw), lambda: iter((raw,)))
        assert files(tmp_path) == []
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_damage_in_one_place_is_made_good_by_another(
    store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    mark(store)
    store.put(claim_for(RAW), chunks)
    files(folders[0])[0].write_bytes(b"x" * len(RAW))
    files(folders[1])[0].write_bytes(b"short")
    assert store.read(claim_for(RAW)) == RAW
    files(folders[2])[0].unlink()
    with pytest.raises(ClaimMissing):
        store.read(claim_for(RAW))


def test_a_claim_that_nobody_has_is_missing(store: ClaimStore, claim_for: MakeClaim) -> None:
    mark(store)
    for ask in (store.read, store.open):
        with pytest.raises(ClaimMissing):
            ask(claim_for(b"gone"))


def test_the_settings_name_the_places_and_by_default_these_are_in_the_replicas(options: LogSettings) -> None:
    EmbeddedLog(options).close()
    store = open_claims(options)
    raw = b"mail"
    store.put(Claim(hashlib.sha256(raw).hexdigest(), 4), lambda: iter((raw,)))
    assert [len(files(replica / "claims")) for replica in options.replicas] == [1, 1, 1]
    named = dataclasses.replace(options, claims=("memory://claims", options.root / "claims"))
    assert [type(place) for place in open_claims(named).places] == [UrlPlace, FolderPlace]


def test_two_hundred_mebibytes_pass_through_little_memory(folders: list[Path]) -> None:
    program = """
import hashlib, resource, sys
from pathlib import Path
from log.claims import Claim, ClaimStore
from log.claims.places import FolderPlace
chunk, count = bytes(1 << 20), 200
digest = hashlib.sha256()
for _ in range(count): digest.update(chunk)
store = ClaimStore([FolderPlace(Path(name)) for name in sys.argv[1:]], 1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
claim = Claim(digest.hexdigest(), count << 20)
store.put(claim, lambda: (chunk for _ in range(count)))
with store.open(claim) as file:
    assert file.seek(0, 2) == count << 20
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program, str(folders[0])], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 16 * 1024, "KiB more than before"
