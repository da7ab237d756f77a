"""What is said around a row of the class of all: the words over it, and what was found to be of another class."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from parsers.securities.dictionary import Dictionary

SETTLED = frozenset({"header", "identifier", "dictionary", "sender"})
"""What settles a class: a column of its own, the kind of number, the user. Nothing is weighed against that."""


class Told(Struct, frozen=True, gc=False):
    """What is said around a row of the class of all; equal for the rows of a block."""

    by: tuple[tuple[str | None, str], ...]  # (class, what says it), the nearest first
    also: frozenset[str] = frozenset()  # all classes that the same words name, if several
    remark: str | None = None  # of what a sentence spoke
    is_canadian: bool = False  # a desk whose `Munis` are no American ones
    is_of_basis: bool = False  # of swaps, whose names begin with a pair of currencies
    default: tuple[str, str] = ("unknown", "none")  # where nothing says it
    securities: Dictionary | None = None  # what is known of instruments beside the mail
    weighed: tuple[tuple[str, str], ...] = ()  # (class as read, what its rows together weigh most for)

    @property
    def nearest(self) -> str | None:
        """The class that is said nearest to the row."""
        for name, _ in self.by:
            if name is not None:
                return name
        return None


class Anew(Struct, frozen=True, gc=False):
    """A block that is read again under another class than before."""

    told: Told
    read: str  # the class of its rows before
    weighed: str  # the class that all of them together show


def with_weighed(told: Told, anew: tuple[Anew, ...]) -> Told:
    """What is said around a row, with the classes that its block is to be read under."""
    found = tuple([(one.read, one.weighed) for one in anew if one.told == told])
    return replace(told, weighed=found) if found else told


def as_weighed(found: tuple[str, str], told: Told) -> tuple[str, str]:
    """A class with what said it, or the one that the block was found to be of instead."""
    if found[1] in SETTLED:
        return found
    for read, weighed in told.weighed:
        if found[0] == read:
            return weighed, "weighed"
    return found
