from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from log.claims import Claim
from log.claims.places import ClaimPlace, FolderPlace
from log.claims.urls import UrlPlace
from log.disk.documents import write_document
from log.disk.lock import file_held

MakeClaim = Callable[[bytes], Claim]
LONG_PAST_S = -1.0  # a grace that a file written now has outlived, whatever the clock's resolution


@pytest.fixture(params=["folder", "url"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> ClaimPlace:
    if request.param == "folder":
        return FolderPlace(tmp_path / "claims")
    return UrlPlace(f"memory://{uuid.uuid4().hex}/claims", renew_after_s=3600)


def put(place: ClaimPlace, claim: Claim, raw: bytes) -> None:
    draft = place.draft(claim)
    draft.write(raw)
    draft.keep()
    draft.discard()


def test_what_was_kept_is_there_under_its_digest(place: ClaimPlace, claim_for: MakeClaim) -> None:
    claim = claim_for(b"mail")
    assert not place.renew(claim)
    put(place, claim, b"mail")
    assert place.renew(claim)
    with place.open(claim.sha256) as file:
        assert file.read() == b"mail"
    assert [(kept.name, kept.size) for kept in place.kept()] == [(claim.sha256, 4)]


def test_a_folder_whose_lock_somebody_keeps_is_at_fault_soon(
    tmp_path: Path, claim_for: MakeClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, claim = FolderPlace(tmp_path / "claims"), claim_for(b"mail")
    put(place, claim, b"mail")
    monkeypatch.setattr("log.claims.places.LOCK_WAIT_S", 0.05)
    with file_held(place.folder / "lock", 0), pytest.raises(TimeoutError, match="held it for"):
        place.renew(claim)
    assert place.renew(claim)


def test_a_draft_is_no_claim_until_it_is_kept(place: ClaimPlace, claim_for: MakeClaim) -> None:
    draft = place.draft(claim_for(b"mail"))
    draft.write(b"ma")
    assert not place.renew(claim_for(b"mail"))
    draft.discard()
    assert list(place.kept()) == []
    with pytest.raises(FileNotFoundError):
        place.open(claim_for(b"mail").sha256)


def test_another_number_of_bytes_is_not_the_claim(place: ClaimPlace, claim_for: MakeClaim) -> None:
    claim = claim_for(b"mail")
    put(place, claim, b"mail")
    assert not place.renew(Claim(claim.sha256, 5))


def test_only_what_is_old_is_removed(place: ClaimPlace, claim_for: MakeClaim) -> None:
    claim = claim_for(b"mail")
    put(place, claim, b"mail")
    (kept,) = place.kept()
    assert not place.remove(kept, grace_s=3600)
    assert place.remove(kept, grace_s=LONG_PAST_S)
    assert not place.remove(kept, grace_s=LONG_PAST_S)
    assert list(place.kept()) == []


def test_what_a_dead_writer_left_is_swept_when_it_is_old(tmp_path: Path, claim_for: MakeClaim) -> None:
    place = FolderPlace(tmp_path)
    draft = place.draft(claim_for(b"mail"))
    place.sweep(grace_s=3600)
    assert len(list((tmp_path / "tmp").iterdir())) == 1
    place.sweep(grace_s=LONG_PAST_S)
    assert list((tmp_path / "tmp").iterdir()) == []
    draft.discard()


def test_a_renewed_claim_is_as_young_as_a_new_one(tmp_path: Path, claim_for: MakeClaim) -> None:
    place, claim = FolderPlace(tmp_path), claim_for(b"mail")
    put(place, claim, b"mail")
    os.utime(tmp_path / claim.sha256[:2] / claim.sha256, (0, 0))
    assert next(place.kept()).age_s > 10**9
    assert place.renew(claim)
    assert not place.remove(next(place.kept()), grace_s=3600)


def test_what_was_renewed_or_written_since_it_was_found_stays_whatever_the_clock_says(
    tmp_path: Path, claim_for: MakeClaim
) -> None:
    place, claim = FolderPlace(tmp_path), claim_for(b"mail")
    put(place, claim, b"mail")
    (found,) = place.kept()
    assert place.renew(claim)
    assert not place.remove(found, LONG_PAST_S)
    (found,) = place.kept()
    put(place, claim, b"mail")
    assert not place.remove(found, LONG_PAST_S)
    assert place.remove(next(place.kept()), LONG_PAST_S)


def test_the_first_log_that_says_so_owns_a_place(place: ClaimPlace, claim_for: MakeClaim) -> None:
    assert place.owner() is None
    assert place.own("one") == "one"
    assert place.own("two") == "one"
    assert place.owner() == "one"
    put(place, claim_for(b"mail"), b"mail")
    assert [kept.name for kept in place.kept()] == [claim_for(b"mail").sha256]


def test_a_place_in_a_replica_is_the_replicas_logs(tmp_path: Path) -> None:
    anchor = tmp_path / "replica.json"
    place = FolderPlace(tmp_path / "claims", anchor)
    with pytest.raises(OSError, match="mounted"):
        place.owner()
    write_document(anchor, {"format": 1, "log_id": "one", "replica": 1})
    assert place.owner() == "one"


def test_a_disk_that_is_not_mounted_takes_no_claim(tmp_path: Path, claim_for: MakeClaim) -> None:
    place = FolderPlace(tmp_path / "replica" / "claims", tmp_path / "replica" / "replica.json")
    with pytest.raises(OSError, match="mounted"):
        place.draft(claim_for(b"mail"))
    assert not (tmp_path / "replica").exists()


def test_a_claim_that_another_process_cleans_away_meanwhile_is_not_listed(tmp_path: Path, claim_for: MakeClaim) -> None:
    place = FolderPlace(tmp_path)
    for number in range(3):
        put(place, claim_for(b"%d" % number), b"%d" % number)
    there = list(place.kept())
    listed = []
    for kept in place.kept():
        listed.append(kept.name)
        for each in there:
            place.remove(each, LONG_PAST_S)
    assert len(listed) == 1


def test_its_files_are_for_the_owner_alone(tmp_path: Path, claim_for: MakeClaim) -> None:
    place = FolderPlace(tmp_path / "claims")
    put(place, claim_for(b"mail"), b"mail")
    assert place.renew(claim_for(b"mail"))
    assert {path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")} == {0}
