from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Position, Record
from log.claims import CLAIM_HEADER, Claim, ClaimStore, announce, astray, own_places, settle
from log.claims.index import named_now
from log.claims.places import OWNER
from log.disk.documents import read_document
from log.embedded import EmbeddedLog
from log.errors import ClaimMissing, ClaimUnavailable
from log.tending import tend

MakeClaim = Callable[[bytes], Claim]
OpenLog = Callable[..., EmbeddedLog]


@pytest.fixture
def other_options(options: LogSettings, folders: list[Path], tmp_path: Path) -> LogSettings:
    """Those of another log whose claims go where the store's do."""
    replicas = tuple(tmp_path / f"other-{number}" for number in (1, 2, 3))
    return dataclasses.replace(options, root=tmp_path / "other", replicas=replicas, claims=tuple(folders))


@pytest.fixture
def other(open_embedded: OpenLog, other_options: LogSettings) -> EmbeddedLog:
    return open_embedded(**{key: getattr(other_options, key) for key in ("root", "replicas", "claims")})


def put(store: ClaimStore, claim: Claim, raw: bytes) -> None:
    store.put(claim, lambda: iter((raw,)))


def append(log: EmbeddedLog, claim: Claim) -> Position:
    return log.append("mails", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])[0]


def owners(folders: list[Path]) -> list[str | None]:
    return [(read_document(folder / OWNER) or {}).get("log_id") for folder in folders]


def age(folders: list[Path]) -> None:
    for folder in folders:
        for path in folder.rglob("*"):
            os.utime(path, (0, 0))


def test_tending_a_log_removes_no_claim_of_another_log_that_names_the_same_places(
    embedded: EmbeddedLog, other_options: LogSettings, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    own_places(embedded, store.places)
    put(store, claim_for(b"mail"), b"mail")
    age(folders)
    with closing(EmbeddedLog(other_options)) as other:
        (done,) = tend(other, other_options)
    assert not done.ok
    assert str(folders[0]) in done.detail
    assert store.lacks(claim_for(b"mail")) is None


def test_tending_a_log_removes_no_claim_where_an_earlier_version_of_another_log_put_it(
    other: EmbeddedLog, other_options: LogSettings, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"mail"), b"mail")
    age(folders)
    (done,) = tend(other, other_options)
    assert not done.ok
    assert store.lacks(claim_for(b"mail")) is None


def test_an_empty_place_is_the_first_logs_and_stays_so(
    embedded: EmbeddedLog, other: EmbeddedLog, store: ClaimStore, folders: list[Path]
) -> None:
    assert own_places(embedded, store.places) == store.places
    assert owners(folders) == [embedded.log_id] * 3
    with pytest.raises(LogUnusable, match=f"log {embedded.log_id}"):
        own_places(other, store.places)
    assert own_places(embedded, store.places) == store.places


def test_a_place_of_an_earlier_version_is_the_logs_that_names_one_of_its_claims(
    embedded: EmbeddedLog, other: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"mail"), b"mail")
    put(store, claim_for(b"of no record"), b"of no record")
    append(embedded, claim_for(b"mail"))
    with pytest.raises(LogUnusable, match="no record of this log"):
        own_places(other, store.places)
    assert owners(folders) == [None] * 3
    own_places(embedded, store.places)
    assert owners(folders) == [embedded.log_id] * 3


def test_a_place_out_of_reach_is_nobodys(embedded: EmbeddedLog, store: ClaimStore, folders: list[Path]) -> None:
    folders[1].symlink_to(folders[1])
    assert own_places(embedded, store.places) == [store.places[0], store.places[2]]


def test_an_empty_place_is_not_marked_beside_records_that_name_claims_its_disk_may_not_be_mounted(
    embedded: EmbeddedLog, options: LogSettings, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    claim = claim_for(b"mail")
    own_places(embedded, store.places)
    put(store, claim, b"mail")
    announced = announce(embedded, [(claim, "mails")])
    settle(embedded, announced, {claim.sha256: append(embedded, claim)})
    for folder in folders:
        folder.rename(folder.with_name(f"disk of {folder.name}"))
    with pytest.raises(ClaimUnavailable, match=f"{folders[0]}: is empty, .* is its disk mounted?") as told:
        own_places(embedded, store.places)
    assert owners(folders) == [None] * 3
    assert astray(embedded, store, 0).missing == (claim.sha256,)
    (done,) = tend(embedded, dataclasses.replace(options, claims=tuple(folders)))
    assert (done.ok, str(told.value) in done.detail) == (False, True)
    folders[1].with_name(f"disk of {folders[1].name}").rename(folders[1])
    assert sorted(map(str, own_places(embedded, store.places))) == sorted(map(str, store.places))
    assert store.read(claim) == b"mail"


def test_that_the_claims_of_an_empty_place_are_lost_can_be_said(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    announce(embedded, [(claim_for(b"mail"), "mails")])
    with pytest.raises(ClaimUnavailable) as told:
        own_places(embedded, store.places)
    said = str(told.value).partition(" there: ")[2]
    folders[0].mkdir()
    (folders[0] / OWNER).write_text(said)
    assert len(own_places(embedded, store.places)) == 3
    with pytest.raises(ClaimMissing):
        store.read(claim_for(b"mail"))


def test_a_claim_that_comes_while_others_are_looked_for_is_not_missing(
    embedded: EmbeddedLog, store: ClaimStore, claim_for: MakeClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = claim_for(b"mail")
    own_places(embedded, store.places)

    def publish_first(log: EmbeddedLog) -> object:
        put(store, claim, b"mail")
        announce(embedded, [(claim, "mails")])
        append(embedded, claim)
        return named_now(log)

    monkeypatch.setattr("log.claims.cleaning.named_now", publish_first)
    assert astray(embedded, store, 0).missing == ()
