"""What a line or row that is no quote changes for those below it (spec 5.6, 5.11): a title, a section, a remark."""

from __future__ import annotations

import re

from msgspec.structs import replace

from parsers.codes import LISTS, QuoteType
from parsers.lexicon import compiled
from parsers.quotes.classes import rules_of
from parsers.quotes.classes.below import class_below
from parsers.quotes.classes.families import BONDS, IN_PAIRS, OTHERWISE, PAIR
from parsers.quotes.headings.halves import listed_in
from parsers.quotes.headings.reach import is_beyond, without_section
from parsers.quotes.headings.remarks import has_levels
from parsers.quotes.headings.setting import Setting, market_in
from parsers.quotes.headings.surroundings import Surroundings, merged
from parsers.quotes.headings.told import Told, told
from parsers.values.currencies import CODE
from parsers.values.markets import SPREADS

_QUALITIES = frozenset({"corp_ig", "corp_hy"})
_OF_CREDITS = frozenset({"cds_single", "trs"})
"""Classes whose lines name issuers: `US IG/HY names, 5y` says of which kind they are, and nothing of bonds."""
_CASH = re.compile(r"\b(?:cash|bonds?|prices?|px)\b", re.IGNORECASE)
_IN_PRICES = compiled(r"(?:\b(?:[A-Z]{3}|{price_kind})|\$)\s{price_px}s?\b")
"""What levels are, in so many words: `Prices` are of any measure."""
_BONDS = compiled(
    rf"(?:(?:{{bond_kind}}|{CODE})\s+)?{{bond_noun}}(?:\s\([^()]*\))?(?:\W+(?:{CODE}|{{bond_list}})\b)*\W*",
    re.IGNORECASE,
)
"""A title of bonds, whichever they are."""
_CURRENCIES = re.compile(r"(?:G10 |EM |LatAm )?FX\W*")
MAX_REMARK = 320
"""Characters of a line that can say something of others."""


def under(setting: Setting, text: str) -> Setting:
    """The state under one more line that is no quote."""
    stripped = " ".join(text.split()).strip("*_=#|<>")
    if not stripped or len(stripped) > MAX_REMARK:
        return setting
    line = _of_pools(told(stripped), setting)
    if line.is_title and line.named is not None:
        setting = _in_section(setting, line, line.named, stripped)
    said = line.said
    if said.currency is None and line.symbol is not None:
        said = replace(said, currency=_code_of(line.symbol, setting))
    if _ends_list(line, setting):
        setting = replace(setting, said=replace(setting.said, kind=None))
    below = _with_said(setting, line, said)
    if line.is_title:
        found = _under_title(below, line, stripped)
        return found if found.section is not None else replace(found, general=found.said)
    if below.section is None:
        below = replace(below, general=below.said)
    is_remark = line.named is not None and setting.remark is None and not has_levels(stripped)
    return replace(below, remark=line.named) if is_remark else below


def _in_section(setting: Setting, line: Told, named: str, text: str) -> Setting:
    """The state where a title names a class: what was said of another section ends."""
    if setting.section != named:
        setting = _without_kind(setting)
    if is_beyond(setting, named) and not _is_quality(line, setting, text):
        setting = replace(without_section(setting), is_later=setting.is_later or not setting.is_bare)
    return setting


def _with_said(setting: Setting, line: Told, said: Surroundings) -> Setting:
    """The state with what a line says by itself, be it a title or a remark."""
    return replace(
        setting,
        said=merged((said, setting.said)),
        structs=line.structs or setting.structs,
        struct=setting.struct or "atm" if line.struct == "atm" else line.struct or setting.struct,
        is_order_told=setting.is_order_told or line.orders,
        is_in_m=line.is_in_m if said.size_unit is not None else setting.is_in_m,
        running=line.running if line.running is not None else setting.running,
    )


def under_header(setting: Setting, hints: tuple[str, ...], text: str) -> Setting:
    """The state under a line of column headings, which is a title, too, where it names a class.

    Args:
        setting: above it.
        hints: measures of its level columns.
        text: the line: `CDX IG45 tranches 5y, USD. Upfront in points, d = delta`.
    """
    line = told(text)
    if line.is_title and line.named is not None:
        setting = under(setting, text)
    return replace(setting, hints=hints, is_headed=True, is_order_told=True, is_bare=False)


def _ends_list(line: Told, setting: Setting) -> bool:
    """Whether a title names another class than the list above it is of, and no list: `Provincials` under `CLO BWIC`."""
    is_other = line.named is not None and line.named != (setting.section or setting.subject)
    return setting.said.kind in LISTS and line.is_title and is_other and line.said.kind is None


def _under_title(setting: Setting, line: Told, text: str) -> Setting:
    """A title or section: it may name class, tenor, issuer and measure."""
    is_quality = _is_quality(line, setting, text)
    section, also, hints = _section(setting, line, text, is_quality=is_quality)
    issuer = _issuer(setting, line, text, section)
    has_own = line.halves or line.measures or line.named not in (None, setting.section)
    market = market_in(section or setting.subject, line.issuer or (text if line.named is not None else ""))
    return replace(
        setting,
        said=_without_other_money(setting.said, line, market),
        section=section,
        quality=_quality(setting, line, is_quality=is_quality),
        is_bare=line.named is not None or setting.is_bare,
        also=also,
        hints=hints,
        measure=_measure(setting, line, text),
        halves=line.halves if has_own else setting.halves,
        listed=listed_in(text) or (() if has_own else setting.listed),
        is_of_section=line.named is not None if line.measures else setting.is_of_section,
        is_in_prices=_is_in_prices(setting, line, text),
        tenor=line.tenor or setting.tenor,
        market=market or setting.market,
        issuer=issuer if issuer is not None else setting.issuer,
        names_bonds=_is_silent(line.said) if issuer is not None else setting.names_bonds,
    )


def _section(
    setting: Setting, line: Told, text: str, *, is_quality: bool
) -> tuple[str | None, frozenset[str], tuple[str, ...]]:
    """The class that a title names, all that it names, and what the columns below it hold."""
    if line.named is None:
        return _under_unnamed(setting, text)
    if is_quality:
        return setting.section, setting.also, setting.hints
    named = class_below(text, line.named, setting.section, setting.subject)
    return named, line.also, setting.hints if named == setting.section else ()


def _measure(setting: Setting, line: Told, text: str) -> QuoteType | None:
    """The measure that a title states, or that holds on below it."""
    if line.measures:
        first = line.measures[0]
        return first if len(line.measures) == 1 or first in SPREADS else None  # `DM, price`
    if "NDF" in text:  # of outrights, below `USDCNH swap points`
        return None
    is_of_other = line.named is not None and line.named != setting.section and setting.is_of_section
    return None if is_of_other else setting.measure  # `NDF USD/BRL` below `LTN, taxa`


def _issuer(setting: Setting, line: Told, text: str, section: str | None) -> str | None:
    """The issuer that a title names, of currencies the pair."""
    if (section or setting.subject) not in IN_PAIRS or (line.issuer is None and line.named not in IN_PAIRS):
        return line.issuer
    return _pair_of(text if line.issuer is None else line.issuer, setting.issuer)


def _quality(setting: Setting, line: Told, *, is_quality: bool) -> str | None:
    """The quality that the lines below are of, until another class is named."""
    if is_quality:
        return line.named
    return setting.quality if line.named is None else None


def _is_in_prices(setting: Setting, line: Told, text: str) -> bool:
    """Whether a title says that levels are prices, and no measure; one without class and measure changes nothing."""
    if line.named is None and not line.measures:
        return setting.is_in_prices
    return line.measures in ((), (None,)) and _IN_PRICES.search(text) is not None


def _without_other_money(said: Surroundings, line: Told, market: str | None) -> Surroundings:
    """What was said, but for a currency that is not of the market which a title names: `TES` below `Mbonos, MXN`."""
    if market is None or said.currency == market or line.said.currency is not None or line.symbol is not None:
        return said
    return replace(said, currency=None)


def _under_unnamed(setting: Setting, text: str) -> tuple[str | None, frozenset[str], tuple[str, ...]]:
    """Section, other classes and hints below a title that names no class: bonds or currencies begin another section."""
    above = setting.section or setting.subject
    if _CURRENCIES.fullmatch(text):  # forwards or options: each line says which
        return setting.section if setting.subject in OTHERWISE else None, frozenset(), ()
    is_of_notes = above == "structured_note" and "note" in text.lower()
    if above in OTHERWISE and not is_of_notes and _BONDS.fullmatch(text):
        return BONDS if setting.subject in OTHERWISE else None, frozenset(), ()
    return setting.section, setting.also, setting.hints


def _without_kind(setting: Setting) -> Setting:
    """The state below which another class's title stands: the kind and side of a section with lines are its own.

    A title without lines is that of all: `EUR Credit, close` over `Loans` and `Covered bonds`.
    """
    if setting.is_bare:
        return replace(setting, general=setting.said)
    if setting.section is None:
        return setting
    own, above = setting.said, setting.general
    return replace(setting, said=replace(own, kind=above.kind, side=above.side, axe=above.axe))


def _of_pools(line: Told, setting: Setting) -> Told:
    """A title that names pools by their product, under one of their pay-ups: `UMBS 30 5.5`."""
    is_of_pools = line.named == "tba_mbs" and setting.measure is QuoteType.payup_32
    return replace(line, named="agency_mbs_cmo") if is_of_pools else line


def _is_quality(line: Told, setting: Setting, text: str) -> bool:
    """Whether a title says of which kind the issuers are that protection is sold on, and nothing of bonds."""
    is_of_credits = line.named in _QUALITIES and (setting.section or setting.subject) in _OF_CREDITS
    return is_of_credits and _CASH.search(text) is None


def _pair_of(text: str, before: str | None) -> str | None:
    """The pair that a title over currencies names, `EURUSD vols`; `Forwards` below it are of the same pair."""
    pair = PAIR.search(text) or PAIR.fullmatch(before or "")
    return pair[0] if pair is not None else text


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
