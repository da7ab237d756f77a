from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from log import StoredRecord, TopicPartition
from log.claims import CLAIM_HEADER, Claim, claim_of

CLAIM = Claim("ab" * 32, 7)


def stored(value: bytes | None, *headers: tuple[str, bytes]) -> StoredRecord:
    return StoredRecord(TopicPartition("mails", 0), 0, 0, b"k", value, headers)


def test_a_claim_is_small_json_that_says_what_it_stands_for() -> None:
    assert CLAIM.to_bytes() == b'{"sha256": "' + b"ab" * 32 + b'", "size": 7}'
    assert Claim.from_bytes(CLAIM.to_bytes()) == CLAIM


def test_only_the_header_makes_a_value_a_claim() -> None:
    assert claim_of(stored(CLAIM.to_bytes(), (CLAIM_HEADER, b"1"))) == CLAIM
    assert claim_of(stored(CLAIM.to_bytes(), ("sha256", b"1"))) is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        b"",
        b"[]",
        b"{}",
        b'{"sha256": "../../etc/passwd", "size": 1}',
        b'{"sha256": "' + b"ab" * 32 + b'", "size": "1"}',
        b'{"sha256": 5, "size": 1}',
        b'{"sha256": "' + b"ab" * 32 + b'", "size": -2}',  # as many bytes as there are, to who reads so many and one
        b"\xff",
    ],
)
def test_what_is_none_is_refused(value: bytes | None) -> None:
    with pytest.raises(ValueError, match="not a claim"):
        claim_of(stored(value, (CLAIM_HEADER, b"1")))


@given(st.binary(max_size=100))
def test_any_bytes_are_a_claim_or_a_value_error(value: bytes) -> None:
    with pytest.raises(ValueError, match="not a claim"):
        Claim.from_bytes(value)
