"""How far a row is trusted: the sum of what its factors weigh, and what that means (spec 2.6, ruling 36)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from decimal import Decimal

from msgspec import Struct

from parsers.quotes.trust.weights import Weights

AT_MOST_REVIEW = frozenset(
    {"flag.crossed", "flag.id_conflict", "flag.ambiguous_tick", "heading.unheaded", "digits.day"}
)
"""Doubts that too few known mails show to be weighed, and that nothing outweighs: such a row is never accepted."""


class Trust(Struct, frozen=True):
    """What a row's factors come to."""

    total: int
    confidence: Decimal  # the share of exact rows among those of such sums
    status: str | None  # accepted, review; None: it is refused


def trust_of(shown: Collection[str], by: Weights) -> Trust:
    """How far a row with these factors is trusted."""
    weigh = by.factors.get
    total = sum([weigh(name, 0) for name in shown])
    if not AT_MOST_REVIEW.isdisjoint(shown):
        total = min(total, by.accepted - 1)
    if total < by.review:
        return Trust(total, Decimal("0.000"), None)
    at = bisect_right(by.shares, total, key=_least) - 1
    return Trust(total, by.shares[at][1], "accepted" if total >= by.accepted else "review")


def reasons(shown: Collection[str], by: Weights) -> Iterator[str]:
    """Why a row is trusted as far as it is: the factors that weigh anything, the heaviest first, and the limits."""
    weighing = sorted(((name, by.factors.get(name, 0)) for name in shown), key=lambda one: (-abs(one[1]), one[0]))
    told = ", ".join(f"{name} {weight:+d}" for name, weight in weighing if weight)
    found = trust_of(shown, by)
    yield f"trusted by {found.total}: {told or 'nothing'}"
    if not AT_MOST_REVIEW.isdisjoint(shown):
        yield f"never accepted with {', '.join(sorted(AT_MOST_REVIEW.intersection(shown)))}"
    yield f"rows are accepted from {by.accepted} on, kept for review from {by.review} on"


def _least(share: tuple[int, Decimal]) -> int:
    return share[0]
