"""What each piece of evidence weighs for each class, as `weights.toml` lists it (`listed`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from parsers.codes import AssetClass
from parsers.quotes.listed import Weights, weights_in
from parsers.quotes.weighing.evidence import is_evidence

FILE = Path(__file__).with_name("weights.toml")
CLASSES: tuple[str, ...] = tuple(str(name) for name in AssetClass if name is not AssetClass.unknown)
"""The classes in the order of the spec, in which weights are listed."""


@cache
def weights() -> Weights:
    """The weights of this lexicon. Raises WordsBroken, OSError."""
    return weights_in(FILE, CLASSES, is_evidence)
