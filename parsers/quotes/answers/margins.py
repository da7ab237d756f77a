"""The margin of a floater's or a loan's coupon, and the floor under it, none of which is a level (spec 5.11)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.quotes.answers.named import FLOATING, LOAN_MARGINS, MARGINS, Habits, level_follows
from parsers.quotes.lexer.token import LABEL, LEVEL, NUMBER, SIZE, TENOR, WORD, Token

_FLOORS = frozenset({"fl", "flr", "floor"})
"""Words for the least that a rate can be."""
_SPREAD_UNITS = frozenset({"dm", "disc margin", "bp", "bps", "%"})
"""Of a level that is neither a price nor a loan's margin."""


def take_margin(found: list[Token], habits: Habits) -> str | None:
    """Takes `S+325`, `SOFR+104` for a margin, when a level of another kind stands behind it.

    A loan's lone spread beside a price is its margin wherever it stands, over no index too: `99.25/99.75 +350 5/28`.
    """
    if habits.margined:
        return _loan_margin(found)
    for at, token in enumerate(found):
        if token.kind is not LEVEL or token.prefix not in MARGINS or "/" in token.text:
            continue
        is_first = not any(other.kind is LEVEL and other.prefix is None for other in found[:at])
        is_on_curve = habits.curves and at > 0 and found[at - 1].kind is TENOR  # `1M ESTR+4  3M ESTR+9`
        if is_on_curve or not is_first or _is_level(found, at) or not level_follows(found, at, dated=True):
            return None
        found[at] = replace(token, kind=WORD)
        return token.text
    return None


def _is_level(found: Sequence[Token], at: int) -> bool:
    """Whether a size stands between a name that is no floater's and the spread: `BRR  5mm  S+172  100.05`."""
    sizes = [index for index in range(at) if found[index].kind is SIZE]
    if any(FLOATING.search(token.text) for token in found[:at]):
        return False
    return any(token.kind is WORD for token in found[: sizes[0]]) if sizes else False


def _loan_margin(found: list[Token]) -> str | None:
    levels = [(at, token) for at, token in enumerate(found) if token.kind is LEVEL and token.unit not in _SPREAD_UNITS]
    spreads = [(at, token) for at, token in levels if token.prefix in LOAN_MARGINS and token.text.isdigit()]
    if len(spreads) != 1:
        return None
    ((at, token),) = spreads
    is_labelled = [each.kind for each in found[max(at - 2, 0) : at]] == [NUMBER, LABEL]  # `99.25 bid S+350`
    is_priced = is_labelled or any(other.prefix is None for _, other in levels)
    if not (is_priced or level_follows(found, at, dated=True)):
        return None
    found[at] = replace(token, kind=WORD)
    return token.text


def take_floors(found: list[Token]) -> None:
    """A floor of the rate, `0.5% floor`, `50bps fl`, is no level."""
    for at, token in enumerate(found[1:]):
        is_floor = token.kind is WORD and token.text.lower() in _FLOORS
        is_state = token.text == "FL" and found[at].unit is None  # of a pool's loans: `FN 6.5 FL`
        if is_floor and not is_state and found[at].kind in (LEVEL, NUMBER):
            found[at] = replace(found[at], kind=WORD)
