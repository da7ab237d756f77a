from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import conf
from log import Record, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim, open_claims
from log.embedded import EmbeddedLog
from log.records import Records
from pipelines.errors import UnknownRecord
from pipelines.jobs.extract import extract
from pipelines.readers.explain import explain, spans
from pipelines.readers.prices import prices
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.store import store_of
from tests.pipelines.conftest import NO_DATE, Home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
def test_an_explanation_reads_the_mail_back_and_marks_the_levels(extracted: Home) -> None:
    root = extracted.store
    row = next(row for row in prices(root, {}) if row["bid_raw"] and row["ask_raw"] and row["line"])
    found = explain(
        root, extracted.log, open_claims(extracted.settings.log), row["record_id"][:16], extracted.settings.parsers
    )
    assert found.row == row
    assert any(line.startswith(">") and row["raw_text"] in line for line in found.around)
    assert found.decided
    assert found.mail_bytes
    assert "SHA-256 equal" in found.mail_proof
    (start, stop), (ask_start, ask_stop) = found.spans["bid"], found.spans["ask"]
    assert (row["raw_text"][start:stop], row["raw_text"][ask_start:ask_stop]) == (row["bid_raw"], row["ask_raw"])


@pytest.mark.slow
def test_an_explanation_reads_its_record_once(extracted: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    own = EmbeddedLog.read

    def noted(log: EmbeddedLog, source: TopicPartition, offset: int, max_bytes: int) -> Records:
        reads.append(offset)
        return own(log, source, offset, max_bytes)

    row = next(prices(extracted.store, {}))
    claims = open_claims(extracted.settings.log)
    monkeypatch.setattr(EmbeddedLog, "read", noted)
    assert explain(extracted.store, extracted.log, claims, row["record_id"], extracted.settings.parsers).decided
    assert reads == [row["log_offset"]]


def test_a_level_that_looks_like_the_coupon_is_marked_in_its_own_place() -> None:
    text = "ACME 5 05/34  5/6  x"
    row = {
        "raw_text": text,
        "bid_raw": "5",
        "ask_raw": "6",
        "mid_raw": None,
        "char_start": 114,
        "char_end": 117,
        "line": 4,
    }
    assert spans(row) == {"bid": (14, 15), "ask": (16, 17)}
    cells = {**row, "raw_text": "5\tACME\t5\t6", "char_start": 7, "char_end": 10, "line": None}
    assert spans(cells) == {"bid": (7, 8), "ask": (9, 10)}


@pytest.mark.slow
def test_a_mail_that_the_log_has_the_claim_of_is_proved_in_the_claim_store(
    spark: SparkSession,  # noqa: ARG001 -- the session runs it
    settings: conf.Settings,
) -> None:
    claims, claim = open_claims(settings.log), Claim(hashlib.sha256(NO_DATE).hexdigest(), len(NO_DATE))
    with closing(open_log(settings.log)) as log:
        log.create_topic("mails", 1)
        claims.put(claim, lambda: iter((NO_DATE,)))
        log.append("mails", [Record(b"k", claim.to_bytes(), ((CLAIM_HEADER, b"1"),))])
        extract(settings, log, "group", "mails", 10)
        root = store_of(settings.tables)
        record_id = next(prices(root, {}))["record_id"]
        found = explain(root, log, claims, record_id)
        assert found.mail_bytes == len(NO_DATE)
        assert found.mail_proof == "is the one the row came from (SHA-256 equal)"
        (*_, copy) = (path for replica in settings.log.replicas for path in (replica / "claims").rglob(claim.sha256))
        copy.write_bytes(b"damaged")
        assert "not in every place" in explain(root, log, claims, record_id).mail_proof


@pytest.mark.parametrize("blank", ["", "  "])
def test_no_record_at_all_is_asked_for(home: Home, blank: str) -> None:
    with pytest.raises(UnknownRecord, match="give a record_id, or its beginning"):
        explain(home.store, home.log, open_claims(home.settings.log), blank)


def test_an_unknown_or_ambiguous_record_says_so(extracted: Home) -> None:
    root, claims = extracted.tables, open_claims(extracted.settings.log)
    with pytest.raises(UnknownRecord, match="no published quote"):
        explain(Folder(root), extracted.log, claims, "zz")
    ((digit, count),) = Counter(name[0] for name in {row["record_id"] for row in prices(Folder(root), {})}).most_common(
        1
    )
    assert count > 1
    with pytest.raises(UnknownRecord, match=f"quotes begin with {digit}: give more"):
        explain(Folder(root), extracted.log, claims, digit)
