"""What each factor weighs, and what sums of them mean: whole numbers, as `weights.toml` has them.

    [limits]
    accepted = 21        # sums from here on are accepted,
    review = -60         # from here on kept for review; below it a row is refused
    [shares]
    "-60" = "0.482"      # of rows whose sum is at least this, and below the next, this share is exact
    "21" = "0.973"
    [factors]
    "flag.crossed" = -9

A weight is ten times a natural logarithm of odds. The file is written by `scripts/fit`, and by nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from parsers.lexicon.files import WordsBroken, line_of, tables
from parsers.quotes.trust.factors import is_factor

FILE = Path(__file__).with_name("weights.toml")
MOST_STEPS = 10
_WHOLE, _SHARE = re.compile(r"-?\d{1,4}"), re.compile(r"[01]\.\d{3}")


class Weights(Struct, frozen=True):
    """What rows are trusted by."""

    factors: Mapping[str, int]
    accepted: int  # the least sum of an accepted row
    review: int  # the least sum of a row that is kept
    shares: tuple[tuple[int, Decimal], ...]  # least sums with the share of exact rows from there on, both rising


@cache
def weights() -> Weights:
    """The weights that come with otclog. Raises WordsBroken, OSError."""
    return weights_of(FILE)


def weights_of(file: Path) -> Weights:
    """The weights that a file has. Raises WordsBroken: with the line of what is wrong; OSError."""
    said = tables(file)
    wrong = _wrong(said)
    if wrong is not None:
        name, what = wrong
        raise WordsBroken(f"{file}:{_line_of(file, name)}: {what}; `scripts/fit` writes the file anew")
    shares = tuple([(int(least), Decimal(share)) for least, share in said["shares"].items()])
    return Weights(MappingProxyType(said["factors"]), said["limits"]["accepted"], said["limits"]["review"], shares)


def _wrong(said: Mapping[str, Any]) -> tuple[str, str] | None:
    """The name that is wrong, and why."""
    needed = ("limits", "shares", "factors")
    missing = next((name for name in needed if not isinstance(said.get(name), dict)), None)
    if missing is not None:
        return missing, f"there is no table [{missing}]"
    for name, weight in said["factors"].items():
        if not is_factor(name):
            return name, f"{name!r} is no factor of this lexicon"
        if type(weight) is not int:
            return name, f"{name!r} weighs a whole number"
    return _wrong_limits(said["limits"]) or _wrong_shares(said["shares"], said["limits"]["review"])


def _wrong_limits(limits: Mapping[str, Any]) -> tuple[str, str] | None:
    for name in ("accepted", "review"):
        if type(limits.get(name)) is not int:
            return name, f"the limit {name!r} is a whole number"
    return None if limits["review"] <= limits["accepted"] else ("review", "what is accepted is below the review")


def _wrong_shares(shares: Mapping[str, Any], review: int) -> tuple[str, str] | None:
    before: tuple[int, Decimal] | None = None
    for name, share in shares.items():
        if not _WHOLE.fullmatch(name) or not isinstance(share, str) or not _SHARE.fullmatch(share):
            return name, "a share has three decimals, and a whole number from which on it holds"
        one = int(name), Decimal(share)
        if one[1] > 1 or (before is not None and not (before[0] < one[0] and before[1] <= one[1])):
            return name, "shares rise with their sums, up to 1"
        before = one
    if not shares or len(shares) > MOST_STEPS or int(next(iter(shares))) != review:
        return "shares", f"there are one to {MOST_STEPS} shares, the first from the limit `review` on"
    return None


def _line_of(file: Path, name: str) -> int:
    """1-based line of an entry or table."""
    return line_of(file, f'"{name}"', f"{name} ", f"[{name}]")
