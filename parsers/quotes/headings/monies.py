"""The currency that a heading, a line or an instrument's name states."""

from __future__ import annotations

import re
from functools import lru_cache

from parsers.values.currencies import CODE, PRINTED, of_symbol, premium_currency
from parsers.values.indices import CURRENCIES, INDEX

_ANY_CODE = re.compile(PRINTED)
_STATED_CODE = re.compile(
    rf"(?:[(\[]|\b(?:in|all|en|em|ccy)\s+|[,;:–-]\s+|^)(?P<code>{CODE})\b(?=\s*(?:[()\],.;:–-]|$|unless|only|mm\b|(?:as|except|excluding|with)\b|and\s+(?:indicative|subject|clean|firm|sizes?)\b))"
)
_LAST_CODE = re.compile(
    rf"(?:[\w&/.'+-]+\s){{0,4}}(?!(?i:the|vs|versus|than|to|against|of|and|or|for|into|from|with)\s)[\w&/.'+-]+\s(?P<code>{CODE})\s*"
)
"""At the end of a few words: `HY flow names USD`."""
_UNLESS = re.compile(rf"\b(?P<code>{CODE}) unless\b")
"""What a heading says that all is in but for what is marked: `EUR unless GBP`."""
_MARKET = re.compile(  # `European single names`, `Sterling credit`, `US HY`
    r"\b(?:(?P<EUR>eur(?:os?|ope(?:an(?!\s(?:gov|sov|rates|linkers))?)?)?|EU(?=\s(?:CDS|HY|IG|corp|credit|single|name|fin|bank|loan))|ecp|neu\s?cp)|(?P<GBP>sterling|(?<![&/+,]\s)(?<![&/+])(?<!and\s)UK(?=\sRMBS)|(?<=RMBS\s)UK(?!\s?[/&+,]))|(?P<CAD>canadian)|(?P<AUD>aussies?|kangaroos?|australian)|(?P<NZD>kiwis?|kauris?)|"
    r"(?P<USD>yankees?|uscp|cents\son\sthe\sdollar|(?-i:US)(?=\s*:?\s*$|\s\d{1,2}y\b)|(?:treasury|ust)(?=\s(?:repo|GC))|US(?=\s(?:CDS|CP|HY|IG|HG|agenc|treasur|AT1|T2|corp|credit|conv|CB|(?:(?:par|term|syndicated|leveraged|lev)\s)?loan|bank|fin|single|name|pref|high|investment))))\b",
    re.IGNORECASE,
)
_SMALL = re.compile(r"\b(?:usd|eur|gbp|chf|jpy|cad|aud|brl|mxn)\b")
"""Codes in a heading without any capital, as in a chat; the other codes can be words."""
_REGION = r"(?:UK|US|EU)\s?(?:[/&,+]|and\b)"
_AND_REGIONS = re.compile(
    rf"\b{_REGION}\s?(?:{_REGION}\s?)?(?:{CODE})\b|\b(?:{CODE})\s?(?:[/&,+]|and\b)\s?(?:UK|US|EU)\b"
)
"""A code in a list of markets, one of several: `UK / US / EUR`."""
_FLOATING = re.compile(rf"(?<!\w)(?P<index>{INDEX}|3mE)\s?\+\s?\d", re.IGNORECASE)
"""What a floater pays over: `NWIDE SONIA+48 27`."""
_IN_BRACKETS = re.compile(rf"\(((?:US|C|A)?\$|[€£]|{CODE})\)")
_LINKED = re.compile(rf"\b(?:{CODE})[- ](?=[Ll]inked)")  # paid in another


@lru_cache(maxsize=4096)  # asked of each row's name
def currency(text: str, *, near: bool) -> str | None:
    """The currency that a text states; two different ones state none."""
    premium = premium_currency(text)
    if premium is not None:
        return premium
    text = _LINKED.sub("", text) if "inked" in text else text
    if near and text.islower():
        text = _SMALL.sub(lambda code: code[0].upper(), text)
    codes = set(_ANY_CODE.findall(text))
    if not codes and near:
        markets = {match.lastgroup for match in _MARKET.finditer(text)}
        return markets.pop() if len(markets) == 1 else None
    if len(codes) > 1 and near and (usual := _UNLESS.search(text)) is not None:
        return str(usual["code"])
    if len(codes) != 1 or (near and "U" in text and _AND_REGIONS.search(text)):
        return None
    if near:
        return str(codes.pop())
    stated = _STATED_CODE.search(text) or _LAST_CODE.fullmatch(text)
    return str(stated["code"]) if stated is not None else None


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
