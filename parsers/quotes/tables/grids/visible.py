"""Hidden rows count only where nothing visible has their instrument (spec 5.8)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.codes import Flag
from parsers.quotes.draft import Draft


def visible_first(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """The drafts of a part without the hidden ones that a visible one of the same instrument replaces."""
    if not any(Flag.hidden_source in draft.flags for draft in drafts):
        return tuple(drafts)
    seen = {key for draft in drafts if Flag.hidden_source not in draft.flags for key in _keys(draft)}
    return tuple(draft for draft in drafts if Flag.hidden_source not in draft.flags or seen.isdisjoint(_keys(draft)))


def _keys(draft: Draft) -> set[str]:
    """What names the instrument: every identifier, else its text."""
    found = draft.instrument
    named = {value for _, value in found.identifiers}
    return named or {" ".join((found.description or found.issuer or "").casefold().split())}
