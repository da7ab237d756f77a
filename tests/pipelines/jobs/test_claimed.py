from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import conf
from log import Record, open_log
from log.claims import CLAIM_HEADER, Claim, ClaimStore, open_claims
from parsers.codes import Code, MailState
from parsers.parse import MAX_MAIL_BYTES, parse_mail
from parsers.taught import Taught
from pipelines.errors import JobCutOff
from pipelines.jobs.claimed import ClaimedMails
from pipelines.jobs.extract import extract
from tests.pipelines.conftest import NO_DATE, Home

TAUGHT = Taught.load(None)
MIB = bytes(2**20)


@pytest.fixture
def one_place(settings: conf.Settings, tmp_path: Path) -> conf.Settings:
    """A claim store of one folder."""
    return replace(settings, log=replace(settings.log, claims=(tmp_path / "claims",)))


@pytest.fixture
def store(one_place: conf.Settings) -> ClaimStore:
    store = open_claims(one_place.log)
    store.places[0].own("of the tests")
    return store


def put(store: ClaimStore, raw: bytes) -> Claim:
    claim = Claim(hashlib.sha256(raw).hexdigest(), len(raw))
    store.put(claim, lambda: iter((raw,)))
    return claim


def put_too_large(store: ClaimStore) -> Claim:
    head = b"From: Ann <ann@bank.example>\r\nMessage-ID: <1@x>\r\nSubject: All of it\r\n\r\n"

    def chunks() -> Iterator[bytes]:
        yield head
        for _ in range(MAX_MAIL_BYTES // len(MIB)):
            yield MIB

    digest = hashlib.sha256()
    for chunk in chunks():
        digest.update(chunk)
    claim = Claim(digest.hexdigest(), len(head) + MAX_MAIL_BYTES)
    store.put(claim, chunks)
    return claim


def test_the_mail_is_parsed_as_if_the_log_had_it(store: ClaimStore) -> None:
    claim = put(store, NO_DATE)
    outcome = ClaimedMails(store, parse_mail, TAUGHT).parse(claim.to_bytes())
    assert outcome == parse_mail(NO_DATE)
    assert outcome.quotes


def test_a_mail_that_is_gone_is_an_outcome(store: ClaimStore) -> None:
    claim = Claim("ab" * 32, 1234)
    outcome = ClaimedMails(store, parse_mail, TAUGHT).parse(claim.to_bytes())
    assert (outcome.state, outcome.code) == (MailState.rejected, Code.CLAIM_MISSING)
    assert (outcome.message_key, outcome.size_bytes, outcome.parts) == (claim.sha256, 1234, ())
    assert [(reject.level, reject.code) for reject in outcome.rejects] == [("mail", Code.CLAIM_MISSING)]


def test_a_damaged_mail_is_as_good_as_gone(store: ClaimStore, tmp_path: Path) -> None:
    claim = put(store, NO_DATE)
    (file,) = (tmp_path / "claims").glob("??/*")
    file.write_bytes(b"x" * len(NO_DATE))
    assert ClaimedMails(store, parse_mail, TAUGHT).parse(claim.to_bytes()).code is Code.CLAIM_MISSING


def test_of_a_mail_that_is_too_large_only_the_header_is_read(store: ClaimStore) -> None:
    def never(raw: bytes) -> None:
        raise AssertionError(f"{len(raw)} bytes were read")

    outcome = ClaimedMails(store, never, TAUGHT).parse(put_too_large(store).to_bytes())  # type: ignore[arg-type]
    assert (outcome.state, outcome.code) == (MailState.rejected, Code.MAIL_TOO_LARGE)
    assert (outcome.sender, outcome.subject, outcome.message_id) == ("ann@bank.example", "All of it", "1@x")
    assert outcome.size_bytes > MAX_MAIL_BYTES


@pytest.mark.slow
def test_extract_resolves_claims_and_counts_those_that_are_missing(
    spark: SparkSession,  # noqa: ARG001 -- the session runs it
    one_place: conf.Settings,
    store: ClaimStore,
) -> None:
    marked = ((CLAIM_HEADER, b"1"),)
    disguised = Claim("cd" * 32, 1).to_bytes()
    records = [
        Record(b"k", put(store, NO_DATE).to_bytes(), marked),
        Record(b"k", Claim("ab" * 32, 5).to_bytes(), marked),
        Record(b"k", disguised),
        Record(b"k", NO_DATE + b"\r\n"),
    ]
    with closing(open_log(one_place.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", records)
        extract(one_place, log, "group", "mails", 100)
        home = Home(one_place, log, "group", Path())
    rows = sorted(home.rows("mails"), key=lambda row: int(row["log_offset"]))
    assert [(row["state"], row["code"]) for row in rows] == [
        ("parsed", None),
        ("rejected", "CLAIM_MISSING"),
        ("rejected", "EMPTY_MAIL"),
        ("parsed", None),
    ], "a mail that reads like a claim is a mail"
    assert rows[0]["message_key"] == hashlib.sha256(NO_DATE).hexdigest()
    assert rows[0]["quotes"] == rows[3]["quotes"] > 0


@pytest.mark.slow
def test_a_claim_store_out_of_reach_fails_the_run_and_the_next_one_has_its_mails(
    spark: SparkSession,  # noqa: ARG001 -- the session runs it
    one_place: conf.Settings,
    store: ClaimStore,
    tmp_path: Path,
) -> None:
    claim = put(store, NO_DATE)
    with closing(open_log(one_place.log)) as log:
        log.create_topic("mails", 1)
        log.append("mails", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])
        (tmp_path / "claims").rename(tmp_path / "away")
        (tmp_path / "claims").symlink_to(tmp_path / "claims")  # every access is an error
        with pytest.raises(JobCutOff, match=f"{claim.sha256} cannot be read now"):
            extract(one_place, log, "group", "mails", 100)
        (tmp_path / "claims").unlink()
        (tmp_path / "away").rename(tmp_path / "claims")
        extract(one_place, log, "group", "mails", 100)
        (row,) = Home(one_place, log, "group", Path()).rows("mails")
    assert row["state"] == "parsed"
