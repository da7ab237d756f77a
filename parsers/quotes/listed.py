"""What each piece of evidence weighs for each of several answers: whole numbers, as a `weights.toml` lists them.

    [weights]
    "issued.XS" = "corp_ig 3 govt_us -9 irs -14"

A weight is ten times the natural logarithm of what a piece changes the odds of the answer by, beside all others that
are shown (a multinomial logistic regression); an answer that is not named has none. Such a file is written by
`scripts/fit`, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from parsers.lexicon.files import WordsBroken, line_of, tables

Weights = Mapping[str, tuple[int, ...]]
"""Of each piece of evidence, one for each of the answers, in their order."""


def weights_in(file: Path, answers: Sequence[str], is_evidence: Callable[[str], bool]) -> Weights:
    """The weights that a file has. Raises WordsBroken: with the line that names what there is not; OSError."""
    found: dict[str, tuple[int, ...]] = {}
    for name, listed in tables(file).get("weights", {}).items():
        wrong = None if is_evidence(name) else f"{name!r} is no evidence of this lexicon"
        if wrong is None:
            found[name], wrong = _listed(listed, answers)
        if wrong is not None:
            line = line_of(file, f'"{name}"')
            raise WordsBroken(f"{file}:{line}: {wrong}; `scripts/fit` writes the file anew")
    return MappingProxyType(found)


def _listed(listed: object, answers: Sequence[str]) -> tuple[tuple[int, ...], str | None]:
    """The weights in the order of the answers, and what is wrong with them."""
    words = listed.split() if isinstance(listed, str) else []
    named = dict(zip(words[::2], words[1::2], strict=False))
    unknown = next((name for name in named if name not in answers), None)
    if unknown is not None:
        return (), f"{unknown!r} is none of what is weighed for"
    if not named or len(words) % 2 or not all(word.lstrip("-").isdecimal() for word in named.values()):
        return (), "a piece of evidence has a whole number for each answer that it names"
    return tuple([int(named.get(name, 0)) for name in answers]), None
