"""Finding identifiers in text without mistaking words for them (spec 3.10, 3.12)."""

from __future__ import annotations

import re

from msgspec import Struct

from parsers.lexicon import compiled
from parsers.values.identifiers import check
from parsers.values.times.dates import DELIVERIES


class Found(Struct, frozen=True, gc=False):
    """An identifier in a text. `valid` is the check digit's verdict; True where the kind has none."""

    kind: str
    value: str
    start: int
    end: int
    valid: bool = True


class _Word(Struct, frozen=True, gc=False):
    """A word that may be an identifier, and what is known around it."""

    text: str
    upper: str
    digits: int  # how many of its characters are
    in_column: bool
    priced: bool
    wanted: bool

    @property
    def is_upper(self) -> bool:
        return self.text == self.upper


_LABEL_KINDS = {
    "ISIN": "isin",
    "CUSIP": "cusip",
    "CINS": "cusip",
    "SEDOL": "sedol",
    "FIGI": "figi",
    "BBGID": "figi",
    "LEI": "lei",
    "WKN": "wkn",
    "VALOR": "valor",
    "VALOREN": "valor",
    "RED": "red_code",
    "COMMON CODE": "common_code",
    "LXID": "loanx_id",
    "SELIC": "local_code",
    "CLAVE": "local_code",
}
_LABELLED = compiled(
    r"\b(?P<label>{identifier_label})"
    r"(?:[ ]?{label_more})?\s?[:#=]?\s?(?P<value>[A-Z0-9]{5,20})\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![A-Za-z0-9@*.,+/-])(?<!\S#)[A-Za-z0-9@*][A-Za-z0-9@#*]{5,19}(?![A-Za-z0-9@#*])")
_ISIN_FORM = re.compile(r"[A-Z]{2}[A-Z0-9]{9}\d")
_NINE_FORM = re.compile(r"[A-Z0-9*@#]{8}\d")
_MONTH_DATE = re.compile(rf"(?:{DELIVERIES.upper()})\d{{6}}")
_TRAILING_DIGITS = re.compile(r"[A-Z]+\d{1,2}")
_OF_BRAZIL = "BRSTNC"
"""The treasury's bonds have one digit there, as the spec's own `BRSTNCNTB0O7`; no word begins so."""
_PRINTED_COUNTRIES = compiled(r"{isin_country}")


def find(
    text: str, *, columns: frozenset[int] = frozenset(), priced: bool = False, cusips: bool = False
) -> list[Found]:
    """The identifiers of a line, left to right; a found span is consumed, the longest match wins (spec 3.12).

    Args:
        text: one line.
        columns: character positions where several lines of the block hold a valid CUSIP (spec 3.10).
        priced: the line has a price, so a CUSIP of letters and digits counts.
        cusips: whatever may be a CUSIP counts: the columns of a block are looked for.
    """
    found = _labelled(text)
    taken = [(item.start, item.end) for item in found]
    for match in _WORD.finditer(text):
        printed = match[0]
        if printed.isalpha() or len(printed) not in _BY_LENGTH:
            continue
        if taken and any(start < match.end() and match.start() < end for start, end in taken):
            continue
        upper = printed.upper()
        digits = sum(map(str.isdigit, upper))
        word = _Word(printed, upper, digits, match.start() in columns, priced, cusips)
        kind = _kind_of(word)
        if kind is not None:
            found.append(Found(kind, upper, match.start(), match.end(), check(kind, upper)))
    return sorted(found, key=lambda item: item.start) if len(found) > 1 else found


def _labelled(text: str) -> list[Found]:
    """Those with a label in front: `CUSIP: 037833100`."""
    found: list[Found] = []
    upper = text.upper()
    for label in _LABEL_KINDS:
        if label in upper:
            break
    else:
        return found
    for match in _LABELLED.finditer(text):
        kind, value = _LABEL_KINDS.get(match["label"].upper()), match["value"].upper()
        if kind is None:  # the pattern's fold of cases takes letters that `upper` keeps: `İSIN`
            continue
        if any(letter.isdigit() for letter in value) and (check(kind, value) or kind in ("isin", "cusip", "red_code")):
            found.append(Found(kind, value, match.start("value"), match.end("value"), check(kind, value)))
    return found


def _kind_of(word: _Word) -> str | None:
    """What kind of identifier a free word is; None for a mere word. Lengths keep the kinds apart."""
    return _BY_LENGTH[len(word.text)](word) if word.digits else None


def _twenty(word: _Word) -> str | None:
    return "lei" if word.is_upper and check("lei", word.upper) else None


def _twelve(word: _Word) -> str | None:
    """An ISIN needs two digits among its middle characters: GUARANTEED20 has one."""
    if check("figi", word.upper):
        return "figi"
    if not _ISIN_FORM.fullmatch(word.upper):
        return None
    inner = sum(letter.isdigit() for letter in word.upper[2:11])
    if check("isin", word.upper):
        return "isin" if inner >= 2 or word.text.startswith(_OF_BRAZIL) else None
    may_be_wrong = inner >= 4 and word.is_upper and _PRINTED_COUNTRIES.match(word.upper)
    return "isin" if may_be_wrong else None  # the form of one, its check digit wrong: kept and flagged


def _nine(word: _Word) -> str | None:
    """A CUSIP, where the caller, its column or a price say so."""
    if not _NINE_FORM.fullmatch(word.upper):
        return None
    is_word = (_MONTH_DATE.fullmatch(word.upper) or _TRAILING_DIGITS.fullmatch(word.upper)) is not None
    is_told = word.wanted or (word.in_column and not is_word)
    if not check("cusip", word.upper):
        return "cusip" if is_told and word.digits >= 4 and word.is_upper else None
    is_mixed = word.priced and word.is_upper and word.digits < 9 and not is_word
    return "cusip" if is_told or is_mixed else None


def _eight(word: _Word) -> str | None:
    return "loanx_id" if check("loanx_id", word.upper) else None


def _seven(word: _Word) -> str | None:
    """A SEDOL of letters and digits on a line with a price; one of digits alone may be any number."""
    is_free = word.priced and word.is_upper and word.upper[0].isalpha() and word.digits >= 2
    return "sedol" if is_free and check("sedol", word.upper) else None


_BY_LENGTH = {20: _twenty, 12: _twelve, 9: _nine, 8: _eight, 7: _seven}
