"""How far a row is trusted: an exact product of the doubts it carries (spec 2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache

from parsers.codes import Flag

NO_HEADER = Decimal("0.90")
NO_IDENTIFIER = Decimal("0.85")
NO_CLASS = Decimal("0.9")
WEIGHTS = {
    Flag.type_assumed: Decimal("0.85"),
    Flag.side_assumed: Decimal("0.80"),
    Flag.shorthand_expanded: Decimal("0.97"),
    Flag.size_unit_assumed: Decimal("0.98"),
    Flag.locale_assumed: Decimal("0.90"),
    Flag.ambiguous_tick: Decimal("0.70"),
    Flag.ambiguous_number: Decimal("0.60"),
    Flag.crossed: Decimal("0.70"),
    Flag.id_check_failed: Decimal("0.60"),
    Flag.id_conflict: Decimal("0.50"),
    Flag.hidden_source: Decimal("0.80"),
    Flag.out_of_soft_range: Decimal("0.60"),
}
ACCEPTED = Decimal("0.600")
REVIEW = Decimal("0.400")
_STEP = Decimal("0.001")


@lru_cache(maxsize=1024)  # most lines carry the same few doubts
def confidence(flags: frozenset[Flag], *, headed: bool, identified: bool, classed: bool) -> Decimal:
    """The product of the factors, half-even to three decimals; arguments as of `factors`."""
    product = Decimal(1)
    for _, weight in factors(flags, headed=headed, identified=identified, classed=classed):
        product *= weight
    return product.quantize(_STEP, ROUND_HALF_EVEN)


def factors(flags: Collection[Flag], *, headed: bool, identified: bool, classed: bool) -> Iterator[tuple[str, Decimal]]:
    """Each doubt with its weight.

    Args:
        flags: of the row.
        headed: it stood under a header row.
        identified: it has a valid identifier.
        classed: its asset class is known (spec section 1, last line).
    """
    if not headed:
        yield "no header row", NO_HEADER
    if not identified:
        yield "no valid identifier", NO_IDENTIFIER
    if not classed:
        yield "no asset class", NO_CLASS
    yield from ((str(flag), WEIGHTS[flag]) for flag in flags if flag in WEIGHTS)
