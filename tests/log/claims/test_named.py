from __future__ import annotations

from log import Record
from log.claims import CLAIM_HEADER, Claim
from log.claims.named import claims_in
from log.embedded import EmbeddedLog

MARKED = ((CLAIM_HEADER, b"1"),)


def test_every_claim_of_every_topic_is_named_and_what_is_none_is_passed_over(embedded: EmbeddedLog) -> None:
    one, two = Claim("ab" * 32, 7), Claim("cd" * 32, 8)
    embedded.create_topic("backfill", 2)
    embedded.append(
        "mails", [Record(b"k", b"inline"), Record(b"k", b"none", MARKED), Record(b"k", one.to_bytes(), MARKED)]
    )
    embedded.append("backfill", [Record(b"x", two.to_bytes(), MARKED)])
    assert list(claims_in(embedded)) == [two, one]
