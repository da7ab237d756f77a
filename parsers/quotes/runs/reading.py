"""One line of a run understood, still as printed: instrument, levels, sizes, remarks (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Firmness
from parsers.quotes.runs.token import LEVEL, MONTH, NUMBER, Token
from parsers.values.finding import Found
from parsers.values.indices import CURRENCIES


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


class Named(Struct, frozen=True, gc=False):
    """The instrument of a line, as printed."""

    identifiers: tuple[Found, ...] = ()
    name: str = ""
    plain_words: int = 0  # words of the name in lower case: prose has many
    coupon: str | None = None
    maturity: str | None = None
    margin: str | None = None  # of a floater or loan, in bp
    tenor: str | None = None
    tranche: str | None = None
    quantity: str | None = None  # a bare number in front of the name

    @property
    def is_bond(self) -> bool:
        """Whether coupon and maturity stand there."""
        return self.coupon is not None and self.maturity is not None

    @property
    def is_certain(self) -> bool:
        """Whether the text itself names an instrument, without help from a heading."""
        return bool(self.identifiers) or (self.is_bond and bool(self.name))


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
    def is_torn(self) -> bool:
        """Whether the first level is on the other side than the wish: `can bid 98 for X, offered side is 99`."""
        return self.wanted is not None and bool(self.marks) and self.marks[0].side not in (None, self.wanted)

    def of(self, other: Named) -> Reading:
        """These levels with the instrument of another line."""
        return replace(self, named=replace(other, tenor=self.named.tenor or other.tenor, quantity=self.named.quantity))


class Habits(Struct, frozen=True, gc=False):
    """How the class of a line writes its instruments."""

    coupon_alone: bool = False  # a coupon without a maturity: `FNCL 5.5 Dec`, `JPM PRD 5.75`
    percent_alone: bool = False  # the same, printed with its sign: `BRC 8% Roche`
    counted: bool = False  # a number in front of the name is a quantity
    known: bool = False  # the text has the form of the class: a lone value behind it is a level
    curves: bool = False  # quoted by tenor: a value behind a tenor is a level
    wished: bool = False  # the line says what the dealer wants to do, or a heading that it was done
    sided: bool = False  # a heading says on which side lone values are
    sized: bool = False  # and in what their sizes are
    margined: bool = False  # a lone spread beside a price is the coupon's margin
    german: bool = False  # `hier` is where the market is, and not yesterday
    yearly: bool = False  # a kind of bond and a year are an instrument: `NTN-B 2028`
    under_issuer: bool = False  # a heading may name the issuer: coupon and year alone are an instrument


LEVEL_KEYS = frozenset({"talk", "cover", "trade", "mark", "not_traded", "withdrawn", "subject"})
"""Labels that stand where a level would."""
MARGINS = frozenset({"S", "E", *CURRENCIES})
"""Indices whose spread in a name is a coupon's margin."""
FLOATING = re.compile(r"(?:FRNs?|frns?|FLT|FLOAT|[Ff]loat(?:er)?|VAR)\Z")
"""A floater's word."""
LOAN_MARGINS = MARGINS | {""}
"""A loan's is also printed without its index."""


def level_follows(found: Sequence[Token], at: int, *, dated: bool) -> bool:
    """Whether something that can be a level follows a token, or has come before it.

    Args:
        found: the line's tokens.
        at: index of the token.
        dated: the line's maturity is known, so another month is none.
    """
    for token in found[at + 1 :]:
        kind = token.kind
        if kind is LEVEL or kind is NUMBER or token.key in LEVEL_KEYS or (kind is MONTH and not dated):
            return True
    return any(token.kind is LEVEL and token.prefix not in MARGINS for token in found[:at])
