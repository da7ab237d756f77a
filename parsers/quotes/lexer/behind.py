"""What stands behind figures says what they can be, before any pattern is tried on them (spec 5.11)."""

from __future__ import annotations

import re

from msgspec import Struct

from parsers.gates.gates import ASCII, Beginning, reached

_BEHIND = re.compile(r"(?P<figures>\d[\d.,]*)\s{0,6}(?P<next>\S)?")
"""Figures, and the first letter or mark behind them."""

_PLAIN, _POINTED, _GROUPED, _PLAIN_PAST, _GROUPED_PAST = range(5)
"""How far figures are read: without a point, with one, with a comma or two points; past these, at blanks."""
_GROUPED_STATES = frozenset({_GROUPED, _GROUPED_PAST})


class Behind(Struct, frozen=True):
    """Patterns that are matched at figures, and what a match can have behind them: `` where it can end with them."""

    plain: frozenset[str]
    grouped: frozenset[str]  # behind figures with a comma, or with two points
    beginning: Beginning
    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, *patterns: re.Pattern[str]) -> Behind:
        """The gate of these patterns."""
        found = [_following(pattern) for pattern in patterns]
        plain, grouped = (frozenset().union(*each) for each in zip(*found, strict=True))
        return cls(plain, grouped, Beginning.of(*patterns), patterns)

    def begins(self, letter: str, following: str, *, is_grouped: bool) -> bool:
        """Whether a match can begin with this letter, and with figures where it is one of their digits."""
        is_figure = letter.isdigit()
        return self.beginning.passes(letter) and (not is_figure or self.allows(following, is_grouped=is_grouped))

    def allows(self, following: str, *, is_grouped: bool) -> bool:
        """Whether a match can have this behind its figures, `` where nothing is."""
        return following in (self.grouped if is_grouped else self.plain) or not following.isascii()

    def passes(self, text: str) -> bool:
        """Whether a match can begin where this text does."""
        following, grouped = behind(text, 0)
        return self.begins(text[:1], following, is_grouped=grouped)


def behind(text: str, at: int) -> tuple[str, bool]:
    """What stands behind the figures at a place, `` where nothing does, and whether they are grouped.

    So are figures with a comma, or with two points as `15.03.2034`; where none begin, nothing is behind them.
    """
    found = _BEHIND.match(text, at)
    if found is None:
        return "", False
    figures, following = found.groups()
    return following or "", "," in figures or figures.count(".") > 1


def _following(pattern: re.Pattern[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What a match can have behind plain and behind grouped figures; anything where it can end with them."""
    found = reached(pattern, _PLAIN, _step)
    plain, grouped = found.stopped(_PLAIN, _POINTED, _PLAIN_PAST), found.stopped(*_GROUPED_STATES)
    return (
        plain if found.ends <= _GROUPED_STATES else ASCII | {""},
        grouped if found.ends.isdisjoint(_GROUPED_STATES) else ASCII | {""},
    )


def _step(state: int, character: str) -> int | None:
    """As `_BEHIND` reads: figures with points and commas, then blanks."""
    if character.isspace():
        return _GROUPED_PAST if state in _GROUPED_STATES else _PLAIN_PAST
    if state in (_PLAIN_PAST, _GROUPED_PAST):
        return None
    if character == ",":
        return _GROUPED
    if character == ".":
        return min(state + 1, _GROUPED)
    return state if character.isdigit() else None
