"""What a text speaks of: buying or selling, a list or a mark, an axe, firm or indicative (spec 4.6, 5.6, ruling 3)."""

from __future__ import annotations

import re

from parsers.codes import Firmness, QuoteKind
from parsers.values.stems import Stemmed

# These are searched in lower case: a pattern of many words that ignores case is five times as slow.
BETTER = r"better|bessere?r?|mejor(?:es)?|meilleurs?|migliori?e?|melhor(?:es)?"
_PARTY = r"(?:buy|sell)ers?|(?:ver)?käufer|(?:compr|vend|achet)\w+"
AXE = Stemmed.of(rf"\b(?:axe[dns]?|(?:{BETTER})\s+(?:{_PARTY}))\b")
WE_BUY = r"wir\s+(?:suchen|kaufen)|nous\s+(?:achetons|cherchons)|compramos|buscamos|compriamo|cerchiamo"
WE_SELL = (
    r"wir\s+(?:verkaufen|bieten|geben\s+ab)|nous\s+(?:vendons|offrons|cédons)|vendemos|ofrecemos|oferecemos|"
    r"vendiamo|offriamo"
)
"""What a desk says that it does, in other languages than English."""
_BUYING = Stemmed.of(
    r"\b(?:we(?:\s+(?:can|could|would|will)|['’](?:d|ll))?\s+(?:bid|buy|pay)|(?:axed?\s+)?to\s+buy|better\s+buyers?|buyers?\s+of|we\s*(?:are|'re)\s+(?:axed\s+)?buyers?|our\s+bids|bids?\s+wanted\s+by\s+us|"
    r"bids|axes?\s?[-–:(,]\s?(?:better\s)?buyers?|bid\s+side|wanted|look(?:ing)?\s+(?:to\s+buy|for)|we\s*(?:are|'re)\s+(?:bidding|buying)|ankauf|geldseiten?|achats?|acheteu(?:rs?|ses?)|compras?|"
    rf"{WE_BUY}|kaufinteressen?|käufer|compratori|compradores)\b|"
    r"^\W*(?:axed?\s+|our\s+|best\s+)?(?:buy(?:ing|ers?)?|bid(?:ding)?)\W*$|\((?:bids?|geld|achat|compra|denaro)\)",
)
_SELLING = Stemmed.of(
    r"\b(?:we(?:\s+(?:can|could|would|will)|['’](?:d|ll))?\s+(?:offer|sell)|(?:axed?\s+)?to\s+sell|better\s+sellers?|sellers?\s+of|we\s*(?:are|'re)\s+(?:axed\s+)?sell(?:ers?|ing)|offers?|offered|offerings?|"
    r"offer\s+side|axes?\s?[-–:(,]\s?(?:better\s)?sellers?|briefseiten?|angebote?|angebotslisten?|for\s+sale|to\s+go|inventory|inventaire|inventario|inventário|verkauf|ventes?|vendeu(?:rs?|ses?)|ventas?|vendas?|ofertas|"
    rf"{WE_SELL}|verkaufsinteressen?|(?<!d['’])(?<!\bet\s)(?<!\be\s)(?<!/)(?:offres|offerte)(?!\s(?:et|e)\b|\s?/)|(?:niveaux|livelli|niveles|níveis|prix|prezzi|precios|taux|tassi|tasas|taxas)\s(?:offerts|offerti|ofrecid[oa]s|ofertad[oa]s)|verkäufer|venditori|vendedores)\b|"
    r"^\W*(?:axed?\s+|our\s+|best\s+)?(?:sell(?:ing|ers?)?|offer|ask)\W*$|\((?:ask|brief|vente|venta|venda|lettera)\)",
)
_TWO_WAYS = Stemmed.of(r"\b(?:two[- ](?:ways?|sided)|2[- ]ways?|bids?\s*(?:/|and|over|x|-|\s)\s*(?:offers?|asks?))\b")
_MID = Stemmed.of(r"\b(?:mids?|mitte|mittelkurse?)\b(?!\s*[- ]?(?:swaps?|curve|market|month|day|cap))")
_MARK = Stemmed.of(
    r"\b(?:clos(?:es?|ing)|eod|end[-\s]of[-\s]day|marks?|valuations?|evaluated|evals?|(?:schluss|bewertungs)kurse?|cl[oô]ture|valorisations?|cierre|valoraci[oó]n|fechamento|marcação|chiusura|valutazion[ei]|(?<=\d\s)schluss|schluss(?=\s\d))\b",
)
_NOT_MARK = re.compile(
    r"\b(?:at|by|until|since|before|after|into|for|on|of|vs|versus|from|ref)\s+"
    r"(?:(?:the|our|stock|last|prior|previous|yesterday['’]?s|\d[\d/.-]*)\s+){0,2}clos(?:e|ing)\b"
)
_BWIC = Stemmed.of(r"\bbwics?\b|(?<!/)(?<!/\s)\bbids?\s+wanted\b(?!\W{1,3}(?:and\s+)?off)")
_OWIC = Stemmed.of(r"\bowics?\b|(?<!/)(?<!/\s)\boffers?\s+wanted\b(?!\W{1,3}(?:and\s+)?bid)")
_COVERS = Stemmed.of(
    r"\b(?:covers|cvrs|(?:cover|cvr)\s+(?:bids?|prices?|levels?|colou?r))\b"
    r"(?!\s+(?:to\s+(?:follow|come)|later|will|on\s+request|upon|after|available))|^\W*(?:cover|cvr)\W*$",
)
"""What the second best bid was; not `BWIC 10am, covers to follow`."""
_TRADED = Stemmed.of(
    r"\btrace\b(?!\s+eligible)|\bprints\b(?=\W*(?:$|today|yesterday|from|seen|of\s+note))|\b(?:last\s+sales?|trade[sd]?\s+(?:recap|colou?r|today)|traded|printed|gehandelt|umsätze|traités|operados|negociados|scambiati)\b|"
    r"\btrades\b(?!\s+(?:flat|at|around|with|clean|dirty|cum|ex|plus|wide|wider|tight|tighter|rich|cheap|special|off|on)\b)",
)
_LIVE = Stemmed.of(
    r"\b(?:live|(?:two|2)[- ]ways?)\s(?:markets?|prices?|levels?|runs?|quotes?)\b|"
    r"^\W*(?:our\s|best\s|top\s|today'?s\s)?(?:axes|offerings|inventory|(?:two|2)[- ]ways?)\W*$",
)
"""What a dealer makes himself, below marks or trades."""
_INDICATIVE = Stemmed.of(
    r"\bindic(?:atives?|ations?|s)?\b|\bindikati(?:v(?:e[nrs]?)?|onen)\b|\b(?:unverbindlich|freibleibend)(?:e[nrs]?)?\b|\bindicati(?:f|ve|vos?|fs)\b",
)
_SUBJECT = Stemmed.of(r"\bsubject\b(?!\s+to\s+(?:change|prior))|\bsubj\b")
_FIRM = Stemmed.of(r"\bfirm\s+(?:levels?|prices?|markets?|bids?|offers?)\b|\b(?:all|levels?|prices?)\s+firm\b")


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
