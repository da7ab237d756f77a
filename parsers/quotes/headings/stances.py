"""What a text speaks of: buying or selling, a list or a mark, an axe, firm or indicative (spec 4.6, 5.6, ruling 3)."""

from __future__ import annotations

from parsers.codes import Firmness, QuoteKind
from parsers.gates.stems import Stemmed
from parsers.lexicon import compiled

# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
AXE = Stemmed.of(r"\b(?:axe[dns]?|{better}\s+(?:{trader}|{trading_stem}\w+))\b")
_BUYING = Stemmed.of(
    r"\b(?:{buying}|{axe_word}\s?[-–:(,]\s?{better_buyers}|{desk_buys})\b|"
    r"^\W*(?:{stance_owner}\s+)?{buying_alone}\W*$|\({bid_in_brackets}\)",
)
_SELLING = Stemmed.of(
    r"\b(?:{selling}|{axe_word}\s?[-–:(,]\s?{better_sellers}|{desk_sells}|"
    r"(?<!d['’])(?<!\bet\s)(?<!\be\s)(?<!/){offers_romance}(?!\s{and_romance}\b|\s?/)|"
    r"{price_of_desk}\s{offered})\b|^\W*(?:{stance_owner}\s+)?{selling_alone}\W*$|\({ask_in_brackets}\)",
)
_TWO_WAYS = Stemmed.of(r"\b(?:{two_way}|{bid_word}\s*(?:{between_sides}|[/\s-])\s*{ask_word})\b")
_MID = Stemmed.of(r"\b{mid_side}\b(?!\s*[- ]?{not_of_mid})")
_MARK = Stemmed.of(
    r"\b(?:{marking}|(?<=\d\s)schluss|schluss(?=\s\d))\b",
)
_NOT_MARK = compiled(r"\b{since}\s+(?:(?:{past_one}|\d[\d/.-]*)\s+){0,2}clos(?:e|ing)\b|\b{not_marking}\b")
"""`+2 since Friday's close`, `close to bid`, `(close refs)`: of what, the prices under it are not."""
_BWIC = Stemmed.of(r"\bbwics?\b|(?<!/)(?<!/\s)\bbids?\s+wanted\b(?!\W{1,3}(?:and\s+)?off)")
_OWIC = Stemmed.of(r"\bowics?\b|(?<!/)(?<!/\s)\boffers?\s+wanted\b(?!\W{1,3}(?:and\s+)?bid)")
_COUNTED = compiled(r"\b(?:{list_count}|\d{1,2})\s+(?:[a-z]+\s+){0,2}?[bo]wics\s{another_day}\b")
"""Lists of another day that a text tells of, and is none of them: `Two BWICs tomorrow`."""
_COVERS = Stemmed.of(
    r"\b{covers}\b(?!\s+{told_later})|^\W*(?:cover|cvr)\W*$",
)
"""What the second best bid was; not `BWIC 10am, covers to follow`."""
_TRADED = Stemmed.of(
    r"\btrace\b(?!\s+eligible)|\bprints\b(?=\W*(?:$|{of_today}))|\b{traded}\b|\btrades\b(?!\s+{trades_so}\b)",
)
_LIVE = Stemmed.of(
    r"\b(?:live|{two_way})\s{price_noun}\b|^\W*(?:{list_owner}\s)?{own_list}\W*$",
)
"""What a dealer makes himself, below marks or trades."""
_INDICATIVE = Stemmed.of(
    r"\b{indicative}\b",
)
_SUBJECT = Stemmed.of(r"\bsubject\b(?!\s+to\s+(?:change|prior))|\bsubj\b")
_FIRM = Stemmed.of(r"\bfirm\s+{price_noun}\b|\b(?:all|{price_noun})\s+firm\b")


def side_said(lower: str) -> str | None:
    """The side that a text in lower case speaks of, if it is one alone."""
    if _BWIC.search(lower) or _OWIC.search(lower) or _TWO_WAYS.search(lower):
        return None
    buying, selling = _BUYING.search(lower) is not None, _SELLING.search(lower) is not None
    if buying != selling:
        return "bid" if buying else "ask"
    return "mid" if _MID.search(lower) and not buying else None


def kind_said(lower: str) -> QuoteKind | None:
    """The kind that a text in lower case gives to what stands under it: a list, its covers, marks, trades."""
    if _COVERS.search(lower):
        return QuoteKind.cover
    if "wics" in lower:
        lower = _COUNTED.sub("", lower)
    if _BWIC.search(lower) or _OWIC.search(lower):
        return QuoteKind.owic if _OWIC.search(lower) else QuoteKind.bwic
    if _MARK.search(lower) and not _NOT_MARK.search(lower):
        return QuoteKind.mark
    if _TRADED.search(lower):
        return QuoteKind.trade
    return QuoteKind.market if _LIVE.search(lower) else None


def axe_said(lower: str, *, near: bool) -> str | None:
    """An axe list's side; what is better bought or sold in a sentence is the market's talk."""
    if not AXE.search(lower) or not (near or "axe" in lower):
        return None
    side = side_said(lower)
    return side if side in {"bid", "ask"} else "any"


def firmness_said(lower: str) -> Firmness | None:
    """How firm a text in lower case says that its prices are."""
    if _FIRM.search(lower):
        return Firmness.firm
    if _INDICATIVE.search(lower):
        return Firmness.indicative
    return Firmness.subject if _SUBJECT.search(lower) else None
