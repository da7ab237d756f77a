"""Whether a line with levels is about an instrument, or only looks so (spec 2.9)."""

from __future__ import annotations

import re

from parsers.codes import Flag, QuoteType
from parsers.lexicon import compiled
from parsers.quotes.answers.named import Named
from parsers.quotes.classes import SECURITISED, class_by_instrument, is_of_class, rules_of
from parsers.quotes.classes.families import IN_PAIRS, LOCAL, OF_PAIRS, ON_THE_RUN
from parsers.quotes.draft import Level
from parsers.quotes.lexer.bonds import DUE, PART
from parsers.quotes.lexer.patterns import NUMBERED
from parsers.quotes.runs.cutting.facts import without_facts
from parsers.quotes.runs.lines import skip
from parsers.quotes.runs.marked.gone import is_move
from parsers.quotes.runs.marked.reading import Mark, Reading
from parsers.quotes.runs.quoted.holdings import is_holding
from parsers.quotes.runs.quoted.namable import can_name
from parsers.quotes.runs.quoted.stories import is_of_a_day, is_report, tells
from parsers.values.currencies import PAIR
from parsers.values.markets import PRICES, LevelRules, market_flags
from parsers.values.times.dates import MONTH_DATE, MONTH_NAME
from parsers.values.times.tenors import tenor as tenor_of

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
_YEAR_ALONE = compiled(r"(?:the )?[2-6]\ds")
"""Of a bond whose issuer another line names: `we bought 3mm of the 32s`."""
_OF_GOVERNMENTS = ON_THE_RUN | {"strips", "repo"}
_GOVERNMENT = compiled(
    r"(?:l['’])?(?:\d{1,2}yr? )?{government}(?: \d{1,2}\s?{years}\b.*)?",
    re.IGNORECASE,
)
"""Among what others issue it is a future or a yield: `Bund 131.45/131.47`, `UST 10y 4.12`."""
MAX_PLAIN_WORDS = 3
"""Words in lower case in the name of a bond whose class nothing tells."""

MOST_TIMES = 5
"""An ask that is more times its bid is no price's."""
_MOST_SHARES = 2
"""Nor of a fund's value: `6/30` is its day."""
_MOST_OF_ALL = 500
"""Nor of anything: `at 5-6278` is a telephone's extension."""
_PRICED = PRICES | {QuoteType.pct_nav}

_TOLD = frozenset({"heading", "subject", "sender", "identifier"})
_BENCHMARK = compiled(
    r"(?:(?:{benchmark_name}|[A-Z][A-Za-z]{2,6}(?=\s\d{1,2}[mM]$))\s)?(?:\d{1,3}\s?d(?:[ií]as)?|"
    r"\d{1,2}\s?{tenor_letter}?s?)(?:\s{benchmark_what})?"
)
_LOWER = compiled(r"(?<![\w.&])[a-zà-ÿ]{3,}\b")
_BOTH_SIDES = compiled(r"\S\s?(?:/|-|–|@)\s?\S|\d/$|^/\d")  # `229/`, `/213`: one side of a market
_TICKER_AND_YEAR = compiled(r"[A-Z][\w&.'-]{0,20} (?:.* )?'?(?:20)?[2-9]\ds?$|[A-Z]{2}\d\d$")
_CODED = compiled(r"[A-Z][\w&.]{2,14} (?:[A-Z]{1,3}\d{1,2}[A-Z]?|\d[A-Z])")  # `Bopreal S1C`
_DUE = compiled(rf"(?![\d]){MONTH_DATE}|\d{{1,2}}[\s\-]{MONTH_NAME}[\s\-](?:20)?\d\d", re.IGNORECASE)
"""Nothing but the maturity of a bond of the kind that a heading names: `Ago/28`, `11-Feb-27`."""
_WHOLE_DATE = compiled(r"\d{1,2}[/.]\d{1,2}[/.](?:20)?\d\d|20\d\d-\d\d-\d\d")
"""The same in figures, of a market alone: `LTN`, and `01/07/2027` under it."""
_YEAR = compiled(r"(?:[A-Z]{2,7}-)?20[2-9]\d|[A-Z]{2,7}-[2-9]\d")
"""The same by its year: `2027`, `BTP-30`."""
_POINT_WORDS = 4
"""Words of a line that is a name, a tenor and a value, and nothing else; two more for each further tenor."""
_GROUPED = compiled(r"\d{1,3},\d\d0(?:\s?[/–-]\s?\d{1,3},\d\d0)?")
_SENTENCE = compiled(r";\s[A-Z]+\s[a-z]+\s\d|[a-z]\.\s+[A-Z]\w+ \w|:\s*$")
_INDEX = compiled(r"\b[Ii](?:ndex|NDEX)\b")
_ADDRESS = compiled(r"\w@\w[\w-]*\.\w")
"""Of mail: `name@paper.example -0- 07/03/01` ends a wire's story."""
_TAKEN_BACK = compiled(r"\b{disregard}\b")
_CALENDAR_YEAR = compiled(r"(?:19|20)\d\d")
_DEFINED = compiled(r"=\s*$")
"""In front of a figure: `BTU = 1.027`."""
_FULL_STOP = compiled(r"\d\.\s+[A-Z][a-z]")
"""Inside a name: `Offer ends 11/30. Ref` are two sentences; `Co.` and `St. Louis` have no figure in front of it."""
_STOP = compiled(r"[a-z0-9%]\.\s+[A-Z]")
"""Between sentences: a story with a time of day in it is no run, whatever it names."""
_FOR_BOND = compiled(r"\s(?:for|on|in)\s")
"""Behind a level: what it is for comes."""
_TRANCHE = compiled(r"[A-Z][\w.&]+ (?P<year>(?:19|20)\d\d-)?\w+ [A-Z][\w-]{0,5}")
"""Of a deal: `OCT58 2022-1A C`."""
_BOND = compiled(rf"\s*[A-Z][\w&.]{{0,11}}\s+1?\d{PART}%?\s+{DUE}(?!\S)")
"""In front of a line a ticker, a coupon with decimals and a maturity: no heading."""
_FIGURES = compiled(r"(?<![\w.,])(?:\d{2,3}(?:\.\d|\s\d{1,2}/\d|-\d)|[A-Z]{0,3}\+\s?\d)")
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
    is_none = is_holding(text) or _ADDRESS.search(named.name) is not None or _is_taken_back(text)
    if is_none or named.identifiers:
        return not (is_none or (reading.is_timed and len(_STOP.findall(text)) > 1))
    if _is_news(reading, text):
        return False
    if named.is_bond:
        return _names_bond(named, text, name)
    if _is_of_others(named, name, tenor) or not can_name(named.name, name):
        return False
    if skip.is_prose(text) or is_of_a_day(reading, text, name) or tells(text, name):
        return False
    is_of_class = _is_dated(named, name) or _is_on_the_run(named, name)
    return is_of_class or _is_short_line(reading, text, name, is_told=source in _TOLD, is_sided=sided)


def _is_taken_back(text: str) -> bool:
    """Whether a line asks to forget its level: `pls ignore my earlier F 6.1 32 98/99`, `F 6.1 32 98/99 disregard`."""
    return _TAKEN_BACK.search(text.lower()) is not None


def _is_news(reading: Reading, text: str) -> bool:
    """Whether a line reports, tells how a level moved, or leads to its bond in a sentence."""
    lower = text.lower()
    if (is_report(lower) and is_report(without_facts(lower))) or is_move(lower):
        return True
    coupon = reading.named.coupon
    return coupon is not None and _leads_in(_behind_lead(reading, text), coupon)


def _names_bond(named: Named, text: str, name: str) -> bool:
    """Whether one bond is named; where nothing tells its class, by what looks like a name."""
    if named.name.count("%") > 1:
        return False
    if name != "unknown":
        return True
    return named.name.lstrip("€")[:1].isalpha() and named.plain_words <= MAX_PLAIN_WORDS and not skip.is_prose(text)


def _is_of_others(named: Named, name: str, tenor: str | None) -> bool:
    """Whether the name is of what another class quotes, or of none: a spot, a point of a curve, a government's."""
    if PAIR.fullmatch(named.name) is not None and _is_pair_alone(named, name, tenor):
        return True
    if name in NAMED_FREELY:
        if name not in _OF_TERMS and tenor_of(_last_word(named.name, name)) is not None:
            return True
        if class_by_instrument(named.name) in ON_THE_RUN:  # `Bund 131.45/131.47`
            return True
    is_government = _YEAR_ALONE.fullmatch(named.name) or _GOVERNMENT.fullmatch(named.name)
    return name not in _OF_GOVERNMENTS and is_government is not None


def _is_pair_alone(named: Named, name: str, tenor: str | None) -> bool:
    """Whether a pair is what forwards are on, or stands in a mail of bonds: `EURUSD 1.0512/14`."""
    if name == "fx_forward" and tenor in {None, "SPOT"} and not (named.tenor or named.maturity):
        return True
    return not (name in OF_PAIRS and (name in IN_PAIRS or named.tenor or tenor))


def _is_dated(named: Named, name: str) -> bool:
    """Whether an issuer and a maturity name a bond of a class that is known."""
    return named.maturity is not None and named.name[:1].isupper() and named.plain_words <= 2 and name != "unknown"


def _is_on_the_run(named: Named, name: str) -> bool:
    """Whether a government's benchmark is named by its tenor: `4wk 12/15/26`."""
    own = named.name.removesuffix(named.maturity or "").rstrip()
    return name in ON_THE_RUN and _BENCHMARK.fullmatch(own) is not None


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
    most = most if level.quote_type in _PRICED else _MOST_OF_ALL
    is_range = level.ask > most * level.bid > 0 or _are_years(level)
    return Flag.locked in found or {Flag.crossed, Flag.wide} <= found or is_range


def _are_years(level: Level) -> bool:
    """`the music in 2002-2004`."""
    raws = (level.bid_raw or "", level.ask_raw or "")
    return level.quote_type is QuoteType.price_unit and all(_CALENDAR_YEAR.fullmatch(raw) for raw in raws)


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
    if name == "unknown" or not named.name.lstrip("€")[:1].isalnum():
        return False
    is_market = _is_market(reading, text, name, is_told=is_told, is_sided=is_sided)
    has_form = _has_form(reading, text, name, is_told=is_told, is_sided=is_sided)
    if not (is_market or has_form):
        return False
    is_curve = rules_of(name).curve
    if (is_curve and _is_of_no_curve(reading, is_told=is_told)) or _is_spoken(reading, text, is_curve=is_curve):
        return False
    if name in NAMED_FREELY or is_curve:
        return named.plain_words <= 4
    if named.plain_words > 1 or _INDEX.search(named.name):
        return False
    return has_form or _can_be_bond(named, name, is_told=is_told, is_market=is_market)


def _has_form(reading: Reading, text: str, name: str, *, is_told: bool, is_sided: bool) -> bool:
    """Whether a name of the form of its class, which more than its looks proves, stands beside what is printed so."""
    named = reading.named
    if not is_told and _DEFINED.search(text, 0, reading.marks[0].token.start) is not None:
        return False
    has_proof = is_told or is_sided or named.tenor is not None or class_by_instrument(named.name, strong=True) == name
    if not (has_proof and is_of_class(named.name, name)):
        return False
    return is_sided or any(mark.token.prefix != "" for mark in reading.marks)


def _is_market(reading: Reading, text: str, name: str, *, is_told: bool, is_sided: bool) -> bool:
    """Whether a level is on a side, of a kind, or what stands at a point of a curve and nothing else."""
    if reading.side is not None:
        return True
    if any(_BOTH_SIDES.search(mark.token.text) or mark.kind or mark.side for mark in reading.marks):
        return True
    named = reading.named
    is_at_point = named.tenor is not None or (is_sided and name == "cds_single")
    if is_told and is_at_point and named.plain_words == 0 and (is_sided or _is_brief(reading, text)):
        return True
    return name == "private_equity_secondary" and ((is_told and is_sided) or _is_of_nav(named.name, text))


def _is_of_nav(name: str, text: str) -> bool:
    """A share of what a fund is worth; `XYZ Fund NAV 102.35` is what it is worth itself."""
    return "NAV" in text and not name.endswith("NAV")


def _is_spoken(reading: Reading, text: str, *, is_curve: bool) -> bool:
    """Whether a line is a sentence, several, or a list within one: `AA 155, A 185, BBB 290.`."""
    line = text.rstrip()
    if line.endswith(("!", ".")) and (line.endswith("!") or text.count(",") > 1):
        return True
    if not is_curve and "; " in text[: reading.marks[-1].token.start]:  # `SVB sr 66; Spirit GUC 3`
        return True
    if reading.is_timed and reading.time is None:
        return True
    if _SENTENCE.search(text) is not None or _FULL_STOP.search(reading.named.name) is not None:
        return True
    return len(_LOWER.findall(text)) > 5


def _can_be_bond(named: Named, name: str, *, is_told: bool, is_market: bool) -> bool:
    """Whether a name may be a bond's: by coupon or year, and under its heading by a code or a maturity alone."""
    if named.coupon is not None or _TICKER_AND_YEAR.match(named.name) is not None:
        return True
    if not is_told:
        return False
    if _CODED.fullmatch(named.name) is not None or _DUE.fullmatch(named.name) is not None:
        return True
    if name in LOCAL and _YEAR.fullmatch(named.name) is not None:
        return True
    return is_market and name in ON_THE_RUN and _WHOLE_DATE.fullmatch(named.name) is not None
