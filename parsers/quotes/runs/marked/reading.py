"""One line of a run understood, still as printed: instrument, levels, sizes, remarks (spec 5.11)."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Firmness
from parsers.quotes.answers.named import Named
from parsers.quotes.lexer.token import Token


class Mark(Struct, frozen=True, gc=False):
    """A level and the words that belong to it."""

    token: Token
    side: str | None = None  # bid, ask, mid
    kind: str | None = None  # talk, cover, trade
    label: str | None = None  # a quote type, or `price`
    struct: str | None = None  # atm, rr25, ...
    tenor: str | None = None  # in front of it; lines of several tenors have one for each level
    reference: str | None = None
    delta: str | None = None
    running: str | None = None


class Reading(Struct):
    """What a line says."""

    named: Named = field(default_factory=Named)
    marks: list[Mark] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    bond: str | None = None  # a benchmark named behind the level
    wanted: str | None = None  # bid, ask: what words in front of the level say that the dealer wants
    axe: str | None = None  # bid, ask, any
    firmness: Firmness | None = None
    is_flat: bool = False
    is_withdrawn: bool = False
    is_untraded: bool = False
    is_dated: bool = False  # a level of another day stands in the line: what a bond costs when it is called
    is_timed: bool = False  # a time of day stands in the line
    time: str | None = None  # the one in front of it
    currency: str | None = None  # printed behind the level

    @property
    def side(self) -> str | None:
        """The side on which the dealer is."""
        return self.wanted or (self.axe if self.axe in ("bid", "ask") else None)

    @property
    def prefixes(self) -> list[str]:
        """Of its levels."""
        return [mark.token.prefix or "" for mark in self.marks]

    @property
    def is_torn(self) -> bool:
        """Whether the first level is on the other side than the wish: `can bid 98 for X, offered side is 99`."""
        return self.wanted is not None and bool(self.marks) and self.marks[0].side not in (None, self.wanted)

    def of(self, other: Named) -> Reading:
        """These levels with the instrument of another line."""
        return replace(self, named=replace(other, tenor=self.named.tenor or other.tenor, quantity=self.named.quantity))
