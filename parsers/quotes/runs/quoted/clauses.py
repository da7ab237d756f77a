"""Two quotes in one sentence: `buyers of X 7 PERP at 102.5 and Y 6 PERP at 105.75` (spec 4.6, 5.11)."""

from __future__ import annotations

from itertools import pairwise

from parsers.lexicon import compiled
from parsers.quotes.lexer.bonds import BOND, COUPON, DUE, PART
from parsers.quotes.lexer.labels import KINDS, SIDES, labels
from parsers.quotes.runs.marked.wishes import is_proposal, is_wish, second_wish, wish_in
from parsers.values.sizes import UNIT_IN_TEXT

_AND = "(?:{and_word}|&)"
_JOINT = compiled(rf"[,;]\s(?:{_AND}\s)?|\s{_AND}\s|(?<=[a-z\d])\.\s")
_BOND = compiled(
    rf"(?<![\w.,/])(?:(?P<issuer>[A-Z][\w&.]*):?\s+(?:[A-Za-z]\w*\s+){{0,2}}(?:{BOND}|1?\d(?:[.,]\d{{1,3}})?s\s(?:of\s)?['’]?\d\d)"
    r"|[A-Z]{2}[A-Z0-9]{9}\d|[A-Z][\w&.]*\s(?:[A-Z]\w*\s)?\d{1,2}[yY](?=\s))(?=[\s,;)]|$)"
)
_ALSO = compiled(
    rf"(?:1?\d{PART}%?\s+{DUE}|1?\d%?\s+(?:['’](?:20)?[2-9]\ds?|[2-9]\ds|(?i:{{perp_word}}))|"
    rf"{COUPON}s\s['’]?\d\d)(?=\s+(?:{{at_or_side}}\s|@\s?)?(?:[A-Z]{{1,3}}\s?)?[+]?\d{{2,3}})"
)
"""Another bond of the issuer: `5.8 27s 100.75 bid` behind `F 6.1 32s 101/101.5, `."""
_SENTENCE = compiled(r".{5,200}?[a-z\d)]{2}\.\s(?=[A-Z])")
_VALUE = compiled(
    r"(?<![\w.,/])(?:[A-Z]{1,3}\s?)?[+]?\$?(?:\d{1,4}[.,]\d{1,4}|\d{2,4}(?:[\s-]\d{1,2}/\d)?)"
    rf"(?!\s?(?:{UNIT_IN_TEXT}|x)\b|[\dx])"
)
_SIZE = compiled(rf"\d[\d.,]*\s?{UNIT_IN_TEXT}?\s")
_MARKET = compiled(
    r"(?<![\w.,/])(?!(?:19|20)\d\d-)\d{1,4}(?:[.,]\d{1,4})?(?:\s\d/\d{1,2})?\s?(?:/|\s-\s|-)\s?\d{1,4}(?:[.,]\d{1,4})?(?!\w*[\d/])"
)
_AT = compiled(
    r"(?:(?P<label>[^\W\d_]+)\s)?\b(?P<at>{at_level_of}\s|"
    r"@\s?)(?=(?:[A-Z]{1,3}\s?)?[+]?\$?\d)(?!\d{1,2}(?::\d|\s?[ap]m))"
)
_STORY = compiled(r"[A-Z]\S*\s[a-z]")
"""`We like BACR 9.625 PERP`."""
_RATINGS = frozenset({"AAA", "AA", "BBB", "BB", "CCC"})
"""Of bonds in general: `T1 AAA 115-118, T2 AAA 122-126`."""
_LONGEST = 600
"""Characters; what is left behind a joint is read anew, so that a story would take the square of its length."""
Span = tuple[int, int]

_TWICE = compiled(r"([A-Za-z]+) .{0,40}\d[.,]\d.{0,40} \1 ")


def clauses(text: str) -> list[list[Span]]:
    """The spans of a line's two sentences or clauses, the second with an instrument and a value; none on most lines.

    A second sentence that only tells a story of its bond is left out.

    The second clause comes with what the first one says for both: its wish, or the word at its level.
    """
    if len(text) > _LONGEST:
        return []
    sentence = _SENTENCE.match(text) if ". " in text else None
    if sentence is not None and _BOND.search(sentence[0]) is None and _opens(text, sentence.end()):
        return [[(0, sentence.end())], [(sentence.end(), len(text))]]
    if _JOINT.search(text) is not None:
        parted = _between_bonds(text) or _same_issuer(text) or _between_levels(text) or _between_markets(text)
        if parted is not None and not is_proposal(text):
            is_lost = text[parted[0]] == "." and not _quotes(text, parted[1])
            return [[(0, parted[0])], *([] if is_lost else [_with_lead(text, *parted)])]
    second = second_wish(text)
    return [[(0, second)], [(second, len(text))]] if second is not None else []


def _quotes(text: str, at: int) -> bool:
    """Whether a sentence makes a price, and does not only tell of one."""
    return _opens(text, at) or _MARKET.search(text, at) is not None or is_wish(text[at:])


def _opens(text: str, at: int) -> bool:
    """Whether a sentence begins with a bond, or with what the dealer wants to do with one."""
    wish = wish_in(text[at:])
    bond = _BOND.search(text, at)
    is_first = bond is not None and bond.start() == at and _STORY.match(text, at) is None
    return bond is not None and (is_first or (wish is not None and wish[0] == 0))


def _between_bonds(text: str) -> Span | None:
    """`102 bid for X 5 33 and 103 for Y 6 34`: the last joint between two bonds that both have a value."""
    bonds = [match.span() for match in _BOND.finditer(text)]
    if len(bonds) < 2:
        return None
    first, second = bonds[:2]
    joint = _last_joint(text, first[1], second[0])
    if joint is None:
        return None
    outside = (text[: first[0]], text[first[1] : joint[0]])
    own = (text[joint[1] : second[0]], text[second[1] :])
    return joint if all(any(map(_VALUE.search, parts)) for parts in (outside, own)) else None


def _same_issuer(text: str) -> Span | None:
    """`F 6.1 32 101/101.5, 5.8 27 100.75 bid`: the joint in front of the second bond."""
    first = _BOND.search(text)
    if first is None or first["issuer"] is None:
        return None
    for joint in _JOINT.finditer(text, first.end()):
        if _ALSO.match(text, joint.end()) is not None and _VALUE.search(text[first.end() : joint.start()]):
            return joint.span()
    return None


def _between_levels(text: str) -> Span | None:
    """`sellers of F 5y at 185 and GM 5y at 121`: a name stands between the joint and the second level."""
    for second in _AT.finditer(text):
        joint = _last_joint(text, 0, second.start("at"))
        if joint is None or not _names(text[joint[1] : second.start("at")]):
            continue
        first = _BOND.sub(" ", text[: joint[0]])
        if _VALUE.search(first) and (is_wish(first) or any(map(_is_told, first.split()))):
            return joint
    return None


def _between_markets(text: str) -> Span | None:
    """`JPM PRD 24.81/24.86 and JPM PRC 25.60/25.66`: a name of several words in front of the second market."""
    bonds = [match.span() for match in _BOND.finditer(text)]
    markets = [match for match in _MARKET.finditer(text) if not any(low < match.start() < high for low, high in bonds)]
    for first, second in pairwise(markets):  # `T 4.25 08/34` has none
        joint = _last_joint(text, first.end(), second.start())
        name = text[joint[1] : second.start()] if joint is not None else ""
        if len(name.split()) > 1 and _names(name):
            return joint
    return None


def _names(text: str) -> bool:
    """Whether a text can be an instrument's name, with a size in front and a side behind."""
    words = _SIZE.sub("", text, count=1).split() if text[:1].isdigit() else text.split()
    while words and _is_told(words[-1]):
        words.pop()
    is_name = bool(words) and words[0][0].isupper() and words[-1] not in _RATINGS
    return is_name and not any(map(_is_label, words))


def names_two(name: str) -> bool:
    """Whether a name is of two instruments: `BAC 5.2 34 and JPM 4.9 33: T+85/80 and T+72/69` has nobody's levels.

    So has `DI jan27 13,25 / DI jan31 13,60`, of which the first level became part of the name.
    """
    if _TWICE.match(name) is not None:
        return True
    bonds = [match.span() for match in _BOND.finditer(name)]
    return len(bonds) > 1 and _last_joint(name, bonds[0][1], bonds[1][0]) is not None


def _last_joint(text: str, start: int, end: int) -> Span | None:
    return max((match.span() for match in _JOINT.finditer(text, start, end)), default=None)


def _with_lead(text: str, until: int, start: int) -> list[Span]:
    """The second clause, with what holds for it, too; a word of its own leaves nothing to say."""
    whole = [(start, len(text))]
    third = _JOINT.search(text, start)
    own = text[start : third.start() if third is not None else len(text)]
    issuer = _BOND.search(text, 0, until)
    if issuer is not None and issuer["issuer"] is not None and _ALSO.match(text, start) is not None:
        whole = [issuer.span("issuer"), *whole]
    if is_wish(own) or any(map(_is_told, own.split())):
        return whole
    wish = wish_in(text[:until])
    if wish is not None:
        return [wish, *whole]
    at, also = _AT.search(text, 0, until), _AT.search(text, start)
    if at is not None and also is not None and _is_told(at["label"]):
        return [(start, also.start("at") - 1), at.span("label"), (also.start("at"), len(text))]
    return whole


def _is_told(word: str | None) -> bool:
    """Whether a word says a side or a kind."""
    key = labels().get(word.lower().strip(".,;")) if word is not None else None
    return key in SIDES or key in KINDS


def _is_label(word: str) -> bool:
    return word.lower().strip(".,;") in labels()
