"""What headings say of the lines under them (spec 5.6, 5.11): class, currency, side, kind, unit, tenor, issuer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Firmness, QuoteKind, QuoteType
from parsers.quotes.classes import class_by_instrument, class_by_words, classes_in, rules_of
from parsers.quotes.context import PartContext
from parsers.quotes.headings.surroundings import Surroundings, merged, read, spoken_measures
from parsers.values.currencies import SYMBOLS
from parsers.values.tenors import tenor

MAX_HEADING = 160
MAX_REMARK = 320
MAX_ISSUER = 40
"""Characters of a heading, of a remark, of a heading that can be an issuer's name."""


class Setting(Struct, frozen=True):
    """The state of the headings at a line."""

    section: str | None = None  # class of the nearest heading that named one
    also: frozenset[str] = frozenset()  # all classes that the nearest heading or the subject names, if several
    remark: str | None = None  # class that a sentence of the preamble spoke of
    subject: str | None = None  # class of the mail's subject or file's name
    said: Surroundings = field(default_factory=Surroundings)
    of_subject: Surroundings = field(default_factory=Surroundings)
    issuer: str | None = None  # the last heading that may name one
    tenor: str | None = None
    is_order_told: bool = False  # a heading says which side comes first
    hints: tuple[str, ...] = ()  # measures of a header line's level columns
    is_headed: bool = False
    running: Fraction | None = None
    is_in_m: bool = False  # sizes are in `M`, which some classes read as thousands
    struct: str | None = None  # straddle, payer, receiver
    measure: QuoteType | None = None  # the only one that the nearest heading names

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

    @property
    def firmness(self) -> Firmness | None:
        """How firm the headings say that the levels are."""
        return self.said.firmness or self.of_subject.firmness

    @property
    def unit_par(self) -> Fraction | None:
        """The par of a preferred that the headings state."""
        return self.said.unit_par or self.of_subject.unit_par


_ANSWERED = re.compile(r"^(?:(?:re|fw|fwd|aw|wg|tr|rv|enc|i|r)\s*:\s*)+", re.IGNORECASE)
_TWO_SENTENCES = re.compile(r"[a-z]\.\s+[A-Z][a-z]+ [a-z]+")
_ORDER = re.compile(
    r"\b(?:bid|geld|compra|denaro|acheteur)\s*(?:/|-|x|vs)\s*(?:ask|offer|ofr|brief|venta|venda|lettera|vendeur)",
    re.IGNORECASE,
)
STRUCT = re.compile(r"\b(straddle|payer|receiver)s?\b")
_IN_M = re.compile(r"\bin\s+\$?M\b(?!\s?M)")
_ONLY_TENOR = re.compile(r"\D*\b(\d{1,2}[yY])\b\D*")  # `single names, 5y unless stated`
_RUNNING = re.compile(r"\+?(25|100|300|500|1000)\s?(?:bps?\s)?running", re.IGNORECASE)
_MARKET_TALK = re.compile(
    r"\b(?:SPX|S&P|VIX|DAX|SX5E|FTSE|CAC|NDX|Nikkei|WTI|Brent|DXY|DJIA|Ibov|Merval|TSX|MOVE|UST10|Gold|Cable|ES|Dólar|"
    r"Dollar)\b|"
    r"[+\-]\d[\d.,]*\s?(?:bps?|%|ticks?)|"
    r"\b(?:unch|unchanged|wider|tighter|ticks?|firmer|flows?|light|quiet|trades? on)\b",
)
_INITIALS = re.compile(r"\b(?:we|our|you|please|pls|call|the|is|are|was|were|ask|see)\b", re.IGNORECASE)


def beginning(context: PartContext) -> Setting:
    """The state before the first line: what subject and file name say."""
    subject = _ANSWERED.sub("", context.mail.subject or "")
    names = [name for name in (context.file_name, subject) if name]
    found = next((name for name in map(class_by_words, names) if name), None)
    measures = measures_of(subject)
    return Setting(
        subject=found,
        also=classes_in(subject),
        of_subject=read(subject, near=True) if subject else Surroundings(),
        measure=measures[0] if len(measures) == 1 else None,
    )


_MARKET = re.compile(r"\d\+?\s?/\s?\d|\d[\-'’]\d\d\b")  # a line with one that could not be read names no issuer


def under(setting: Setting, text: str) -> Setting:
    """The state under one more line that is no quote."""
    stripped = " ".join(text.split()).strip("*_=#|<>")
    if not stripped or len(stripped) > MAX_REMARK:
        return setting
    is_talk = _MARKET_TALK.search(stripped) is not None
    near = not is_talk and _is_near(stripped)
    said = read(stripped, near=near)
    if is_talk:
        said = replace(said, kind=None, side=None, axe=None, measure=None)
    said = replace(said, currency=said.currency or _symbol(stripped, setting))
    setting = replace(setting, said=merged((said, setting.said)))
    named = class_by_words(stripped)
    if near:
        setting = _under_title(setting, stripped, named)
    elif named is not None and setting.remark is None:
        setting = replace(setting, remark=named)
    return _under_remark(setting, stripped, has_unit=said.size_unit is not None)


def _under_title(setting: Setting, text: str, named: str | None) -> Setting:
    """A title or section: it may name class, tenor, issuer and measure."""
    if named is not None:
        hints = setting.hints if named == setting.section else ()
        setting = replace(setting, section=named, also=classes_in(text), hints=hints)
    measures = measures_of(text)
    if measures:
        setting = replace(setting, measure=measures[0] if len(measures) == 1 else None)
    is_name = len(text) <= MAX_ISSUER and not text.endswith((".", ":")) and _MARKET.search(text) is None
    only = _ONLY_TENOR.fullmatch(text)
    of_all = tenor(text if only is None else only[1]) or setting.tenor
    return replace(setting, tenor=of_all, issuer=text if is_name else setting.issuer)


def _under_remark(setting: Setting, text: str, *, has_unit: bool) -> Setting:
    """Any line: how sizes are counted, which side comes first, what an option is, what runs."""
    structs = set(STRUCT.findall(text.lower()))
    running = _RUNNING.search(text)
    return replace(
        setting,
        struct=structs.pop() if len(structs) == 1 else setting.struct,
        is_order_told=setting.is_order_told or _ORDER.search(text) is not None,
        is_in_m=_IN_M.search(text) is not None if has_unit else setting.is_in_m,
        running=Fraction(running[1]) if running is not None else setting.running,
    )


def class_of(setting: Setting, name: str, kinds: Iterable[str], default: str | None) -> tuple[str, str]:
    """The class of a line's instrument and what said so, in the order of spec section 1.

    Args:
        setting: of the line.
        name: the instrument's text.
        kinds: of its identifiers.
        default: the sender's.
    """
    if (setting.section or setting.subject) not in _OVER_INSTRUMENTS:
        strong = class_by_instrument(name, strong=True)
        if strong is not None:
            return strong, "instrument"
    if setting.also and (form := class_by_instrument(name)) in setting.also:
        return form, "instrument"
    of_identifier = next((_OF_IDENTIFIER[kind] for kind in kinds if kind in _OF_IDENTIFIER), None)
    told = (
        (setting.section, "heading"),
        (setting.subject, "subject"),
        (of_identifier, "identifier"),
        (setting.remark, "heading"),
    )
    for found, source in told:
        if found is not None:
            return found, source
    form = class_by_instrument(name)
    if form is not None:
        return form, "instrument"
    return (default, "sender") if default is not None else ("unknown", "none")


_OF_IDENTIFIER = {"loanx_id": "leveraged_loan", "red_code": "cds_single"}
_OVER_INSTRUMENTS = frozenset({"repo", "trs", "cd", "commercial_paper", "convertible", "strips"})
"""Classes whose lines name instruments of other classes."""


def _is_near(text: str) -> bool:
    """Whether the line is a title or section, not a sentence of the covering note."""
    words = text.split()
    if len(text) > MAX_HEADING or len(words) > 16:
        return False
    if len(words) <= 6:
        return True
    is_sentence = text.endswith((".", "!", "?")) and (_INITIALS.search(text) or _has_few_capitals(words))
    return not is_sentence and not _TWO_SENTENCES.search(text)


def _has_few_capitals(words: Sequence[str]) -> bool:
    """Whether most words are written small, as in a sentence: `Two deals priced, books 3 times covered`."""
    return not words[0].isupper() and sum(word[:1].islower() for word in words) * 2 > len(words)


def _symbol(text: str, setting: Setting) -> str | None:
    """The currency of a symbol in a title."""
    for symbol, code in SYMBOLS.items():
        if symbol != "$" and symbol in text:
            return code
    if "$" in text and setting.said.currency is None:
        canadian = rules_of(setting.section or setting.subject or "").currency == "CAD"
        return "CAD" if canadian else "USD"
    return None


def measures_of(text: str) -> tuple[QuoteType | None, ...]:
    """The quote types that a heading speaks of, in order; None for words such as `price` whose type the class knows."""
    return tuple(
        dict.fromkeys(QuoteType(name) if name in QuoteType.__members__ else None for name in spoken_measures(text))
    )
