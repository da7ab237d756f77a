"""What headings say of the lines under them (spec 5.6, 5.11): class, currency, side, kind, unit, tenor, issuer."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import LISTS, Firmness, QuoteKind, QuoteType
from parsers.quotes.classes import class_by_words, classes_in, rules_of
from parsers.quotes.context import PartContext
from parsers.quotes.headings.notes import noted
from parsers.quotes.headings.surroundings import Surroundings, merged, read
from parsers.quotes.runs.families import BONDS, IN_PAIRS, OTHERWISE, PAIR
from parsers.quotes.runs.sections import is_beyond, without_section
from parsers.quotes.runs.told import Told, measures_of, struct_in, told, with_benchmark
from parsers.values.currencies import CODE, of_symbol, symbol_in
from parsers.values.markets import SPREADS
from parsers.values.moments import Printed

MAX_REMARK = 320
"""Characters of a line that can say something of others."""


class Setting(Struct, frozen=True):
    """The state of the headings at a line."""

    section: str | None = None  # class of the nearest heading that named one
    also: frozenset[str] = frozenset()  # all classes that the nearest heading or the subject names, if several
    remark: str | None = None  # class that a sentence of the preamble spoke of
    subject: str | None = None  # class of the mail's subject or file's name
    said: Surroundings = field(default_factory=Surroundings)
    of_subject: Surroundings = field(default_factory=Surroundings)
    general: Surroundings = field(default_factory=Surroundings)  # said above all sections
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
    is_of_section: bool = False  # that heading names a class, too
    structs: tuple[str, ...] = ()  # the options of which a heading says that each line has one level
    market: str | None = None  # currency of the local bonds that a heading or the subject names

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
    def printed(self) -> Printed | None:
        """When the headings say that the levels are of."""
        return self.said.printed or self.of_subject.printed

    @property
    def unit_par(self) -> Fraction | None:
        """The par of a preferred that the headings state."""
        return self.said.unit_par or self.of_subject.unit_par


LOCAL = frozenset({"govt_latam_local", "inflation_linked"})
"""Classes whose bonds are named by their maturity under the name of their kind: `TES`, and `nov-29` under it."""
OF_MARKETS = LOCAL | {"irs", "inflation_swap", "cds_tranche"}
"""Classes of several markets, whose lines are maturities, tenors or tranches under a heading that names the market."""
_QUALITIES = frozenset({"corp_ig", "corp_hy"})
_OF_CREDITS = frozenset({"cds_single", "trs"})
"""Classes whose lines name issuers: `US IG/HY names, 5y` says of which kind they are, and nothing of bonds."""
_CASH = re.compile(r"\b(?:cash|bonds?|prices?|px)\b", re.IGNORECASE)
_MARKETS = re.compile(
    r"\b(?:secondary|two[- ]ways?|2[- ]ways?|axes|inventory|offerings)\b(?!\s+(?:bwics?|lists?|trades?|colou?r))|"
    r"\b(?:runs?|our markets?)\W*$",
    re.IGNORECASE,
)
_BONDS = re.compile(
    rf"(?:(?:cash|straight|corporate|senior|{CODE})\s+)?(?:bonds?|notes?|securities|straights?|anleihen|obligations|bonos|obrigações|"
    rf"obbligazioni|cash)(?:\W+(?:{CODE}|cash|runs?|axes|levels|prices|markets?|offers|bids)\b)*\W*",
    re.IGNORECASE,
)
"""A title of bonds, whichever they are."""
_ANSWERED = re.compile(r"^(?:(?:re|fw|fwd|aw|wg|tr|rv|enc|i|r)\s*:\s*)+", re.IGNORECASE)


def beginning(context: PartContext) -> Setting:
    """The state before the first line: what subject and file name say."""
    found = _beginning(_ANSWERED.sub("", context.mail.subject or ""), context.file_name)
    if not context.mail.note:
        return found
    return replace(found, of_subject=merged((found.of_subject, noted(context.mail.note))))


@lru_cache(maxsize=1024)  # subjects come again from day to day
def _beginning(subject: str, file_name: str | None) -> Setting:
    names = [name for name in (file_name, subject) if name]
    found = next((name for name in map(class_by_words, names) if name), None)
    measures = measures_of(subject)
    said = with_benchmark(read(subject, near=True), subject) if subject else Surroundings()
    symbol = symbol_in(subject)
    if said.currency is None and symbol is not None and symbol != "$":  # `Floaters € run`
        said = replace(said, currency=of_symbol(symbol))
    pair = PAIR.search(subject)  # `EURGBP vol run`: what the tenors under it are of
    return Setting(
        subject=found,
        tenor=said.tenor,
        issuer=pair[0] if pair is not None and found in IN_PAIRS else None,
        also=classes_in(subject),
        of_subject=said,
        struct=struct_in(subject),
        measure=measures[0] if len(measures) == 1 else None,
        market=_market(found, subject),
    )


def under(setting: Setting, text: str) -> Setting:
    """The state under one more line that is no quote."""
    stripped = " ".join(text.split()).strip("*_=#|<>")
    if not stripped or len(stripped) > MAX_REMARK:
        return setting
    line = told(stripped)
    said = line.said
    if line.is_title and line.named is not None and is_beyond(setting, line.named):
        setting = without_section(setting)
    if said.currency is None and line.symbol is not None:
        said = replace(said, currency=_code_of(line.symbol, setting))
    if _makes_markets(line, setting, stripped):
        said = replace(said, kind=QuoteKind.market)
    elif _ends_list(line, setting):
        setting = replace(setting, said=replace(setting.said, kind=None))
    below = replace(
        setting,
        said=merged((said, setting.said)),
        structs=line.structs or setting.structs,
        struct=setting.struct or "atm" if line.struct == "atm" else line.struct or setting.struct,
        is_order_told=setting.is_order_told or line.orders,
        is_in_m=line.is_in_m if said.size_unit is not None else setting.is_in_m,
        running=line.running if line.running is not None else setting.running,
    )
    if line.is_title:
        found = _under_title(below, line, stripped)
        return found if found.section is not None else replace(found, general=found.said)
    if below.section is None:
        below = replace(below, general=below.said)
    return replace(below, remark=line.named) if line.named is not None and setting.remark is None else below


def _ends_list(line: Told, setting: Setting) -> bool:
    """Whether a title names another class than the list above it is of, and no list: `Provincials` under `CLO BWIC`."""
    is_other = line.named is not None and line.named != (setting.section or setting.subject)
    return setting.said.kind in LISTS and line.is_title and is_other and line.said.kind is None


def _makes_markets(line: Told, setting: Setting, text: str) -> bool:
    """Whether a title under a list says that its own lines are the dealer's markets: `Secondary` in a mail of BWICs."""
    is_plain = line.is_title and line.said.kind is None and setting.kind in LISTS
    return is_plain and _MARKETS.search(text) is not None


def _under_title(setting: Setting, line: Told, text: str) -> Setting:
    """A title or section: it may name class, tenor, issuer and measure."""
    section, also, hints, measure = setting.section, setting.also, setting.hints, setting.measure
    is_quality = line.named in _QUALITIES and (section or setting.subject) in _OF_CREDITS and not _CASH.search(text)
    if line.named is not None and not is_quality:
        section, also, hints = line.named, line.also, hints if line.named == section else ()
    if line.named is None and (section or setting.subject) == "swaption" and line.is_pair:
        section = "fx_option"
    above = section or setting.subject
    is_of_notes = above == "structured_note" and "note" in text.lower()
    if line.named is None and above in OTHERWISE and not is_of_notes and _BONDS.fullmatch(text):
        section, also, hints = None if setting.subject not in OTHERWISE else BONDS, frozenset(), ()
    issuer = line.issuer
    if (section or setting.subject) in IN_PAIRS and (issuer is not None or line.named in IN_PAIRS):
        issuer = _pair_of(text if issuer is None else issuer, setting.issuer)
    is_of_section = setting.is_of_section
    if line.named is not None and line.named != setting.section and is_of_section:
        measure = None  # `NDF USD/BRL` below `LTN, taxa`
    if line.measures:
        is_of_section = line.named is not None
        first = line.measures[0]
        measure = first if len(line.measures) == 1 or first in SPREADS else None  # `DM, price`
    market = _market(section or setting.subject, line.issuer or "")
    said = setting.said
    if market is not None and line.said.currency is None and line.symbol is None and said.currency != market:
        said = replace(said, currency=None)  # `TES` below `Mbonos, MXN`
    return replace(
        setting,
        said=said,
        section=section,
        also=also,
        hints=hints,
        measure=measure,
        is_of_section=is_of_section,
        tenor=line.tenor or setting.tenor,
        market=market or setting.market,
        issuer=issuer if issuer is not None else setting.issuer,
        names_bonds=_is_silent(line.said) if issuer is not None else setting.names_bonds,
    )


def _pair_of(text: str, before: str | None) -> str | None:
    """The pair that a title over currencies names, `EURUSD vols`; `Forwards` below it are of the same pair."""
    pair = PAIR.search(text) or PAIR.fullmatch(before or "")
    return pair[0] if pair is not None else text


def _market(name: str | None, text: str) -> str | None:
    return rules_of(name).market_in(text) if name in OF_MARKETS else None


def _is_silent(said: Surroundings) -> bool:
    """Whether a heading says neither side nor kind, nor of when the levels are."""
    return not any((said.side, said.kind, said.axe, said.firmness, said.printed))


def _code_of(symbol: str, setting: Setting) -> str | None:
    """The currency of a symbol in a title; a lone `$` is the class's own dollar, where nothing stated another."""
    if symbol != "$":
        return symbol
    if setting.said.currency is not None:
        return None
    is_canadian = rules_of(setting.section or setting.subject or "").currency == "CAD"
    return "CAD" if is_canadian else "USD"
