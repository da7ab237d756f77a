"""What announces or reports prices that nobody makes: confirmations, statements, invoices, calendars (spec 2.9)."""

from __future__ import annotations

import re

from parsers.values.stems import Stemmed

_CONFIRMED = Stemmed.of(
    r"\b(?:(?:trade|deal|purchase|sale|transaction|order) confirm(?:ation)?s?|"
    r"(?:trade|order|deal|ticket)\s(?:(?:id|ref|no\.?|nr\.?)\s)?#?\d{4,}\b.{0,30}\b(?:bought|sold)|"
    r"confirmations? of (?:trade|purchase|sale)|contract note|"
    r"we (?:hereby )?confirm (?:the following|your|our|having|that)\b.{0,20}\b(?:trades?|sales?|purchases?|deals?|"
    r"transactions?|sold|bought)|"
    r"(?:trade )?affirmations?|(?:please|pls) affirm|"
    r"we (?:have )?(?:sold to|bought from) you|you (?:have )?(?:sold to|bought from) us|you (?:have )?(?:bought|sold)|"
    r"you (?:buy|sell) \d|"
    r"(?:fills?|allocations?|executions?) recap|recap of (?:your |the |today'?s )*(?:fills|executions|allocations)|"
    r"(?:portfolio|account|holdings|custody) (?:statement|report)|statement of (?:holdings|account|positions)|"
    r"(?:wertpapier)?abrechnung|handelsbestätigung|depotauszug|sie haben (?:ge|ver)kauft|"
    r"avis d['’]opéré|relevé de (?:compte|portefeuille|titres)|vous avez (?:acheté|vendu)|"
    r"confirmación de (?:operación|compra|venta)|(?:extracto|estado) de (?:cuenta|cartera)|"
    r"confirmação de (?:operação|negócio)|nota de (?:corretagem|negociação)|"
    r"(?:tax |pro[- ]?forma |vat )invoice|"
    r"invoice(?=\W{0,3}(?:no|nr|number|date|for|from)\b|\W{1,3}[a-z]{0,4}-?\d\d)|^invoice\W*$|"
    r"rechnung(?:snummer|s-?nr)|"
    r"(?:facture|factura|fatura|fattura)(?=\W{1,3}(?:no?|nº|num|numero|n[uú]mero|numéro|nr)\b\W{0,3}[a-z]{0,4}-?\d|"
    r"\W{1,3}[a-z]{0,4}-?\d\d|\s(?:du|del?|de fecha)\s\d)|^(?:facture|factura|fatura|fattura)\W*$|"
    r"conferma d(?:['’]|i )(?:ordine|operazione|esecuzione)|estratto conto|(?:bought|sold)\b.{3,80}\bsettle|"
    r"(?:bot|sld) \d[\d.,]*\s?(?:mm?|k)(?= .{3,40}@))\b",
)
_OUTLOOK = re.compile(
    r"\b(?:(?:new issue|muni|loan|bond|primary|economic|supply|auction) calendar|"
    r"(?:auction|tender) results?|(?:cash )?tender offers?|exchange offers?|consent solicitation|"
    r"correlation (?:matrix|table|monitor|report)|^correlations?$|notice of redemption|"
    r"p&l|pnl|profit and loss|^\W*(?:today['’]?s )?fills\b|order status|"
    r"(?:risk|var|exposure|position|nav|fund(?: (?:month|quarter|week)ly)?) (?:reports?|statements?|fact ?sheets?)|"
    r"risikobericht|(?:daily|weekly|official|final|fund) navs?|^\W*(?:\w+ )?holdings|"
    r"rapport de risques?|"
    r"informe de riesgos?|relatório de riscos?|(?:dv01|cs01|pv01)s?(?= (?:by|per|report|ladder|limits?)\b|\W*$)|"
    r"limits? (?:usage|utili[sz]ation|breach(?:es)?)|inventory age?ing|kontoauszug|headcount|timesheets?|"
    r"coupon (?:payments?|resets?|fixings?|schedule)|kuponzahlungen|paiements? de coupons?|pago de cupones|"
    r"pagamento (?:de cupons|cedole)|"
    r"(?:issuer|credit|company) profile|haircuts? (?:schedule|table|grid)s?|basis monitor|cds[- ]bond basis|"
    r"(?:relative value|rv) screen(?:er|s)?|rich[/ -]?cheap (?:report|analysis|monitor)|"
    r"(?:index|indices|benchmark) (?:re-?balancing|changes)|(?:swap|coupon|rate|libor) (?:resets?|fixings?)|"
    r"^\W*fixings?\b|"
    r"(?:it|support|help ?desk|service) tickets?|incident report|trustee reports?|novations?|"
    r"compression run|settlement (?:fails?|prices?)|fail(?:ing|ed) trades|proposals?|final terms|"
    r"precios de liquidación|abrechnungspreise|cap(?:ital)? (?:table|structure)|"
    r"reference rates?|referenzkurse|taux de référence|tasas? de referencia|taxas? de referência|tassi di riferimento|"
    r"rating (?:actions?|changes|reviews?)|(?:up|down)grades\b|"
    r"forecasts?|prognosen?|prévisions|previsiones|previsões|previsioni|back-?tests?|webinars?|survey|minutes of|"
    r"(?:new[- ]issues?|primary)(?: \w+)? (?:priced|pricing|recap|guidance|talk|ipts?|calendar|pipeline|this week)|"
    r"(?<!& )(?<!and )trade ideas?(?! (?:&|and)\b)|handelsidee|id[ée]e de trade|"
    r"redemption notice|results? of (?:the )?(?:auction|tender)|"
    r"(?:margin|collateral) (?:calls?|statements?|reports?|notices?)|appels? de marge|nachschusspflicht|"
    r"llamad[ao]s? de margen|chamadas? de margem|richiam[oi] di margin[ei]|"
    r"(?:auktions|tender)ergebnis(?:se)?|ergebnis(?:se)? der auktion|résultats? (?:de l['’]|des |d['’])?adjudications?|"
    r"(?:auctions?|tenders?|auktion(?:en)?|adjudications?|subastas?|leil(?:ão|ões)|ast[ae])\b[^.;]{0,24}?\b"
    r"(?:results?|ergebnis(?:se)?|résultats?|resultados?|risultat[oi])|"
    r"resultados? (?:d(?:e|el|o) )?(?:la )?(?:subasta|leilão)|risultat[oi] (?:dell['’]|delle |d['’])?ast[ae])\b",
    re.IGNORECASE,
)


def is_confirmation(text: str) -> bool:
    """Whether a line or subject says that what stands under it is done: `We confirm the following trade`."""
    return _CONFIRMED.search(text.lower()) is not None


def is_outlook(subject: str) -> bool:
    """Whether a subject announces what is to be sold, or reports of a book or an office: none is a quote (spec 2.9)."""
    return _OUTLOOK.search(subject) is not None
