"""What places of both kinds do is in test_places.py."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from fsspec.asyn import get_loop

from log.claims import Claim
from log.claims.urls import UrlPlace
from log.errors import LogUnusable
from tests.pipelines.stores import Server, no_keys_of_the_machine, s3

__all__ = ["no_keys_of_the_machine", "s3"]  # fixtures

MakeClaim = Callable[[bytes], Claim]
LONG_PAST_S = -1.0


def test_without_a_lock_a_claim_that_is_no_longer_young_is_to_be_written_anew(claim_for: MakeClaim) -> None:
    place, claim = UrlPlace(f"memory://{uuid.uuid4().hex}", renew_after_s=LONG_PAST_S), claim_for(b"mail")
    draft = place.draft(claim)
    draft.write(b"mail")
    draft.keep()
    assert not place.renew(claim)


@pytest.fixture(scope="session")
def thread_of_fsspec() -> None:
    """It has one for all who ask, as long as the process lives."""
    get_loop()


@pytest.mark.slow
@pytest.mark.usefixtures("thread_of_fsspec")
def test_a_bucket_keeps_claims_without_a_package_of_its_own(
    s3: Server, claim_for: MakeClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in s3.credentials.read_text().splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    place, raw = UrlPlace(f"s3://otclog/{uuid.uuid4().hex}/claims/", renew_after_s=3600), b"mail" * 5_000_000
    claim = claim_for(raw)
    assert (place.owner(), place.own("log-1"), place.own("log-2")) == (None, "log-1", "log-1")
    assert not place.renew(claim)
    with pytest.raises(FileNotFoundError):
        place.open(claim.sha256)
    draft = place.draft(claim)
    draft.write(raw[:10])
    draft.write(raw[10:])
    draft.keep()
    draft.discard()
    assert place.renew(claim)
    with place.open(claim.sha256) as file:
        assert file.read() == raw
    (kept,) = place.kept()
    assert (kept.name, kept.size) == (claim.sha256, len(raw))
    assert not place.remove(kept, 3600)
    assert place.remove(kept, LONG_PAST_S)
    place.sweep(LONG_PAST_S)
    assert list(place.kept()) == []


def test_an_endpoint_that_is_no_address_is_refused_by_its_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "localhost")
    with pytest.raises(LogUnusable, match=r"claims = 's3://otclog/claims': AWS_ENDPOINT_URL is no address"):
        UrlPlace("s3://otclog/claims", renew_after_s=0.0)
