"""What stands behind figures says what they can be, before any pattern is tried on them (spec 5.11)."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters

from parsers.values.dates import MONTHS

BEHIND = re.compile(r"(?P<figures>\d[\d.,]*)\s{0,6}(?P<next>\S)?")
"""Figures, and the first letter or mark behind them."""

_FORMS = ("word", "date", "time", "series", "struct", "tranche", "tenor", "size", "month", "reference")
"""The forms that figures can have, the likeliest first."""
_JOINTS = {"/": frozenset({"date", "month"}), "-": frozenset({"word", "date", "tranche"})}
_LETTERS = {
    "word": "bmMk",
    "date": "".join({letter for name in MONTHS for letter in name[0] + name[0].upper()}),
    "time": "hapAP",
    "series": "sS1357½¼¾⅛⅜⅝⅞",
    "struct": "dRBFrbf",
    "tenor": "mMyY",
    "size": "xXmMkKbBtTyY",
    "month": "cCnN",
    "reference": "rRsS",
}
"""The forms in front of a slash or dash, and what else stands behind the figures of a form."""

_ENDING = frozenset(ascii_letters) - set("ha") | {""}
"""Behind the figures of no pair; but for `101h/102` and `101 and a half`."""
_OF_SIZES, _OF_TENORS = frozenset("mbktusclMBKTUSCL-/0"), frozenset("yYmMwWdDAajJsST")
"""Behind the figures of a size or a range of sizes, of a tenor."""


@lru_cache(maxsize=1024)
def forms_before(following: str, is_dotted: bool) -> tuple[str, ...]:  # noqa: FBT001 -- of a cache
    """The forms that figures can have, the likeliest first.

    Args:
        following: the letter or mark behind them; `` where there is none.
        is_dotted: they have two points and more, as `15.03.2034`.
    """
    if following in _JOINTS:
        names = _JOINTS[following]
    elif following and (following in ":×" or (following.isalpha() and not following.isascii())):
        names = frozenset(_FORMS)
    else:
        names = frozenset(name for name, letters in _LETTERS.items() if following and following in letters)
        names |= {"date"} if is_dotted else set()
    return tuple(name for name in _FORMS if name in names)


def may_be(behind: re.Match[str] | None) -> tuple[bool, bool, bool]:
    """Whether a pair, a size, a tenor can begin with these figures; of anything else nothing is known."""
    if behind is None:
        return True, True, True
    figures, following = behind["figures"], behind["next"] or ""
    is_grouped = "," in figures or figures.count(".") > 1
    may_size = is_grouped or following in _OF_SIZES or not following.isascii()
    return following not in _ENDING or is_grouped, may_size, following in _OF_TENORS
