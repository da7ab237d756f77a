"""Which tokens of a line describe its instrument, and how they read together (spec 2.1: as written)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.quotes.lexer.token import (
    DATE,
    IDENTIFIER,
    LABEL,
    MONTH,
    NUMBER,
    SERIES,
    SIZE,
    TENOR,
    TRANCHE,
    WORD,
    Token,
)  # fmt: skip

_ID_LABELS = frozenset({"ISIN", "CUSIP", "CINS", "SEDOL", "FIGI", "LEI", "WKN", "VALOR", "RED", "LXID", "ID"})
_FILLERS = frozenset(
    {
        "of",
        "at",
        "for",
        "in",
        "on",
        ".",
        "-",
        "–",
        "—",
        ":",
        "*",
        "@",
        "area",
        "and",
        "the",
        "=",
        "vs",
        "to",
        "zu",
        "now",
        "no",
        "was",
        "moved",
        "is",
        "from",
        "On",
        "For",
        "I",
        "I'm",
        "I'd",
        "better",
        "we",
        "We",
        "make",
        "see",
        "wir",
        "sehen",
        "have",
        "are",
        "we're",
        "here",
        "around",
        "unch",
        "two",
        "Two",
        "market",
        "looking",
        "way",
        "two-way",
        "2-way",
        "a",
        "al",
        "à",
        "em",
        "bei",
        "de",
        "oferta",
        "punta",
        "tasa",
        "taxa",
        "your",
        "our",
        "trading",
        "quoted",
        "swaps",
        "midswaps",
        "mid-swaps",
        "midswap",
        "ms",
    }
)
_OF_SIZES = frozenset(
    {"up", "to", "cf", "CF", "of", "OF", "orig", "face", "current", "curr", "for", "in", "notional", "/"}
)
_DESCRIBING = frozenset({WORD, NUMBER, MONTH, DATE, SERIES, TENOR, TRANCHE})
_GOING_ON = frozenset({WORD, NUMBER, MONTH, TENOR})
_NAMING_LABELS = frozenset({"atm", "roll_ticks", "base_corr_pct"})  # part of the name wherever they stand
_LABELS_IN_NAMES = frozenset(
    {"withdrawn", "running", "price", "trade", "cover", "flat", "subject", "discount_rate_pct"}
)  # part of it in its middle


def described(text: str, found: Sequence[Token]) -> list[str]:
    """The stretches of text that the describing tokens cover."""
    parts: list[str] = []
    is_open = False
    for at, token in enumerate(found):
        is_of_name = _is_in_name(found, at) if token.kind is LABEL else token.kind in _DESCRIBING
        if not is_of_name or _is_filler(found, at, is_first=not parts):
            is_open = False
            continue
        stretch = text[token.start : token.end]
        if is_open:
            parts[-1] += stretch if token.start == found[at - 1].end else f" {stretch}"
        else:
            parts.append(stretch)
        is_open = True
    return parts


def _is_filler(found: Sequence[Token], at: int, *, is_first: bool) -> bool:
    """Whether a word says nothing of the instrument where it stands; `AT` in front of all is a ticker."""
    token = found[at]
    if token.text == "AT":
        return not is_first and _is_at_end(found, at)
    if token.kind is not WORD:
        return False
    if token.text in _FILLERS and (is_first or _is_at_end(found, at)):
        return True
    return (token.text in _OF_SIZES and _is_at_size(found, at)) or _labels_next(found, at)


def _is_at_end(found: Sequence[Token], at: int) -> bool:
    """Whether nothing but fillers stands behind, or a label: `KFW 2.875 05/33 is now`."""
    behind = at + 1
    while behind < len(found) and found[behind].kind is WORD and found[behind].text in _FILLERS:
        behind += 1
    return behind == len(found) or found[behind].kind is LABEL


def _labels_next(found: Sequence[Token], at: int) -> bool:
    """`ISIN:` in front of an identifier."""
    if at + 1 == len(found) or found[at + 1].kind is not IDENTIFIER:
        return False
    return found[at].text.upper().rstrip(":#.") in _ID_LABELS


def _is_at_size(found: Sequence[Token], at: int) -> bool:
    """Whether a size stands beside the word, or beside others of its kind: `current face 5mm`."""
    for step in (-1, 1):
        to = at + step
        while 0 <= to < len(found) and found[to].kind is WORD and found[to].text in _OF_SIZES:
            to += step
        if 0 <= to < len(found) and found[to].kind is SIZE:
            return True
    return False


def _is_in_name(found: Sequence[Token], at: int) -> bool:
    """Whether a label is part of the name: wherever it stands, or in its middle."""
    key = found[at].key
    if key in _NAMING_LABELS or (key is not None and key[:2] in ("rr", "bf")):
        return True
    return key in _LABELS_IN_NAMES and any(later.kind in _GOING_ON for later in found[at + 1 :])
