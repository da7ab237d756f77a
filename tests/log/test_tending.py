from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from conf.settings import LogSettings
from log import Record
from log.claims import CLAIM_HEADER, Claim, open_claims
from log.embedded import EmbeddedLog
from log.tending import CLEANED, TENDED, tend

OpenLog = Callable[..., EmbeddedLog]


def put(options: LogSettings, raw: bytes, *, old: bool) -> Claim:
    """A claim in the store."""
    claim = Claim(hashlib.sha256(raw).hexdigest(), len(raw))
    open_claims(options).put(claim, lambda: iter((raw,)))
    if old:
        for path in copies(options, claim):
            os.utime(path, (0, 0))
    return claim


def copies(options: LogSettings, claim: Claim) -> list[Path]:
    return [path for replica in options.replicas for path in (replica / "claims").glob(f"*/{claim.sha256}")]


def log_with(open_embedded: OpenLog, *claims: Claim) -> EmbeddedLog:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),)) for claim in claims])
    return log


def test_claims_that_no_record_needs_go_and_the_others_stay(open_embedded: OpenLog, options: LogSettings) -> None:
    open_embedded()
    needed, spare = put(options, b"needed", old=True), put(options, b"spare", old=True)
    (done,) = tend(log_with(open_embedded, needed), options)
    assert (done.action, done.ok) == ("claims", True)
    assert done.detail.startswith("3 files of claims (15 bytes) removed")
    assert (len(copies(options, needed)), len(copies(options, spare))) == (3, 0)


def test_whoever_waits_hears_of_each_record_that_is_read_for_claims(
    open_embedded: OpenLog, options: LogSettings
) -> None:
    open_embedded()
    log = log_with(open_embedded, *[put(options, b"%d" % number, old=True) for number in range(5)])
    heard: list[str] = []
    log.tend(lambda: heard.append("round"))
    tend(log, options, lambda: heard.append("round with claims"))
    assert heard.count("round with claims") >= heard.count("round") + 5


def test_claims_are_cleaned_once_in_the_grace_and_again_after_it(open_embedded: OpenLog, options: LogSettings) -> None:
    log = log_with(open_embedded)
    tend(log, options)
    spare = put(options, b"spare", old=True)
    assert tend(log, options) == []
    assert len(copies(options, spare)) == 3
    os.utime(options.root / CLEANED, (0, 0))
    tend(log, options)
    assert copies(options, spare) == []


def test_one_process_at_a_time_tends(open_embedded: OpenLog, options: LogSettings) -> None:
    log = log_with(open_embedded)
    spare = put(options, b"spare", old=True)
    with (options.root / TENDED).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert tend(log, options) == []
    assert len(copies(options, spare)) == 3
    assert [each.action for each in tend(log, options)] == ["claims"]


def test_a_claim_that_is_nowhere_is_told_and_the_log_is_tended_all_the_same(
    open_embedded: OpenLog, options: LogSettings
) -> None:
    open_embedded()
    lost, kept = put(options, b"lost", old=False), put(options, b"kept", old=False)
    log = log_with(open_embedded, lost, kept)
    for path in copies(options, lost):
        path.unlink()
    (done,) = tend(log, options)
    assert not done.ok
    assert done.detail.endswith("1 missing")


def test_a_replica_comes_back(open_embedded: OpenLog, options: LogSettings) -> None:
    log = log_with(open_embedded)
    away = options.replicas[2].with_name("away")
    options.replicas[2].rename(away)
    log.append("mails", [Record(b"k", b"a")])
    away.rename(options.replicas[2])
    assert [each.action for each in tend(log, options)] == ["rejoin"]
    assert len(log.describe("mails")[0].isr) == 3
