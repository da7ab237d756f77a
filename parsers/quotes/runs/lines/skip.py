"""What is never a quote: disclaimers, signatures, greetings, talk (spec 2.9)."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.gates.stems import stems
from parsers.lexicon import compiled, listed
from parsers.quotes.notices import is_confirmation

MAX_LINE = 5000
"""Characters of a line that can be a run's; a longer one is none."""
SIGNATURE = "-- "
"""The line that mail programs put over a signature (RFC 3676, 4.3)."""
REMEMBERED = 2048
"""Lines of which it is remembered what they are: greetings, signatures and disclaimers come again from mail to mail."""

_DISCLAIMER = compiled(
    r"\W*(?:{disclaimer}|this {our_message}\b|confidential(?:ity)?\b)",
    re.IGNORECASE,
)
_DISCLAIMER_TITLE = compiled(
    r"\W*{disclaimer_title}\W*",
    re.IGNORECASE,
)
_EXAMPLE = compiled(
    r"\W*(?:{example_sign}(?:\s[^\W\d]+){0,5}\s*[:=]|(?:{example}|{exercise})(?:(?:\s[^\W\d]+){0,5}\s*[:=]|"
    r"\s[A-Z]{2}[A-Z0-9]{9}\d\b))",
    re.IGNORECASE,
)
_CLOSING = compiled(
    r"\W*(?:{farewell_kind}?\s?{farewell_noun}|best(?!\s{best_of_market}\b)|{farewell})(?:\s+\w+\.?){0,2}[\s,.!]*",
    re.IGNORECASE,
)
_PHONE = compiled(
    r"\+\d{1,3}([ .\-])\(?\d{1,4}\)?(?:(?:\1|-)\d{2,4}){2,4}\b|\+\d{1,3}\s?\(\d{1,4}\)\s?\d|\+\d{10,13}\b|"
    r"\(\d{3}\)\s?\d{3}[\-. ]\d{4}\b|\b\d{3}([\-. ])\d{3}\2\d{4}\b|\b{phone}\b[.:]?\s?[+(\d]|"
    r"\b0\d(?: \d\d){4}\b",
    re.IGNORECASE,
)
_PHONE_WHOLE = re.compile(rf"(?:{_PHONE.pattern})[\d() .\-/]*", re.IGNORECASE)
_MAY_BE_PHONE = re.compile(  # what every number of that pattern has; it begins with a set, which is looked for fast
    r"[+(\d](?:(?<=\+)(?:\d{1,3}\s?[ .\-(]|\d{10})|(?<=\()\d{3}\)|(?<=\d)\d\d[\-. ]\d{3}[\-. ]|(?<=0)\d \d\d \d\d)"
)
_PHONE_STEMS = stems(listed("{phone}"))
_BELOW = compiled(
    r"\b{disregard}\s+(?:{what_is_below}\s+){0,3}below\b",
    re.IGNORECASE,
)
_ISSUES = compiled(
    r"\W*(?:(?:[A-Za-z]+\s){0,3}{issued}\b[^:\d]{0,24}:\s|{auction}\b[^:\d]{0,24}:\s|redemptions?:\s|"
    r"(?:{fair_owner}\s)?fair values?:\s|{new_supply}:\s|{movers}(?:\s(?!{no_mover})\w+)?:\s)",
    re.IGNORECASE,
)
"""In front of a list of new issues: `Two deals priced: Acme $750mm 6.75% 2031 at par`."""
_PRIMARY = compiled(r"\b(?:{primary_market}|bookbuild\w*)\b", re.IGNORECASE)
_ART = re.compile(r"[\s|=_*~#\-–—+.<>]*")
_WORDS, _ASCII_WORDS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"[A-Za-z]{2,}")  # the same where all is ASCII
_SENTENCE_WORDS = 14


def starts_signature(text: str) -> bool:
    """`-- ` or what is left of it where blanks at the ends of lines are lost."""
    return text in (SIGNATURE, "--")


def is_underlined(heading: str, text: str) -> bool:
    """Whether a line only underlines the one above: `--` below `HY`."""
    return text == "--" and len(heading.strip()) == len(text)


@lru_cache(maxsize=REMEMBERED)
def ends(text: str) -> bool:
    """Whether nothing from this line on is read: a disclaimer, or what takes back or confirms what stands under it."""
    return text == SIGNATURE or is_disclaimer(text) or withdraws_below(text) or is_confirmation(text)


@lru_cache(maxsize=REMEMBERED)
def is_passed_over(text: str) -> bool:
    """Whether a line says nothing, or only shows how others are to be read."""
    return is_art(text) or is_example(text)


def is_disclaimer(text: str) -> bool:
    """Whether a disclaimer begins here; nothing behind it is read."""
    stripped = text.strip()
    if len(stripped) <= 24:
        return _DISCLAIMER_TITLE.fullmatch(stripped) is not None
    return _DISCLAIMER.match(stripped) is not None


@lru_cache(maxsize=REMEMBERED)
def is_closing(text: str) -> bool:
    """A greeting at the end of a mail."""
    stripped = text.strip()
    is_section = stripped.startswith("ABS") or (stripped.isupper() and len(stripped) <= 4)  # `ABS`; `Abs` ends a mail
    return len(stripped) <= 60 and not is_section and _CLOSING.fullmatch(stripped) is not None


@lru_cache(maxsize=REMEMBERED)
def has_phone(text: str) -> bool:
    """A telephone number: the line is a signature's."""
    if text.isascii() and not _MAY_BE_PHONE.search(text):
        lower = text.lower()
        for word in _PHONE_STEMS:
            if word in lower:
                break
        else:
            return False
    return _PHONE.search(text) is not None


def without_phone(text: str) -> str:
    """The text with blanks for its telephone numbers: `98-98.5  call 212 555 0100` has a market in front of one."""
    return _PHONE_WHOLE.sub(lambda match: " " * len(match[0]), text)


def withdraws_below(text: str) -> bool:
    """Whether a line or subject takes back what stands under it: `pls ignore below`."""
    return "below" in text.lower() and _BELOW.search(text) is not None


def is_example(text: str) -> bool:
    """Whether a line shows how others are to be read: `e.g.: XYZ 5 03/34 98/99`."""
    return _EXAMPLE.match(text) is not None


def is_of_issues(text: str) -> bool:
    """Whether a line lists what was issued, or what moved most."""
    return ": " in text and _ISSUES.match(text) is not None


def is_art(text: str) -> bool:
    """A rule of `====`, `|` and the like, or an empty line."""
    return _ART.fullmatch(text) is not None


@lru_cache(maxsize=REMEMBERED)
def is_prose(text: str) -> bool:
    """A line of sentences rather than of a run."""
    words = _ASCII_WORDS if text.isascii() else _WORDS
    return len(text) > 3 * _SENTENCE_WORDS and len(words.findall(text)) > _SENTENCE_WORDS


def is_primary(text: str) -> bool:
    """Whether a line is of bonds yet to be sold: its parts are, too (spec 2.9)."""
    return _PRIMARY.search(text) is not None
