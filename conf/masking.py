"""What reads like a secret, taken out of what is shown: by the name before a value, in a URL, in a PEM block.

It is told by its name alone, so it stays a guess in text. Each character is looked at a bounded number of times,
whatever the text.
"""

from __future__ import annotations

import binascii
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

MASK = "***"

_ALWAYS = re.compile(
    r"(?i)password|passwd|passphrase|(?:^|[._-])pwd$|(?:^|-)authorization$|^(?:set-)?cookie$"
    r"|(?:api|access|account|encryption|private|secret|shared|signing|storage)[._-]?key"
)
_MOSTLY = re.compile(r"(?i)secret|token|credential|signature$|(?:^|[._-])sig$")  # words of prose, too: `token: 5y bond`
_COOKIE = re.compile(r"(?i)(?:set-)?cookie$")
_WITH_SIGN = re.compile(r"(?i)key$|(?:^|[._-])pass$")
_MAYBE = re.compile("pass|pwd|auth|key|secret|token|cred|sig|cookie")  # in small letters; else no name above is there
_NAMED = re.compile(
    r"""(?x)
    (?<! [\w.-] ) (?P<name> [\w.-]++ ) (?P<quote> \\*+ ["'] )?+
    (?: [^\S\n]{0,9} (?P<sign> [=:] ) (?P<space> [^\S\n]{0,9} ) | (?P<apart> [^\S\n]{1,9} )
        | (?(quote) , [^\S\n]{0,9} | (?!) ) )
    """
)
_OPTION = re.compile(r"[\w.-]++")
_LOGIN = re.compile(r"(?i)\b(AUTH(?:ENTICATE)?[^\S\n]{1,9}(PLAIN|LOGIN)[^\S\n]{1,9})([a-z0-9+/]{4,}+={0,2})")
_QUOTE = re.compile(r"""(\\*+)(["'])""")
_TO_QUOTE = {'"': re.compile(r'(?:[^"\\\n]|\\.)*+"'), "'": re.compile(r"(?:[^'\\\n]|\\.)*+'")}
_SCHEME = re.compile(r"(?i)(?:bearer|basic|digest|negotiate|token)[^\S\n]{1,9}(?=\S)")
_WORD = re.compile(r"\S*+")
_PUNCTUATION = "\"'},;)]>"  # behind a value, and no part of it
_URL = re.compile(r"(://)(\S++)")
_PEM = re.compile(r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----).*?(?:-----END|\Z)", re.DOTALL)


def masked(text: str) -> str:
    """The text without what reads like a secret: `password=…`, a user's in a URL, a private key."""
    if "://" in text:
        text = _URL.sub(_without_user, text)
    if "-----BEGIN" in text:
        text = _PEM.sub(rf"\1{MASK}", text)
    if not _MAYBE.search(text.casefold()):  # most texts; a fifth of the time that a pattern of either case takes
        return text
    text = _LOGIN.sub(_without_login, text)
    pieces, at = [], 0
    for found in _NAMED.finditer(text):
        begin = found.end()
        if begin > at and _is_secret(found) and (end := _end(text, begin, found["name"])) > begin:
            pieces += [text[at:begin], MASK]
            at = end
    return "".join([*pieces, text[at:]])


def masked_fields(value: Any, name: str = "") -> Any:
    """The value of a field, whatever is in it, as JSON has it, and without secrets: those by a field's name, too.

    In a list, as of a command's words, what is behind an option goes by that.
    """
    if value is not None and names_secret(name):
        return MASK
    if isinstance(value, str):  # first, as most are
        return masked(value)
    if isinstance(value, Mapping):
        return {str(key): masked_fields(each, str(key)) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [masked_fields(each, _option(before)) for before, each in pairwise(("", *value))]
    if value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return masked(str(value))


@lru_cache(maxsize=1024)  # of fields there are few
def names_secret(name: str) -> bool:
    """Whether what a field of that name holds is taken for a secret."""
    return bool(_ALWAYS.search(name) or _MOSTLY.search(name))


def _option(word: Any) -> str:
    return word if isinstance(word, str) and _OPTION.fullmatch(word) and _is_option(word) else ""


def _is_option(name: str) -> bool:
    """`--password x`, and `spark.authenticate.secret x` as Spark writes its settings."""
    return name.startswith("--") or name.count(".") > 1


def _is_secret(found: re.Match[str]) -> bool:
    name = found["name"]
    if found["sign"] is None:
        return names_secret(name) and _is_option(name)
    if _ALWAYS.search(name) or (found["sign"] == "=" and _WITH_SIGN.search(name)):
        return True
    is_setting = found["sign"] == "=" or found["quote"] or not found["space"] or re.search(r"[._-]", name)
    return bool((is_setting or _SCHEME.match(found.string, found.end())) and _MOSTLY.search(name))


def _end(text: str, begin: int, name: str) -> int:
    """Where the value that begins there ends: a quote that is not closed, and an object, with the line."""
    if name.lower().endswith("authorization") or text[begin : begin + 1] in {"{", "["}:
        return _line_end(text, begin)
    if _COOKIE.match(name) and not _QUOTE.match(text, begin):
        return _line_end(text, begin)
    if quote := _QUOTE.match(text, begin):
        if quote[1]:
            closed = text.find(quote[0], quote.end(), line := _line_end(text, begin))
            return line if closed < 0 else closed + len(quote[0])
        whole = _TO_QUOTE[quote[2]].match(text, quote.end())
        return whole.end() if whole else _line_end(text, begin)
    scheme = _SCHEME.match(text, begin)
    word = _WORD.match(text, scheme.end() if scheme else begin)
    return begin + len(text[begin : word.end() if word else begin].rstrip(_PUNCTUATION))


def _line_end(text: str, begin: int) -> int:
    end = text.find("\n", begin)
    return len(text) if end < 0 else end


def _without_login(found: re.Match[str]) -> str:
    """A word of prose is no Base64 of what SMTP and IMAP send there: of PLAIN with a NUL, of LOGIN a name in ASCII."""
    try:
        said = binascii.a2b_base64(found[3], strict_mode=True)
    except binascii.Error:
        return found[0]
    is_login = b"\0" in said if found[2].upper() == "PLAIN" else said.isascii() and said.decode("ascii").isprintable()
    return f"{found[1]}{MASK}" if is_login else found[0]


def _without_user(found: re.Match[str]) -> str:
    user, at, rest = found[2].rpartition("@")
    return f"{found[1]}{MASK}@{rest}" if at and user else found[0]
