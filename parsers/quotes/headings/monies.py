"""The currency that a heading, a line or an instrument's name states."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.lexicon import compiled
from parsers.values.currencies import CODE, PRINTED, of_symbol, premium_currency
from parsers.values.indices import CURRENCIES, INDEX

_ANY_CODE = compiled(PRINTED)
_STATED_CODE = compiled(
    rf"(?:[(\[]|\b{{in_currency}}\s+|[,;:–-]\s+|^)(?P<code>{CODE})\b(?=\s*(?:[()\],.;:–-]|$|unless|only|mm\b|"
    rf"{{except_word}}\b|and\s+{{and_so}}\b))"
)
_LAST_CODE = compiled(rf"(?:[\w&/.'+-]+\s){{0,4}}(?!(?i:{{before_code}})\s)[\w&/.'+-]+\s(?P<code>{CODE})\s*")
"""At the end of a few words: `HY flow names USD`."""
_UNLESS = compiled(rf"\b(?P<code>{CODE}) unless\b")
"""What a heading says that all is in but for what is marked: `EUR unless GBP`."""
_MARKET = compiled(  # `European single names`, `Sterling credit`, `US HY`
    r"\b(?:(?P<EUR>{euro_word}|{european}|{eu}(?=\s{eu_market})|{euro_paper})|"
    r"(?P<GBP>{sterling}|(?<![&/+,]\s)(?<![&/+])(?<!and\s){uk}(?=\sRMBS)|(?<=RMBS\s){uk}(?!\s?[/&+,]))|"
    r"(?P<CAD>{canadian})|(?P<AUD>{aussie})|(?P<NZD>{kiwi})|(?P<USD>{yankee}|(?-i:{us})(?=\s*:?\s*$|"
    r"\s\d{1,2}y\b)|{treasury_word}(?=\s{repo_word})|{us}(?=\s{us_market})))\b",
    re.IGNORECASE,
)
_SMALL = compiled(r"\b{currency_small}\b")
"""Codes in a heading without any capital, as in a chat; the other codes can be words."""
_REGION = r"(?:UK|US|EU)\s?(?:[/&,+]|and\b)"
_AND_REGIONS = compiled(
    rf"\b{_REGION}\s?(?:{_REGION}\s?)?(?:{CODE})\b|\b(?:{CODE})\s?(?:[/&,+]|and\b)\s?{{region_code}}\b"
)
"""A code in a list of markets, one of several: `UK / US / EUR`."""
_FLOATING = compiled(rf"(?<!\w)(?P<index>{INDEX}|3mE)\s?\+\s?\d", re.IGNORECASE)
"""What a floater pays over: `NWIDE SONIA+48 27`."""
_IN_BRACKETS = compiled(rf"\(((?:US|C|A)?\$|[€£]|{CODE})\)")
_LINKED = compiled(rf"\b(?:{CODE})[- ](?=[Ll]inked)")  # paid in another


@lru_cache(maxsize=4096)  # asked of each row's name
def currency(text: str, *, near: bool) -> str | None:
    """The currency that a text states; two different ones state none."""
    premium = premium_currency(text)
    if premium is not None:
        return premium
    text = _LINKED.sub("", text) if "inked" in text else text
    if near:
        return _near(text)
    stated = _STATED_CODE.search(text) or _LAST_CODE.fullmatch(text) if len(set(_ANY_CODE.findall(text))) == 1 else None
    return str(stated["code"]) if stated is not None else None


def _near(text: str) -> str | None:
    """Of a text beside what is quoted: any code, or what a market's name says, or of several codes the usual one."""
    text = _SMALL.sub(lambda code: code[0].upper(), text) if text.islower() else text
    codes = set(_ANY_CODE.findall(text))
    if not codes:
        markets = {match.lastgroup for match in _MARKET.finditer(text)}
        return markets.pop() if len(markets) == 1 else None
    if len(codes) > 1:
        usual = _UNLESS.search(text)
        return str(usual["code"]) if usual is not None else None
    has_regions = "U" in text and _AND_REGIONS.search(text) is not None
    return None if has_regions else str(codes.pop())


@lru_cache(maxsize=4096)  # asked of each row's name
def in_name(name: str) -> str | None:
    """The only code in an instrument's name; words such as `Europe` are the issuer's there."""
    codes = set(_ANY_CODE.findall(name))
    if not codes and "+" in name and (floating := _FLOATING.search(name)) is not None:
        return CURRENCIES.get(floating["index"].upper(), "EUR")  # `3mE`
    return str(codes.pop()) if len(codes) == 1 else premium_currency(name)


def bracketed(name: str) -> str | None:
    """The currency that a name has in brackets: `SANTAN 9.625 PERP ($)`, which goes before what a heading says."""
    match = _IN_BRACKETS.search(name) if "(" in name else None
    return (of_symbol(match[1]) or match[1]) if match is not None else None
