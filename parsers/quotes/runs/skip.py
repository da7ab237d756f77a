"""What is never a quote: disclaimers, signatures, greetings, talk (spec 2.9)."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.quotes.notices import is_confirmation

MAX_LINE = 5000
"""Characters of a line that can be a run's; a longer one is none."""
SIGNATURE = "-- "
"""The line that mail programs put over a signature (RFC 3676, 4.3)."""
REMEMBERED = 2048
"""Lines of which it is remembered what they are: greetings, signatures and disclaimers come again from mail to mail."""

_DISCLAIMER = re.compile(
    r"\W*(?:disclaimer|this (?:e-?mail|message|communication|material)\b|haftungsausschluss|avertissement|aviso legal|"
    r"avviso|"
    r"nota legal|confidential(?:ity)?\b|importante? (?:notice|disclos)|the information (?:contained|in this)|"
    r"diese (?:nachricht|e-?mail)|ce (?:message|courriel)|este (?:mensaje|correo)|esta mensagem|questo messaggio|"
    r"for (?:institutional|professional) (?:clients?|investors?)|to unsubscribe|unsubscribe)",
    re.IGNORECASE,
)
_DISCLAIMER_TITLE = re.compile(
    r"\W*(?:disclaimer|(?:legal|important) (?:notice|disclaimer)|haftungsausschluss|avertissement|aviso legal|"
    r"nota legal|avvertenza)\W*",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\W*(?:(?:e\.?g\.?|ex\.|format|legende?|légende|le[yg]enda|how to read)(?:\s[^\W\d]+){0,5}\s*[:=]|"
    r"(?:example|sample|beispiel|exemple|ejemplo|exemplo|esempio|exercise|exercice|ejercicio|exercício|esercizio|aufgabe)"
    r"(?:(?:\s[^\W\d]+){0,5}\s*[:=]|\s[A-Z]{2}[A-Z0-9]{9}\d\b))",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\W*(?:(?:best|kind|warm)?\s?(?:regards|rgds|wishes)|best(?!\s(?:bids?|offers?|levels?|prices?|axes|markets?|ideas|buy)\b)|"
    r"thanks?|thx|thank you|many thanks|cheers|sincerely|"
    r"mit (?:freundlichen|besten) gr[üu](?:ß|ss)en|(?:viele|beste|freundliche|sch[öo]ne) gr[üu](?:ß|ss)e|gru[ßs]s?|mfg|"
    r"vg|"
    r"cordialement|bien (?:cordialement|à vous)|bonne journée|salutations|meilleures salutations|"
    r"saludos(?: cordiales)?|un saludo|atentamente|gracias|"
    r"att\.?|abs\.?|abra[çc]os?|atenciosamente|obrigad[oa]|"
    r"cordiali saluti|distinti saluti|saluti|grazie)(?:\s+\w+\.?){0,2}[\s,.!]*",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"\+\d{1,3}([ .\-])\(?\d{1,4}\)?(?:(?:\1|-)\d{2,4}){2,4}\b|\+\d{1,3}\s?\(\d{1,4}\)\s?\d|\+\d{10,13}\b|"
    r"\(\d{3}\)\s?\d{3}[\-. ]\d{4}\b|\b\d{3}([\-. ])\d{3}\2\d{4}\b|"
    r"\b(?:tel|t[ée]l|phone|ph|fax|mob(?:ile)?|ramal|desk line|kontakt|contacto?|contato|contatto)\b[.:]?\s?[+(\d]|"
    r"\b0\d(?: \d\d){4}\b",
    re.IGNORECASE,
)
_PHONE_WHOLE = re.compile(rf"(?:{_PHONE.pattern})[\d() .\-/]*", re.IGNORECASE)
_MAY_BE_PHONE = re.compile(  # what every number of that pattern has; it begins with a set, which is looked for fast
    r"[+(\d](?:(?<=\+)(?:\d{1,3}\s?[ .\-(]|\d{10})|(?<=\()\d{3}\)|(?<=\d)\d\d[\-. ]\d{3}[\-. ]|(?<=0)\d \d\d \d\d)"
)
_PHONE_WORDS = ("tel", "ph", "fax", "mob", "ramal", "desk line", "konta", "conta")
_BELOW = re.compile(
    r"\b(?:ignore|disregard)\s+(?:(?:the|all|any|everything|levels?|runs?|prices?|quotes?)\s+){0,3}below\b",
    re.IGNORECASE,
)
_ISSUES = re.compile(
    r"\W*(?:(?:[A-Za-z]+\s){0,3}(?:priced|launched|allocated|mandated|announced)\b[^:\d]{0,24}:\s|"
    r"(?:auctions?|leil(?:ão|ões)|subastas?|aste?|adjudications?|auktion(?:en)?)\b[^:\d]{0,24}:\s|"
    r"redemptions?:\s|(?:(?:our|model|theo\w*)\s)?fair values?:\s|"
    r"(?:supply|issuance|pipeline|neuemission(?:en)?|nouvelles? [ée]missions?|nuev[ao]s? emisi[óo]n(?:es)?|"
    r"emiss(?:ão|ões) novas?|nov[ao]s? emiss(?:ão|ões)|nuov[ae] emission[ei]|primaire|primario|primärmarkt):\s|"
    r"(?:best|worst|(?:top\s)?(?:movers|gainers|losers)|laggards|(?:out|under)performers)"
    r"(?:\s(?!bid|offer|ask|level|price|market)\w+)?:\s)",
    re.IGNORECASE,
)
"""In front of a list of new issues: `Two deals priced: Acme $750mm 6.75% 2031 at par`."""
_GUIDED = re.compile(r"\b(?:ipts?|iprs?)\b|\bguidance\s+(?:[A-Z]{1,3}\s?\+\s?)?\d", re.IGNORECASE)
_PRIMARY = re.compile(r"\b(?:ipts?|iprs?|guidance|new issues?|calendar|bookbuild\w*)\b", re.IGNORECASE)
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
        for word in _PHONE_WORDS:
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


def is_guided(text: str) -> bool:
    """Whether a line says where new issues are talked, and so nothing of what stands below it."""
    return _GUIDED.search(text) is not None


def is_primary(text: str) -> bool:
    """Whether a line is of bonds yet to be sold: its parts are, too (spec 2.9)."""
    return _PRIMARY.search(text) is not None
