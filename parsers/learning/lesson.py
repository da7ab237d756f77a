"""A lesson, as it goes between the process that asks for it and the child that tries."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from parsers.dealers import FIELDS, TABLES
from parsers.quotes.context import Dealer


class Atom(Struct, frozen=True, order=True):
    """One thing that an entry may say: a key with its value, or a word of a key's table with what it means."""

    key: str
    own: str | None
    value: str | int | bool


class Lesson(Struct, frozen=True):
    """What was found out."""

    entry: str  # the domain or address that heads it
    atoms: tuple[Atom, ...] = ()  # that would make the mail read as its truth says; none if it does already
    wrong: int = 0  # quotes that are read otherwise now
    why: str | None = None  # nothing can be learnt, in words


def with_atoms(dealer: Dealer, atoms: Iterable[Atom]) -> Dealer:
    """The entry with more said."""
    said: dict[str, object] = {}
    tables = {name: dict(getattr(dealer, name)) for name in TABLES}
    for atom in atoms:
        if atom.own is not None:
            tables[atom.key][atom.own] = str(atom.value)
        else:
            said[FIELDS[atom.key]] = atom.value
    return replace(dealer, **said, **{name: tuple(sorted(words.items())) for name, words in tables.items()})
