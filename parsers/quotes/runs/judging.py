"""Whether a line with levels is about an instrument, or only looks so (spec 2.9)."""

from __future__ import annotations

import re

from parsers.codes import Flag, QuoteType
from parsers.quotes.classes import class_by_instrument, is_of_class, rules_of
from parsers.quotes.draft import Level
from parsers.quotes.runs import skip
from parsers.quotes.runs.attributes import SECURITISED
from parsers.quotes.runs.bonds import DUE, PART
from parsers.quotes.runs.facts import without_facts
from parsers.quotes.runs.families import IN_PAIRS, OF_PAIRS
from parsers.quotes.runs.gone import is_move
from parsers.quotes.runs.holdings import is_holding
from parsers.quotes.runs.namable import can_name
from parsers.quotes.runs.patterns import NUMBERED
from parsers.quotes.runs.reading import Mark, Reading
from parsers.quotes.runs.setting import LOCAL
from parsers.quotes.runs.stories import is_of_a_day, is_report, tells
from parsers.values.currencies import PAIR
from parsers.values.dates import MONTH_DATE, MONTH_NAME
from parsers.values.markets import PRICES, LevelRules, market_flags
from parsers.values.tenors import tenor as tenor_of

NAMED_FREELY = frozenset(
    {
        "trade_claim",
        "private_equity_secondary",
        "distressed_debt",
        "warrant_equity",
        "structured_note",
        "preferred",
        "tba_mbs",
        "agency_mbs_cmo",
        "clo",
        "cmbs",
        "abs",
        "rmbs_nonagency",
        "crt",
        "cdo_trups",
        "leveraged_loan",
    }
)
"""Classes whose instruments need neither identifier nor coupon and maturity, as what is quoted by tenor needs none."""
_OF_TERMS = frozenset({"tba_mbs", "agency_mbs_cmo"})
"""Of those what has a term for its name: `30yr` under `UMBS`."""
ON_THE_RUN = frozenset({"inflation_linked", "govt_us", "govt_intl", "govt_canada", "govt_latam_local"})
"""Classes whose benchmarks are named by tenor: `10y`."""
_YEAR_ALONE = re.compile(r"(?:the )?[2-6]\ds")
"""Of a bond whose issuer another line names: `we bought 3mm of the 32s`."""
_OF_GOVERNMENTS = ON_THE_RUN | {"strips", "repo"}
_GOVERNMENT = re.compile(
    r"(?:l['’])?(?:\d{1,2}yr? )?"
    r"(?:usts?|t-?notes?|treasur(?:y|ies)|tsys?|bunds?|bobls?|schatz|gilts?|oats?|btps?|bonos?|jgbs?|spgbs?|dbrs?|ukts?)"
    r"(?: \d{1,2}(?:yr?|j| ans| anni| años| anos| jahre)\b.*)?",
    re.IGNORECASE,
)
"""Among what others issue it is a future or a yield: `Bund 131.45/131.47`, `UST 10y 4.12`."""
MAX_PLAIN_WORDS = 3
"""Words in lower case in the name of a bond whose class nothing tells."""

MOST_TIMES = 5
"""An ask that is more times its bid is no price's."""
_MOST_SHARES = 2
"""Nor of a fund's value: `6/30` is its day."""
_PRICED = PRICES | {QuoteType.pct_nav}

_TOLD = frozenset({"heading", "subject", "sender", "identifier"})
_BENCHMARK = re.compile(
    r"(?:(?:UST?|T|WI|OTR|CT|CAN|DBR|UKT|GoC|Bund|Gilt|OAT|BTP|[A-Z][A-Za-z]{2,6}(?=\s\d{1,2}[mM]$)|Spain|Germany|Italy|France|UK|US|(?:(?:[Dd]bl|[Dd]ouble|DBL|[Tt]riple)[\s-])?(?:OLD|Old|old)|OOOs?|OOs?)\s)?"
    r"(?:\d{1,3}\s?d(?:[ií]as)?|\d{1,2}\s?(?:y|yr|Y|YR|m|M|mo|month|wk|w|week)?s?)(?:\s(?:OTR|WI|TIPS|bench|otr|[Nn]otes?|[Bb]onds?|[Bb]ills?|tsy|UST))?"
)
_LOWER = re.compile(r"(?<![\w.&])[a-zà-ÿ]{3,}\b")
_BOTH_SIDES = re.compile(r"\S\s?(?:/|-|–|@)\s?\S|\d/$|^/\d")  # `229/`, `/213`: one side of a market
_TICKER_AND_YEAR = re.compile(r"[A-Z][\w&.'-]{0,20} (?:.* )?'?(?:20)?[2-9]\ds?$|[A-Z]{2}\d\d$")
_CODED = re.compile(r"[A-Z][\w&.]{2,14} (?:[A-Z]{1,3}\d{1,2}[A-Z]?|\d[A-Z])")  # `Bopreal S1C`
_DUE = re.compile(rf"(?![\d]){MONTH_DATE}|\d{{1,2}}[\s\-]{MONTH_NAME}[\s\-](?:20)?\d\d", re.IGNORECASE)
"""Nothing but the maturity of a bond of the kind that a heading names: `Ago/28`, `11-Feb-27`."""
_WHOLE_DATE = re.compile(r"\d{1,2}[/.]\d{1,2}[/.](?:20)?\d\d|20\d\d-\d\d-\d\d")
"""The same in figures, of a market alone: `LTN`, and `01/07/2027` under it."""
_YEAR = re.compile(r"(?:[A-Z]{2,7}-)?20[2-9]\d|[A-Z]{2,7}-[2-9]\d")
"""The same by its year: `2027`, `BTP-30`."""
_POINT_WORDS = 4
"""Words of a line that is a name, a tenor and a value, and nothing else; two more for each further tenor."""
_GROUPED = re.compile(r"\d{1,3},\d\d0(?:\s?[/–-]\s?\d{1,3},\d\d0)?")
_SENTENCE = re.compile(r";\s[A-Z]+\s[a-z]+\s\d|[a-z]\.\s+[A-Z]\w+ \w|:\s*$")
_INDEX = re.compile(r"\b[Ii](?:ndex|NDEX)\b")
_FULL_STOP = re.compile(r"\d\.\s+[A-Z][a-z]")
"""Inside a name: `Offer ends 11/30. Ref` are two sentences; `Co.` and `St. Louis` have no figure in front of it."""
_STOP = re.compile(r"[a-z0-9%]\.\s+[A-Z]")
"""Between sentences: a story with a time of day in it is no run, whatever it names."""
_FOR_BOND = re.compile(r"\s(?:for|on|in)\s")
"""Behind a level: what it is for comes."""
_TRANCHE = re.compile(r"[A-Z][\w.&]+ (?P<year>(?:19|20)\d\d-)?\w+ [A-Z][\w-]{0,5}")
"""Of a deal: `OCT58 2022-1A C`."""
_BOND = re.compile(rf"\s*[A-Z][\w&.]{{0,11}}\s+1?\d{PART}%?\s+{DUE}(?!\S)")
"""In front of a line a ticker, a coupon with decimals and a maturity: no heading."""
_FIGURES = re.compile(r"(?<![\w.,])(?:\d{2,3}(?:\.\d|\s\d{1,2}/\d|-\d)|[A-Z]{0,3}\+\s?\d)")
"""Behind a bond what is meant for a level."""


def has_unread(text: str) -> bool:
    """Whether a line without a level has a bond and, behind it, figures that are meant for one."""
    bond = _BOND.match(text)
    return bond is not None and _FIGURES.search(text, bond.end()) is not None


def is_run(
    reading: Reading, text: str, name: str, source: str, *, sided: bool = False, tenor: str | None = None
) -> bool:
    """Whether a line is a run's: it names an instrument, has the form of its class, or is short under a heading.

    Args:
        reading: of the line, which has levels.
        text: the line.
        name: its class.
        source: what said so.
        sided: a heading says on which side lone values are, or that they are marks or trades.
        tenor: that a heading names.
    """
    named = reading.named
    lower = text.lower()
    is_held = is_holding(text)
    if is_held or named.identifiers:
        return not (is_held or (reading.is_timed and len(_STOP.findall(text)) > 1))
    if (
        (is_report(lower) and is_report(without_facts(lower)))
        or is_move(lower)
        or (named.coupon is not None and _leads_in(_behind_lead(reading, text), named.coupon))
    ):
        return False
    if named.is_bond:
        if named.name.count("%") > 1:
            return False
        is_named = named.name.lstrip("€")[:1].isalpha() and not skip.is_prose(text)
        return name != "unknown" or (is_named and named.plain_words <= MAX_PLAIN_WORDS)
    is_today = name == "fx_forward" and tenor in {None, "SPOT"} and not (named.tenor or named.maturity)
    is_spot = is_today and PAIR.fullmatch(named.name)  # what forwards are on
    is_told = skip.is_prose(text) or is_of_a_day(reading, text, name) or tells(text, name)
    has_term = name in OF_PAIRS and (name in IN_PAIRS or named.tenor or tenor)
    is_others = not has_term and PAIR.fullmatch(named.name)  # `EURUSD 1.0512/14` in a mail of bonds
    is_point = name in NAMED_FREELY - _OF_TERMS and tenor_of(_last_word(named.name, name)) is not None
    is_point = is_point or (name not in _OF_GOVERNMENTS and _YEAR_ALONE.fullmatch(named.name) is not None)
    is_government = name not in _OF_GOVERNMENTS and _GOVERNMENT.fullmatch(named.name)
    is_future = name in NAMED_FREELY and class_by_instrument(named.name) in ON_THE_RUN  # `Bund 131.45/131.47`
    if is_spot or is_told or is_others or is_point or is_future or is_government or not can_name(named.name, name):
        return False
    is_dated = named.maturity is not None and named.name[:1].isupper() and named.plain_words <= 2 and name != "unknown"
    own = named.name.removesuffix(named.maturity or "").rstrip()  # `4wk 12/15/26`
    is_benchmark = name in ON_THE_RUN and _BENCHMARK.fullmatch(own) is not None
    return is_dated or is_benchmark or _is_short_line(reading, text, name, is_told=source in _TOLD, is_sided=sided)


def _last_word(text: str, name: str) -> str:
    """Where a tenor makes a name none: `Obligacje 10Y` among loans; that of a deal's tranche may be its life."""
    return (text if name in SECURITISED or name == "structured_note" else text.rpartition(" ")[2]) or "-"


def _behind_lead(reading: Reading, text: str) -> str:
    """The text behind the level that a sentence puts in front of the bond: `best I can do is 98 bid for ...`."""
    first = reading.marks[0].token
    is_behind = (reading.named.coupon or "") not in text[: first.start]  # not `XYZ 5 03/34 at 98/99 in 3mm`
    return text[first.end :] if is_behind and _FOR_BOND.match(text, first.end) is not None else text


def _leads_in(text: str, coupon: str) -> bool:
    """Whether a sentence stands in front of the coupon: more words than an issuer or a wish has."""
    numbered = NUMBERED.match(text)
    lead = text[numbered.end() if numbered is not None else 0 : text.find(coupon)]
    return len(_LOWER.findall(lead)) > MAX_PLAIN_WORDS or "unch" in lead or ";" in lead or ". " in lead.rstrip()


def is_alone(reading: Reading, name: str) -> bool:
    """Whether a line without a level is a deal's tranche: on a list not traded, else the name of the level below it."""
    text = reading.named.name
    tranche = _TRANCHE.fullmatch(text)
    if tranche is not None and tranche["year"] and name in NAMED_FREELY:  # a heading tells the class of its deal
        return True
    return (reading.is_untraded or tranche is not None) and is_of_class(text, name)


def is_nonsense(level: Level, name: str) -> bool:
    """A market that no dealer makes: crossed and wide, without a width (`page 1/1`), or doubled (`Amendments 1-10`)."""
    if level.bid is None or level.ask is None:
        return False
    found = market_flags(level.bid, level.ask, LevelRules(level.quote_type, name))
    most = _MOST_SHARES if level.quote_type is QuoteType.pct_nav else MOST_TIMES
    is_range = level.quote_type in _PRICED and level.ask > most * level.bid > 0
    return Flag.locked in found or {Flag.crossed, Flag.wide} <= found or is_range


def _is_compared(mark: Mark) -> bool:
    return mark.reference is not None and "/" not in mark.token.text


def _is_brief(reading: Reading, text: str) -> bool:
    """Whether a line is a name, a tenor and a value, and nothing else: few words, or none behind the value."""
    is_last = reading.marks[-1].token.end == len(text.rstrip())
    return is_last or len(text.split()) <= _POINT_WORDS + 2 * len(reading.marks[1:])


def _is_of_no_curve(reading: Reading, *, is_told: bool) -> bool:
    """Whether levels are compared, `1M 6.9 v 7.1`, or are freight by the day: `Cape 5TC Q1 24,500/24,900`."""
    if not is_told and all(map(_is_compared, reading.marks)):
        return True
    return reading.named.tenor is None and all(_GROUPED.fullmatch(mark.token.text) for mark in reading.marks)


def _is_short_line(reading: Reading, text: str, name: str, *, is_told: bool, is_sided: bool) -> bool:
    """A name of a class that the headings tell, and little else; a lone value needs more than the name's looks."""
    named = reading.named
    has_proof = is_told or is_sided or class_by_instrument(named.name, strong=True) == name or named.tenor is not None
    is_of_form = has_proof and is_of_class(named.name, name)
    has_form = is_of_form and (is_sided or any(mark.token.prefix != "" for mark in reading.marks))
    is_market = any(_BOTH_SIDES.search(mark.token.text) or mark.kind or mark.side for mark in reading.marks)
    is_market = is_market or reading.side is not None
    is_point = is_told and (named.tenor is not None or (is_sided and name == "cds_single")) and named.plain_words == 0
    is_market = is_market or (is_point and (is_sided or _is_brief(reading, text)))
    is_of_nav = "NAV" in text and not named.name.endswith("NAV")  # `XYZ Fund NAV 102.35`: what a fund itself is worth
    is_market = is_market or (name == "private_equity_secondary" and ((is_told and is_sided) or is_of_nav))
    if name == "unknown" or not (is_market or has_form) or not named.name.lstrip("€")[:1].isalnum():
        return False
    if rules_of(name).curve and _is_of_no_curve(reading, is_told=is_told):
        return False
    is_listed = text.rstrip().endswith(".") and text.count(",") > 1  # `AA 155, A 185, BBB 290.`
    if not rules_of(name).curve:  # `SVB sr 66; Spirit GUC 3`
        is_listed = is_listed or "; " in text[: reading.marks[-1].token.start]
    is_spoken = (
        is_listed
        or text.rstrip()[-1:] == "!"
        or _SENTENCE.search(text) is not None
        or _FULL_STOP.search(named.name) is not None
    )
    if (reading.is_timed and reading.time is None) or len(_LOWER.findall(text)) > 5 or is_spoken:
        return False
    if name in NAMED_FREELY or rules_of(name).curve:
        return named.plain_words <= 4
    if named.plain_words > 1 or _INDEX.search(named.name):
        return False
    has_bond = named.coupon is not None or _TICKER_AND_YEAR.match(named.name) is not None
    has_bond = has_bond or (is_told and _CODED.fullmatch(named.name) is not None)
    has_bond = has_bond or (is_told and name in LOCAL and _YEAR.fullmatch(named.name) is not None)
    has_bond = has_bond or (is_told and _DUE.fullmatch(named.name) is not None)
    has_bond = has_bond or (
        is_told and is_market and name in ON_THE_RUN and _WHOLE_DATE.fullmatch(named.name) is not None
    )
    return has_bond or has_form
