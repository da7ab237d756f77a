from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from log import CorruptRecord, Record
from log.claims import CLAIM_HEADER, Claim, ClaimStore, clean_claims, own_places
from log.embedded import EmbeddedLog

MakeClaim = Callable[[bytes], Claim]
GRACE_S = 3600.0


def put(store: ClaimStore, claim: Claim, raw: bytes) -> None:
    store.put(claim, lambda: iter((raw,)))


def append(log: EmbeddedLog, *claims: Claim) -> None:
    log.append("mails", [Record(b"key", claim.to_bytes(), ((CLAIM_HEADER, b"1"),)) for claim in claims])


@pytest.fixture(autouse=True)
def _owned(embedded: EmbeddedLog, store: ClaimStore) -> None:
    """The places are the log's."""
    own_places(embedded, store.places)


def age(folders: list[Path]) -> None:
    """Make everything old."""
    for folder in folders:
        for path in folder.rglob("*"):
            os.utime(path, (0, 0))


def kept(store: ClaimStore) -> list[set[str]]:
    return [{each.name for each in place.kept()} for place in store.places]


def test_what_no_record_needs_is_removed_and_what_one_needs_stays(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    needed, not_needed = claim_for(b"needed"), claim_for(b"not needed")
    put(store, needed, b"needed")
    put(store, not_needed, b"not needed")
    append(embedded, needed)
    age(folders)
    done = clean_claims(embedded, store, GRACE_S)
    assert (done.removed, done.bytes, done.restored, done.missing) == (3, 3 * len(b"not needed"), 0, 0)
    assert kept(store) == [{needed.sha256}] * 3
    assert store.read(needed) == b"needed"


def test_what_is_young_stays_for_its_record_may_be_on_the_way(
    embedded: EmbeddedLog, store: ClaimStore, claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"young"), b"young")
    assert clean_claims(embedded, store, GRACE_S).removed == 0
    assert kept(store) == [{claim_for(b"young").sha256}] * 3


def test_an_old_claim_that_is_used_again_is_young_again(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"old"), b"old")
    age(folders)
    put(store, claim_for(b"old"), b"old")
    assert clean_claims(embedded, store, GRACE_S).removed == 0


def test_a_claim_in_any_topic_is_needed(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    embedded.create_topic("backfill", 2)
    put(store, claim_for(b"old"), b"old")
    embedded.append("backfill", [Record(b"x", claim_for(b"old").to_bytes(), ((CLAIM_HEADER, b"1"),))])
    age(folders)
    assert clean_claims(embedded, store, GRACE_S).removed == 0


def test_a_lost_copy_is_made_again(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"mail"), b"mail")
    append(embedded, claim_for(b"mail"), claim_for(b"mail"))
    shutil.rmtree(folders[0])
    done = clean_claims(embedded, store, GRACE_S)
    assert (done.restored, done.missing) == (1, 0)
    assert kept(store) == [{claim_for(b"mail").sha256}] * 3


def test_a_copy_is_made_again_out_of_the_first_place_that_has_the_claim_to_the_byte(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    claim = claim_for(b"mail")
    put(store, claim, b"mail")
    append(embedded, claim)
    copies = [folder / claim.sha256[:2] / claim.sha256 for folder in folders]
    copies[0].write_bytes(b"MAIL")
    copies[2].unlink()
    done = clean_claims(embedded, store, GRACE_S)
    assert (done.restored, done.missing) == (1, 0)
    assert [copy.read_bytes() for copy in copies] == [b"mail"] * 3


def test_a_claim_that_is_nowhere_is_counted(embedded: EmbeddedLog, store: ClaimStore, claim_for: MakeClaim) -> None:
    append(embedded, claim_for(b"gone"))
    assert clean_claims(embedded, store, GRACE_S).missing == 1


def test_nothing_is_removed_while_some_of_the_log_cannot_be_read(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], tmp_path: Path, claim_for: MakeClaim
) -> None:
    put(store, claim_for(b"needed"), b"needed")
    append(embedded, claim_for(b"needed"))
    age(folders)
    for segment in tmp_path.glob("disk-*/mails-0/*.log"):
        segment.write_bytes(b"\0" * segment.stat().st_size)
    with pytest.raises(CorruptRecord):
        clean_claims(embedded, store, GRACE_S)
    assert kept(store) == [{claim_for(b"needed").sha256}] * 3


def test_while_mails_come_in_it_never_removes_what_one_of_them_needs(
    embedded: EmbeddedLog, store: ClaimStore, folders: list[Path], claim_for: MakeClaim
) -> None:
    raws = [b"%d" % number for number in range(60)]
    for raw in raws:
        put(store, claim_for(raw), raw)
    age(folders)
    failed: list[BaseException] = []

    def publish() -> None:
        try:
            for raw in raws:
                put(store, claim_for(raw), raw)
                append(embedded, claim_for(raw))
        except BaseException as error:
            failed.append(error)
            raise

    publisher = threading.Thread(target=publish)
    publisher.start()
    runs = 0
    while publisher.is_alive():
        clean_claims(embedded, store, GRACE_S)
        runs += 1
    publisher.join()
    assert not failed
    assert runs
    assert [store.read(claim_for(raw)) for raw in raws] == raws
