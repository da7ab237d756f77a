"""What a text that is no quote says by itself of what stands under it, above lines and tables (spec 5.6, 5.11)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteType
from parsers.gates.gates import Figured
from parsers.lexicon import compiled
from parsers.quotes.classes import class_by_words, classes_in, rules_of
from parsers.quotes.headings.halves import ORDER, halves_in
from parsers.quotes.headings.monies import currency
from parsers.quotes.headings.remarks import (
    before_ticker,
    has_levels,
    is_address,
    is_colour,
    is_guided,
    is_story,
    is_ticker,
    small,
)
from parsers.quotes.headings.surroundings import Surroundings, measures_of, read
from parsers.quotes.lexer.bonds import COUPON
from parsers.values.benchmarks import bond
from parsers.values.currencies import of_symbol, symbol_in
from parsers.values.indices import INDEX
from parsers.values.times.tenors import tenor_in
from parsers.values.words import fold

REMEMBERED = 2048
"""Lines, which come again from mail to mail."""
MAX_HEADING = 160
MAX_ISSUER = 40
"""Characters of a heading, of a heading that can be an issuer's name."""

_TWO_SENTENCES = re.compile(r"[a-z]\.\s+[A-Z][a-z]+ [a-z]+")
_OPTION = compiled(r"\bATMF?\b|\b(10|25)\s?[dD]?\s?({smile})\b(?!\s+[+\-]?\d)")
_ATM = re.compile(r"\bATMF?\b")
STRUCT = re.compile(r"\b(straddle|payer|receiver)s?\b")
_OVER = compiled(
    r"\b{over_any}\b|\+",
    re.IGNORECASE,
)
_OVER_BOND = compiled(
    rf"{{over_curve}}\s(?:the\s)?(?P<bond>[A-Z]{{1,5}}\s{COUPON}\s(?:0?[1-9]|1[0-2])/\d\d)(?![\d/])",
    re.IGNORECASE,
)
"""The bond that a heading says spreads are over: `5y provincials vs CAN 2.75 03/30`."""
_GENERIC = compiled(r"(?<=\w)\s{generic_noun}$", re.IGNORECASE)
"""Behind an issuer in a heading, no part of its name: `PEMEX curve`."""
_SPOT = re.compile(r"[\s,;(\-–]*\b(?:spot|ref)(?:\sref)?\b\.?\s?[:=@]?\s?\d+[.,]\d+\)?$", re.IGNORECASE)
"""Behind the pair in a heading, what its points are on: `EURUSD forward points, spot 1.1580`."""
_DECIMAL = re.compile(r"(?<!\d)(?!\d{1,2}\.[05]\b)\d+[.,]\d")  # but for a coupon: `FNCL 5.5`
_IN_M = re.compile(r"\bin\s+\$?M\b(?!\s?M)")
_RUNNING = re.compile(r"\+?(25|100|300|500|1000)\s?(?:bps?\s)?running", re.IGNORECASE)
_MARKET_TALK = compiled(
    r"\b(?:{gauge}|{market_name_alone})\b|[+\-]\d[\d.,]*\s?(?:{bp_word}|%|{tick_word})|\d\s?bn\b|"
    r"\b(?i:{market_quiet}|(?<=\d ){tick_word}(?! over))\b",
)
_INITIALS = compiled(r"\b{initial_word}\b", re.IGNORECASE)
_GREETING = compiled(
    r"{greeting}(?:\s[\w.]+){0,3}[,!.:]*$",
    re.IGNORECASE,
)
"""At the head of a mail, and no name of what stands under it: `Bonjour à tous,`."""
_MARKET = re.compile(r"\d\+?\s?/\s?\d|\d[\-'’]\d\d\b")  # a line with one that could not be read names no issuer


_CANADA = compiled(r"\bCAN\b|\b(?i:{canada})")
_AGAINST = compiled(
    rf"\b{{over_curve}}\s+(?:\d+m\s?)?(?:{{swap_reference}}\b|{INDEX})",
    re.IGNORECASE,
)
"""What spreads are over, and no class: `sobretasa vs TIIE`."""
_OF_VALUE = compiled(r"{value_noun}\b", re.IGNORECASE)  # `Spread BTP-Bund 118 (-2)`
_AMOUNT = re.compile(r"\d\s?(?:[mk]|md|mrd|mio)?\.?\s?[€£]|[$€£]\d+[.,]\d+", re.IGNORECASE)
"""Of an issue or a piece, and not what prices are in: `Encours 750 M€`."""
_PRICED = re.compile(
    r"(?<![\d.,/])(?:3[2-9]|[4-9]\d|1\d\d)[.,]\d{1,4}\W*$|"
    r"(?<![^\W\d])[a-z]{2,}\s\d{1,2}[.,](?!(?:0[1-9]|1[0-2])\W*$)\d{2,3}\W*$"
)
"""What ends in a price or yield is its own, and heads nothing: `Schlusskurs Vortag 98,45`, `CTD implied repo 4.35`."""
_FIRST = re.compile(r"[^.]{6,90}[a-zA-Z)]\.(?=\s+[A-Z])")
"""The first sentence of several, which may be a title."""
_FIGURED = Figured.of(_RUNNING, _SPOT, _PRICED, _MARKET, _DECIMAL, _AMOUNT, _OVER_BOND)


_RUN_OF = re.compile(
    r"(?P<title>[A-Z\d€$£](?:[^\s.:;,–-]|-(?=\w)){0,20}(?: (?:[^\s.:;,–-]|-(?=\w)){1,20}){0,4}?)"
    r"(?:\s[–-]\s|\b(?<=(?i:runs|axes|bwic|owic))\b|\b(?<=(?i: run))\b|\b(?<=(?i: color))\b|"
    r"\b(?<=(?i: colour))\b|(?<=(?i:two-ways))\b)"
)
"""How the title of a run begins, whatever is told behind it."""


class Told(Struct, frozen=True):
    """What a line that is no quote says by itself, wherever it stands."""

    said: Surroundings
    is_title: bool  # or a section, no sentence
    named: str | None  # a class
    also: frozenset[str]  # all classes that it names, if several
    measures: tuple[QuoteType | None, ...]
    halves: tuple[str, str] | None
    issuer: str | None
    tenor: str | None
    symbol: str | None  # of a currency: its code, or `$`
    struct: str | None
    structs: tuple[str, ...]  # options that it lists: `ATM / 25RR / 25BF`
    orders: bool  # it says which side comes first
    is_in_m: bool
    running: Fraction | None


def told(text: str) -> Told:
    """What a line says: title, section, remark or greeting."""
    return _told(" ".join(text.split()))


@lru_cache(maxsize=REMEMBERED)
def _told(text: str) -> Told:
    title = _title_ahead(text)
    if title is not None:
        return _told(title)
    is_figured = _FIGURED.passes(text)
    running = _RUNNING.search(text) if is_figured else None
    is_talk = _is_talk(text) and running is None
    first = _first_sentence(text, is_talk=is_talk)
    if first is not None:
        return _told(first)
    name = _SPOT.sub("", text) if is_figured else text
    is_near = not is_talk and _is_heading(text, name, is_figured=is_figured)
    named = _class(text, is_talk=is_talk)
    said = _said(text, near=is_near, is_talk=is_talk)
    is_aside = named is not None and _is_aside(text, said)
    is_title = is_near and not is_aside and not _is_told_of(named, text)
    measures, halves = (measures_of(text), halves_in(text)) if is_title else ((), None)
    return Told(
        Surroundings() if is_aside else said,
        is_title,
        named if running is None else "cds_single",
        classes_in(text) if named else frozenset(),
        measures,
        halves,
        _issuer(name, named, is_figured=is_figured),
        tenor_in(text),
        _symbol(text, is_figured=is_figured) if not is_talk else None,  # `$5bn priced`
        struct_in(text),
        _options(text),
        ORDER.search(text) is not None,
        _IN_M.search(text) is not None,
        Fraction(running[1]) if running is not None else None,
    )


def _title_ahead(text: str) -> str | None:
    """The title of a class in front of a ticker, which is what the line says."""
    title = before_ticker(text)
    is_one = title is not None and class_by_words(title) is not None and _OF_VALUE.match(title) is None
    return title if is_one else None


def _is_told_of(named: str | None, text: str) -> bool:
    """Whether a text tells of the class that it names, and does not open a run of it."""
    return named is not None and is_story(text) and not _opens_run(text)


def _first_sentence(text: str, *, is_talk: bool) -> str | None:
    """The first of several sentences, where others tell of the market: `USD AT1s, opening. Flows light`."""
    first = _FIRST.match(text) if is_talk or has_levels(text) else None
    if first is None or _MARKET_TALK.search(first[0]) or is_colour(first[0]):
        return None
    return first[0]


def _is_heading(text: str, name: str, *, is_figured: bool) -> bool:
    """Whether a line is a title, a section, or opens a run, and has no price of its own."""
    if not (_is_near(text) or _opens_run(text)):
        return False
    return not (is_figured and (has_levels(text) or _PRICED.search(name) is not None))


def _said(text: str, *, near: bool, is_talk: bool) -> Surroundings:
    """What a line says of prices; talk of the market tells neither side nor measure."""
    said = with_benchmark(read(text, near=near), text)
    return replace(said, kind=None, side=None, axe=None, measure=None, sizes=None) if is_talk else said


def _class(text: str, *, is_talk: bool) -> str | None:
    """The class that a line names, but for what its spreads are over; news of other markets name none."""
    if (is_talk and is_ticker(text)) or is_guided(text):
        return None
    return class_by_words(_AGAINST.sub("", text))


def _is_aside(text: str, said: Surroundings) -> bool:
    """Whether a line that names a class is said to the reader, and of no prices: `EUR swaps steepened`."""
    return not any((said.side, said.kind, said.axe)) and is_address(text)


def _issuer(name: str, named: str | None, *, is_figured: bool) -> str | None:
    """The line as an issuer's name, where it can be one: short, no sentence, greeting or market."""
    if not 0 < len(name) <= MAX_ISSUER or name.endswith(".") or _GREETING.match(name) is not None:
        return None
    if is_figured and (_MARKET.search(name) or _DECIMAL.search(name)):
        return None
    if name.endswith(":") and not rules_of(named or "unknown").curve:  # `HICPxT:` over tenors
        return None
    return _GENERIC.sub("", name.rstrip(":"))


def _symbol(text: str, *, is_figured: bool) -> str | None:
    symbol = symbol_in(_AMOUNT.sub("", text) if is_figured else text)
    return symbol if symbol is None or symbol == "$" else of_symbol(symbol)


def _opens_run(text: str) -> bool:
    """Whether a line begins as a title does that names a class: `CLO OWIC - Friday 20-Nov. Client is a buyer.`."""
    title = _RUN_OF.match(text)
    return title is not None and class_by_words(title["title"]) is not None


def _is_talk(text: str) -> bool:
    return _MARKET_TALK.search(text) is not None or is_colour(text)


def struct_in(text: str) -> str | None:
    """The option that a text is about: straddle, payer, receiver, else at the money where it says so."""
    structs: set[str] = set(STRUCT.findall(text.lower()))
    if len(structs) == 1:
        return structs.pop()
    return "atm" if not structs and _ATM.search(text) else None


def with_benchmark(said: Surroundings, text: str) -> Surroundings:
    """What a text says; a government's bonds are a benchmark only where it says that spreads are over them."""
    named = over_bond(text) if said.benchmark not in (None, "MS") else None
    if named is not None:
        return replace(said, benchmark=named)
    is_word = said.benchmark == "CAN" and not _CANADA.search(text)  # `names we can trade, spread to 10s`
    if not is_word and (said.benchmark in (None, "MS") or _OVER.search(text)):
        return said
    return replace(said, benchmark=None)


def named_said(name: str) -> Surroundings:
    """What the name of a mail or sheet says of all that stands in it."""
    text = name.replace("_", " ")
    said = with_benchmark(read(text, near=True), text)
    symbol = symbol_in(text) if said.currency is None else None
    if symbol is None or symbol == "$":
        return said
    return replace(said, currency=of_symbol(symbol))  # `Floaters € run`


def file_said(file: str) -> Surroundings:
    """What a file's name says, in plain words, and its currency."""
    name = file.rsplit(".", 1)[0].replace("_", " ")
    said = read(" ".join(fold(name)).upper(), near=False)
    return replace(said, currency=said.currency or currency(name, near=True))


def over_bond(text: str) -> str | None:
    """The bond that a text says spreads are over, as benchmarks are written."""
    over = _OVER_BOND.search(text) if _FIGURED.passes(text) else None
    return bond(text[over.start("bond") : over.end()].replace(",", ".")) if over is not None else None


def _options(text: str) -> tuple[str, ...]:
    """The options that a line lists, two and more, in order."""
    found = [(match[2] or "").lower().replace("fly", "bf") + (match[1] or "") for match in _OPTION.finditer(text)]
    return tuple(name or "atm" for name in found) if len(found) > 1 else ()


def _is_near(text: str) -> bool:
    """Whether the line is a title or section, not a sentence of the covering note."""
    words = text.split()
    if len(text) > MAX_HEADING or len(words) > 16:
        return False
    if len(words) <= 6:
        return True
    is_told = _INITIALS.search(text) is not None or (not words[0].isupper() and small(words) * 2 > len(words))
    is_sentence = is_told and text.endswith((".", "!", "?"))
    return not is_sentence and not _TWO_SENTENCES.search(text)
