"""The instrument of a line or of a name in a table, as printed (spec 2.1, 5.11)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.quotes.lexer.token import LEVEL, MONTH, NUMBER, Token
from parsers.values.finding import Found
from parsers.values.indices import CURRENCIES


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
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Its identifiers, by kind."""
        return tuple((item.kind, item.value) for item in self.identifiers)

    @property
    def is_bond(self) -> bool:
        """Whether coupon and maturity stand there."""
        return self.coupon is not None and self.maturity is not None

    @property
    def is_certain(self) -> bool:
        """Whether the text itself names an instrument, without help from a heading."""
        return bool(self.identifiers) or (self.is_bond and bool(self.name))


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
FLOATING = compiled(r"{floating_end}\Z")
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
