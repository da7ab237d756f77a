"""Whether prices are in 32nds, in tables and lines alike (spec 4.4)."""

from __future__ import annotations

from parsers.quotes.classes import rules_of
from parsers.values.numbers import Ticks

IN_PART = frozenset({"agency_ssa", "govt_intl"})
"""Classes of which some are in 32nds."""


def ticks_of(
    name: str, currency: str | None, instrument: str, *, said: bool, said_of_all: bool = False, plusses: bool
) -> Ticks:
    """As a header says, the class's way, or that of the block's plusses.

    Under a header's word the handle may end in a point. A subject's or dealer's does so in classes alone that are
    quoted in 32nds: other sections may stand below it.

    Args:
        name: of the class.
        currency: of the instrument, where known.
        instrument: its text.
        said: a header says so.
        said_of_all: subject or dealer do.
        plusses: several levels of the column end in one, or of the lines where the class may have 32nds.
    """
    ticks = rules_of(name).level_ticks(currency, instrument)
    if ticks is Ticks.futures:
        return ticks
    if said or (said_of_all and (ticks is not Ticks.off or name == "unknown")):
        return Ticks.dotted
    if ticks is not Ticks.off or not (said_of_all or plusses):
        return ticks
    return Ticks.cash if said_of_all or name in IN_PART else Ticks.unsure
