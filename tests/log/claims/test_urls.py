"""What places of both kinds do is in test_places.py."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from log.claims import Claim
from log.claims.urls import UrlPlace

MakeClaim = Callable[[bytes], Claim]
LONG_PAST_S = -1.0


def test_without_a_lock_a_claim_that_is_no_longer_young_is_to_be_written_anew(claim_for: MakeClaim) -> None:
    place, claim = UrlPlace(f"memory://{uuid.uuid4().hex}", renew_after_s=LONG_PAST_S), claim_for(b"mail")
    draft = place.draft(claim)
    draft.write(b"mail")
    draft.keep()
    assert not place.renew(claim)
