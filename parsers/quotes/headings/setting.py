"""What headings say of the lines under them (spec 5.6, 5.11): class, currency, side, kind, unit, tenor, issuer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import QuoteKind, QuoteType
from parsers.lexicon import compiled
from parsers.quotes.answers.told import Anew
from parsers.quotes.classes import class_by_words, classes_in, rules_of
from parsers.quotes.classes.families import IN_PAIRS, LOCAL, PAIR
from parsers.quotes.context import PartContext
from parsers.quotes.headings.halves import halves_in, listed_in
from parsers.quotes.headings.notes import noted
from parsers.quotes.headings.surroundings import NOTHING, Surroundings, measures_of, merged
from parsers.quotes.headings.told import file_said, named_said, struct_in
from parsers.quotes.headings.usual import usual_of


class Setting(Struct, frozen=True):
    """The state of the headings at a line."""

    section: str | None = None  # class of the nearest heading that named one
    is_later: bool = False  # another desk's section stands above it
    also: frozenset[str] = frozenset()  # all classes that the nearest heading or the subject names, if several
    remark: str | None = None  # class that a sentence of the preamble spoke of
    subject: str | None = None  # class of the mail's subject or file's name
    said: Surroundings = field(default_factory=Surroundings)
    of_subject: Surroundings = field(default_factory=Surroundings)
    general: Surroundings = field(default_factory=Surroundings)  # said above all sections
    is_bare: bool = False  # no line of its own stands below the title of the section
    issuer: str | None = None  # the last heading that may name one
    names_bonds: bool = True  # that heading says nothing else: neither `Offerings` nor `US Treasuries closes` issue any
    tenor: str | None = None
    is_order_told: bool = False  # a heading says which side comes first
    hints: tuple[str, ...] = ()  # measures of a header line's level columns
    is_headed: bool = False
    running: Fraction | None = None
    is_in_m: bool = False  # sizes are in `M`, which some classes read as thousands
    struct: str | None = None  # straddle, payer, receiver, else atm
    measure: QuoteType | None = None  # the only one that the nearest heading names
    halves: tuple[str, str] | None = None  # the two that it names with a slash between them
    listed: tuple[str, ...] = ()  # all that it names, if several
    is_of_section: bool = False  # that heading names a class, too
    quality: str | None = None  # of issuers, that a title below credit protection names: `US HY`
    is_in_prices: bool = False  # it says so: `(USD price)`
    structs: tuple[str, ...] = ()  # the options of which a heading says that each line has one level
    market: str | None = None  # currency of the local bonds that a heading or the subject names
    usual: Surroundings = field(default_factory=Surroundings)  # with this dealer, where nothing else is said
    anew: tuple[Anew, ...] = ()  # of the part: blocks that are read again under other classes

    @property
    def all(self) -> Surroundings:
        """What headings, subject and the dealer's entry say, the nearest first."""
        return merged((self.said, self.of_subject, self.usual))

    @property
    def currency(self) -> str | None:
        """The currency that the nearest heading states."""
        return self.said.currency or self.of_subject.currency

    @property
    def side(self) -> str | None:
        """The side of values that do not say theirs."""
        return self.said.side or self.of_subject.side

    @property
    def kind(self) -> QuoteKind | None:
        """The kind that headings give."""
        return self.said.kind or self.of_subject.kind

    @property
    def axe(self) -> str | None:
        """The axe that headings state."""
        return self.said.axe or self.of_subject.axe


OF_MARKETS = LOCAL | {"govt_intl", "irs", "inflation_swap", "cds_tranche"}
"""Classes of several markets, whose lines are maturities, tenors or tranches under a heading that names the market."""
_ANSWERED = compiled(r"^(?:{answer_mark}\s*:\s*)+", re.IGNORECASE)


def beginning(context: PartContext, sheet: str | None = None, told: Sequence[str] = ()) -> Setting:
    """The state before the first line or row: what the names of sheet, mail and file say, then what notes tell.

    Args:
        context: of the part.
        sheet: the name of a workbook's.
        told: what the part's lines far above a table tell of it, as a covering note does.
    """
    found = _beginning(_ANSWERED.sub("", context.mail.subject or ""), context.file_name, sheet)
    usual = usual_of(context.mail.dealer)
    if usual is not NOTHING:
        found = replace(found, usual=usual)
    if context.anew:
        found = replace(found, anew=context.anew)
    if note := (*told, *context.mail.note):
        found = replace(found, of_subject=merged((found.of_subject, noted(note))))
    return found


@lru_cache(maxsize=1024)  # subjects come again from day to day
def _beginning(subject: str, file_name: str | None, sheet: str | None) -> Setting:
    names = [name for name in (file_name, subject) if name]
    found = next((name for name in map(class_by_words, names) if name), None)
    measures = measures_of(subject)
    said = merged((*(named_said(name) for name in (sheet, subject) if name), file_said(file_name or "")))
    pair = PAIR.search(subject)  # `EURGBP vol run`: what the tenors under it are of
    return Setting(
        subject=found,
        tenor=said.tenor,
        issuer=pair[0] if pair is not None and found in IN_PAIRS else None,
        also=classes_in(subject),
        of_subject=said,
        struct=struct_in(subject),
        measure=measures[0] if len(measures) == 1 else None,
        halves=halves_in(subject),
        listed=listed_in(subject),
        market=market_in(found, subject),
    )


def market_in(name: str | None, text: str) -> str | None:
    """The currency of the market whose bonds or rates of a class a text names; None for what has but one."""
    return rules_of(name).market_in(text) if name in OF_MARKETS else None
