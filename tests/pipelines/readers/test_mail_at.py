from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conf import Settings
from log import CommitLog, Record, TopicPartition, open_log
from log.claims import CLAIM_HEADER, Claim, open_claims
from log.errors import ClaimMissing, OffsetOutOfRange
from pipelines.errors import BadSelection, NothingToRead
from pipelines.readers.mail_at import mail_at, place_of, position, require_place

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

MAIL = b"From: a@b.example\nSubject: x\n\n98.5/99\n"
LARGE = MAIL * 100


@pytest.fixture
def with_claims(settings: Settings, tmp_path: Path) -> Settings:
    return replace(settings, log=replace(settings.log, claims=(tmp_path / "claims",)))


@pytest.fixture
def log(with_claims: Settings) -> Iterator[CommitLog]:
    """A mail, a large one, one whose bytes are gone, and a claim that cannot be read."""
    import hashlib

    claim = Claim(hashlib.sha256(LARGE).hexdigest(), len(LARGE))
    store = open_claims(with_claims.log)
    store.places[0].own("of the tests")
    store.put(claim, lambda: [LARGE])
    marked = ((CLAIM_HEADER, b"1"),)
    with closing(open_log(with_claims.log)) as opened:
        opened.create_topic("mails", 1)
        opened.append(
            "mails",
            [
                Record(b"k", MAIL),
                Record(b"k", claim.to_bytes(), marked),
                Record(b"k", Claim("ab" * 32, 5).to_bytes(), marked),
                Record(b"k", b"no claim", marked),
            ],
        )
        yield opened


def test_a_position_is_written_as_reparse_takes_it_or_as_prices_shows_it() -> None:
    assert position("mails:0:17") == position("mails-0@17") == (TopicPartition("mails", 0), 17)
    assert position("a-b.c-2@3") == (TopicPartition("a-b.c", 2), 3)
    for wrong in ("mails", "mails:0", "mails:0:1-5", "mails:x:1", "mails@1", ""):
        with pytest.raises(BadSelection):
            position(wrong)


def test_what_may_be_a_position_or_a_message_id_is_looked_for_and_nothing_else() -> None:
    for text in ("mails:0:17", "mails-0@17", "<a b>", "20261120.17@dealer.example"):
        require_place(text)
    for wrong in ("mails", "run.eml", "<a", "a b@c", ""):
        with pytest.raises(BadSelection):
            require_place(wrong)


def test_a_message_id_is_looked_up_in_the_published_tables(extracted: Home) -> None:
    rows = extracted.rows("mails")
    count = Counter(row["message_id"] for row in rows)
    row = next(row for row in rows if count[row["message_id"]] == 1 and "@" in row["message_id"])
    name, found = row["message_id"], (TopicPartition(row["topic"], row["log_partition"]), row["log_offset"])
    assert place_of(extracted.settings, name) == place_of(extracted.settings, f"<{name}>") == found
    assert mail_at(extracted.settings, extracted.log, name) in {
        record.value for record in extracted.log.read(*found, 1)
    }
    with pytest.raises(NothingToRead, match="no mail that was extracted"):
        place_of(extracted.settings, "<nobody@nowhere>")


def test_of_several_mails_with_one_message_id_one_is_to_be_named(extracted: Home) -> None:
    count = Counter(row["message_id"] for row in extracted.rows("mails"))
    (twice,) = (name for name, times in count.items() if times == 2)
    with pytest.raises(BadSelection, match="2 mails have this Message-ID; name one: mails:"):
        place_of(extracted.settings, twice)


def test_a_mail_is_its_bytes_whether_the_log_or_the_claim_store_has_them(with_claims: Settings, log: CommitLog) -> None:
    assert mail_at(with_claims, log, "mails:0:0") == MAIL
    assert mail_at(with_claims, log, "mails-0@1") == LARGE


def test_what_is_gone_or_no_mail_is_told(with_claims: Settings, log: CommitLog) -> None:
    with pytest.raises(ClaimMissing):
        mail_at(with_claims, log, "mails:0:2")
    with pytest.raises(NothingToRead, match="not a claim"):
        mail_at(with_claims, log, "mails:0:3")
    with pytest.raises((NothingToRead, OffsetOutOfRange)):
        mail_at(with_claims, log, "mails:0:99")
