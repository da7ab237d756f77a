"""The first mails of a seed, composed once for all modules."""

from __future__ import annotations

import pytest

from ingest.generate.compose import Composed, compose

SEED = 11
COUNT = 2000


@pytest.fixture(scope="session")
def mails() -> list[Composed]:
    """Enough for the rarest format and class to occur many times."""
    return [compose(SEED, number) for number in range(COUNT)]
