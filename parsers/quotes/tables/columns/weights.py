"""What each piece of evidence weighs for each role of a column, as `weights.toml` lists it (`listed`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from parsers.quotes.headings.roles import SIZE
from parsers.quotes.listed import Weights, weights_in
from parsers.quotes.tables.columns.evidence import SIDES, is_evidence

FILE = Path(__file__).with_name("weights.toml")
NOTHING = "nothing"
ROLES = (NOTHING, *SIDES, SIZE, *(f"{side}_{SIZE}" for side in SIDES), "name", "maturity", "coupon", "tenor")
"""What a column is weighed for; the other side of a level is `bid` or `ask`."""


@cache
def weights() -> Weights:
    """The weights of this lexicon. Raises WordsBroken, OSError."""
    return weights_in(FILE, ROLES, is_evidence)
