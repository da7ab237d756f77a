"""What each piece of evidence weighs for each class: whole numbers, as `weights.toml` has them.

    [weights]
    "issued.XS" = "corp_ig 3 govt_us -9 irs -14"

A weight is ten times the natural logarithm of what a piece changes the odds of the class by, beside all others that a
row shows (a multinomial logistic regression); a class that is not named has none. The file is written by `scripts/fit`,
and by nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from parsers.codes import AssetClass
from parsers.lexicon.files import WordsBroken, line_of, tables
from parsers.quotes.weighing.evidence import is_evidence

FILE = Path(__file__).with_name("weights.toml")
CLASSES: tuple[str, ...] = tuple(str(name) for name in AssetClass if name is not AssetClass.unknown)
"""The classes in the order of the spec, in which weights are listed."""

Weights = Mapping[str, tuple[int, ...]]
"""Of each piece of evidence, one for each of `CLASSES`."""


@cache
def weights() -> Weights:
    """The weights of this lexicon. Raises WordsBroken, OSError."""
    return weights_of(FILE)


def weights_of(file: Path) -> Weights:
    """The weights that a file has. Raises WordsBroken: with the line that names what there is not; OSError."""
    found: dict[str, tuple[int, ...]] = {}
    for name, listed in tables(file).get("weights", {}).items():
        wrong = None if is_evidence(name) else f"{name!r} is no evidence of this lexicon"
        if wrong is None:
            found[name], wrong = _listed(listed)
        if wrong is not None:
            line = line_of(file, f'"{name}"')
            raise WordsBroken(f"{file}:{line}: {wrong}; `scripts/fit` writes the file anew")
    return MappingProxyType(found)


def _listed(listed: object) -> tuple[tuple[int, ...], str | None]:
    """The weights in the order of the classes, and what is wrong with them."""
    words = listed.split() if isinstance(listed, str) else []
    named = dict(zip(words[::2], words[1::2], strict=False))
    unknown = next((name for name in named if name not in _PLACES), None)
    if unknown is not None:
        return (), f"{unknown!r} is no class"
    if not named or len(words) % 2 or not all(word.lstrip("-").isdecimal() for word in named.values()):
        return (), "a piece of evidence has a whole number for each class that it names"
    return tuple([int(named.get(name, 0)) for name in CLASSES]), None


_PLACES = frozenset(CLASSES)
