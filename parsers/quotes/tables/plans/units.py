"""What a cell's own unit says its level is: `28.75 pts` and `88 bp` in one column of tranches (spec 5.4)."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.codes import QuoteType
from parsers.document import Cell
from parsers.quotes.classes import rules_of
from parsers.quotes.tables.plans.planning import Planned
from parsers.values.markets import SPREADS

_ENDS = frozenset("sSpPtTmMfF")
_UNIT = re.compile(r"[\d+]\s*(?:(?P<bp>bps?)|(?P<pts>pts?(?: upf)?)|(?P<dm>dm))$", re.IGNORECASE)
_UPFRONT = QuoteType.upfront_pts
_DM = QuoteType.dm_bp


def stated_unit(cell: Cell) -> str | None:
    """`bp`, `pts`, `dm` behind the number of a cell; a plus before it is of basis points; None where there is none."""
    text = cell.text
    if not text or cell.value is not None:
        return None
    if text[0] == "+" and text[1:2].isdigit():
        return "bp"
    if text[-1] not in _ENDS:
        return None
    match = _UNIT.search(text)
    return match.lastgroup if match is not None else None


def in_unit(planned: Planned, unit: str) -> Planned:
    """The slot as its class is quoted in this unit; as it was where the class is not."""
    types = rules_of(planned.rules.asset_class).types
    fitting = {"bp": [kind for kind in types if kind in SPREADS], "dm": [_DM], "pts": [_UPFRONT]}.get(unit, [])
    found = next((kind for kind in fitting if kind in types), None)
    if found is None or (planned.quote_type in SPREADS) == (found in SPREADS):
        return planned
    return replace(planned, quote_type=found, rules=replace(planned.rules, quote_type=found))
