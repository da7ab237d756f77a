"""The lines of a part, top to bottom: headings set the scene, lines of a run become drafts (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from parsers.codes import Code, Firmness, Flag, QuoteKind
from parsers.document import Line
from parsers.outcome import Reject
from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Instrument, Level, Sizes
from parsers.quotes.runs import skip
from parsers.quotes.runs.aligned import HeaderLine, as_grid, header_line, holds_pairs
from parsers.quotes.runs.measure import Ground, levels
from parsers.quotes.runs.reading import Reading, read, seconds
from parsers.quotes.runs.setting import Setting, beginning, class_of, under
from parsers.quotes.runs.tokens import tokens
from parsers.values.dates import DateOrder, maturity
from parsers.values.identifiers import Found, find
from parsers.values.languages import language
from parsers.values.levels import LevelRules, market_flags, order, tight_wide
from parsers.values.locales import block_locale, numerals
from parsers.values.numbers import Locale, Ticks, number
from parsers.values.sizes import Size, SizePair, SizeRules, size, size_pair
from parsers.values.tenors import tenor

PARSER = "text_run"


@dataclass(frozen=True, slots=True)
class RunResult:
    """What the lines of a part gave."""

    drafts: tuple[Draft, ...]
    rejects: tuple[Reject, ...] = ()
    setting: Setting = field(default_factory=Setting)


@dataclass(slots=True)
class _Block:
    """What holds for all lines of the part."""

    locale: Locale
    flags: frozenset[Flag]
    language: str
    uses_mm: bool
    plus_ticks: bool  # three and more tokens carry a `+` of half a 32nd
    date_parts: tuple[bool, bool]  # a first, a second part of a date is above 12
    columns: frozenset[int]  # where several lines hold a valid CUSIP


@dataclass(frozen=True, slots=True)
class _Joined:
    """A line with the lines wrapped under it."""

    line: Line
    text: str
    breaks: tuple[tuple[int, int], ...]  # (position in text, offset in the part) where each piece starts

    def offset(self, position: int) -> int:
        """The code point offset in the part of a position of the text."""
        start, base = max((piece for piece in self.breaks if piece[0] <= position), default=self.breaks[0])
        return base + position - start

    def before(self, at: int) -> _Joined:
        """The part of the line in front of a position."""
        return _Joined(self.line, self.text[:at], self.breaks)

    def behind(self, at: int) -> _Joined:
        """The part of the line from a position on."""
        later = tuple((start - at, base) for start, base in self.breaks if start > at)
        return _Joined(self.line, self.text[at:], ((0, self.offset(at)), *later))


_TICK_PLUS = re.compile(r"\b\d{2,3}-\d{2}\+")
_MM = re.compile(r"\d\s?MM\b")
_DATE_PARTS = re.compile(r"(?<![\d.,/])(\d{1,2})([/.])(\d{1,2})\2(?:20)?\d{2}(?![\d/]|[.,]\d)")
_CANDIDATE = re.compile(
    r"\d[.,]\d|\b(?:talk|cvr|cover|traded)\b|\d\s?[/\-–@]\s?[\d+(]|\d[½¼¾⅛⅜⅝⅞]|[A-Z]\s?[+\-]\s?\d|\d\s+\d"
)
_CURVES = frozenset(
    {
        "cds_single",
        "cds_index",
        "cds_tranche",
        "irs",
        "swaption",
        "inflation_swap",
        "trs",
        "fx_forward",
        "fx_option",
        "repo",
        "cd",
        "commercial_paper",
    }
)
_COUPON_ALONE = frozenset({"preferred", "tba_mbs", "agency_mbs_cmo"})
_BARE_NAMES = _CURVES | {
    "trade_claim",
    "private_equity_secondary",
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
_CURRENCY = re.compile(
    r"\b(USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|MXN|BRL|COP|CLP|PEN|ARS|UYU|CNH)\b"
)
_NOT_NAMES = re.compile(
    r"(?:levels?|bids?|offers?|talk|spot|dax|spx|vix|wti|brent|gold|dxy|s&p|ftse|ibov|merval|nikkei|cac|cable|fed|cpi|supply|curve|"
    r"re|subject|date|sent|order|acct|account|tel|fax|phone|page|size|sizes|total|average|avg|summe|range|high|low|support|resistance|"
    r"target|stop|call|time|open|close|settle|volume|volumes|trades|flows?|note|nb|ref|spread|spreads|yields?|prices?|index|index levels?)\b",
    re.IGNORECASE,
)
_ON_THE_RUN = frozenset({"govt_us", "govt_intl", "govt_canada", "govt_latam_local"})
_BENCHMARK_TENOR = re.compile(
    r"(?:(?:UST?|T|WI|OTR|CT|CAN|DBR|UKT|GoC|Bund|Gilt|OAT|BTP|Spain|Germany|Italy|France|UK|US)\s)?\d{1,2}\s?(?:y|yr|Y|YR)s?(?:\s(?:OTR|WI|bench|otr|notes?|bonds?|tsy|UST))?"
)
_ONLY_TENOR = re.compile(r"(?:\d{1,2}[DWMYdwmy]|O/?N|T/?N|S/?N)(?:\s(?:ATMF?|NDF|pts|outright))?")
_LOWER = re.compile(r"(?<![\w.&])[a-zà-ÿ]{3,}\b")
_TICKER_YEAR = re.compile(r"[A-Z][A-Z0-9]{0,7} (?:.* )?'?(?:20)?[2-9]\d(?:s)?$|[A-Z]{2}\d\d$")


def read_lines(lines: Sequence[Line], context: PartContext, setting: Setting | None = None) -> RunResult:
    """The drafts of a part's lines.

    Args:
        lines: in reading order; quoted ones give context only.
        context: of the part.
        setting: what stood before these lines; None: subject and file name alone.
    """
    return _Reader(lines, context, setting or beginning(context)).run()


class _Reader:
    """One pass over the lines; the state is the setting and the last line without levels."""

    def __init__(self, lines: Sequence[Line], context: PartContext, setting: Setting) -> None:
        self.context = context
        self.setting = setting
        self.lines = [line for line in lines if len(line.text) <= skip.MAX_LINE]
        self.block = _block([line for line in self.lines if not line.quoted])
        self.drafts: list[Draft] = []
        self.rejects: list[Reject] = []
        self.named: tuple[Reading, _Joined] | None = None  # the last line that named an instrument and had no level
        self.table: list[tuple[HeaderLine, Line, list[Line]]] = []

    def run(self) -> RunResult:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            text = line.text
            if skip.starts_signature(text) and self.drafts:
                break
            if skip.is_disclaimer(text) or (self.drafts and skip.is_closing(text)):
                break
            if line.quoted:
                self._quoted(line)
                at += 1
                continue
            if line.struck or skip.is_art(text):
                at += 1
                continue
            header = header_line(text)
            if header is not None:
                at = self._table(header, at)
                continue
            joined, at = self._joined(at)
            self._line(joined)
        drafts = _ordered(self.drafts, self.setting)
        return RunResult(tuple(drafts), tuple(self.rejects), self.setting)

    def _joined(self, at: int) -> tuple[_Joined, int]:
        """The line with its wrapped continuations, and the index behind them."""
        line = self.lines[at]
        text, breaks = line.text, [(0, line.char_start)]
        at += 1
        while (
            at < len(self.lines)
            and _is_continuation(self.lines[at])
            and _names(text)
            and not _names(self.lines[at].text)
        ):
            stripped = self.lines[at].text.strip()
            indent = len(self.lines[at].text) - len(self.lines[at].text.lstrip())
            breaks.append((len(text) + 1, self.lines[at].char_start + indent))
            text = f"{text} {stripped}"
            at += 1
        return _Joined(line, text, tuple(breaks)), at

    def _quoted(self, line: Line) -> None:
        """A quoted line is context: it may name the instrument of the answer under it."""
        text = line.text.lstrip("> ").strip()
        if not text:
            return
        joined = _Joined(line, text, ((0, line.char_start),))
        reading, _, _ = self._read(text)
        if reading.identifiers or reading.coupon:
            self.named = (replace_marks(reading), joined)
        self.setting = under(self.setting, text)

    def _table(self, header: HeaderLine, at: int) -> int:
        """The rows under a header line: its columns tell what their levels are."""
        head = self.lines[at]
        rows, after = self._rows(at + 1)
        self.setting = replace(self.setting, hints=header.hints, is_headed=True, is_order_told=True)
        if not header.is_split or holds_pairs(rows):
            return at + 1
        drafts = self._grid(header, head, rows)
        if drafts is None:
            return at + 1
        self.drafts += drafts
        return after

    def _rows(self, at: int) -> tuple[list[Line], int]:
        """The lines of a typed table: until two empty ones, a sentence, or a closing."""
        rows: list[Line] = []
        empty = 0
        while at < len(self.lines):
            line = self.lines[at]
            if skip.is_art(line.text):
                empty += not line.text.strip()
                if empty >= 2:
                    break
            elif line.quoted or skip.is_closing(line.text) or skip.is_disclaimer(line.text) or skip.is_prose(line.text):
                break
            elif header_line(line.text) is not None:
                break
            else:
                if empty and len(re.findall(r"\S+(?:[ ]\S+)*", line.text)) < 3 and "\t" not in line.text:
                    break
                empty = 0
                rows.append(line)
            at += 1
        return rows, at

    def _grid(self, header: HeaderLine, head: Line, rows: Sequence[Line]) -> list[Draft] | None:
        """The rows read as a table, or None where it is not recognised."""
        from parsers.quotes.tables import read_grid

        grid = as_grid(header, head, rows)
        before = [line for line in self.lines if line.number < head.number and not line.quoted]
        found = read_grid(grid, self.context, before)
        if not found.recognised or not found.drafts:
            return None
        self.rejects += found.rejects
        by_number = {line.number: line for line in rows}
        return [_as_line(draft, by_number) for draft in found.drafts]

    def _read(self, text: str) -> tuple[Reading, tuple[str, str], int | None]:
        """A line's reading, the class that it belongs to, and where a second instrument begins on it."""
        priced = _CANDIDATE.search(text) is not None
        found = find(text, columns=self.block.columns, priced=priced, headed=self._headed_kinds())
        name, kinds = _rough_name(text, found), [item.kind for item in found]
        default = self.context.mail.dealer.asset_class if self.context.mail.dealer else None
        named = class_of(self.setting, name, kinds, default)
        cut = tokens(
            text,
            found,
            ticks=self._ticks(named[0]) is not Ticks.off,
            curves=named[0] in _CURVES,
            german=self.block.language == "de",
        )
        reading = read(
            text,
            cut,
            self.block.locale,
            coupon_alone=named[0] in _COUPON_ALONE,
            counted=named[0] in ("us_muni", "cd"),
            known=is_of_class(name, named[0]),
            curves=named[0] in _CURVES,
            under_issuer=self.setting.issuer is not None,
        )
        if reading.tenor is not None and named[0] not in _CURVES and _has_points(reading):
            named = ("cds_single", "notation")
        elif named[0] == "unknown":
            named = _by_notation(reading, self.setting.currency) or named
        return reading, named, seconds(cut, curves=named[0] in _CURVES)

    def _headed_kinds(self) -> frozenset[str]:
        return frozenset()

    def _ticks(self, name: str) -> Ticks:
        ticks = rules_of(name).level_ticks(self.setting.currency or rules_of(name).currency)
        if ticks is Ticks.off and (
            self.setting.said.thirty_seconds
            or (self.block.plus_ticks and name in ("unknown", "agency_ssa", "govt_intl"))
        ):
            return Ticks.unsure if name == "unknown" else Ticks.cash
        return ticks

    def _line(self, joined: _Joined) -> None:
        text = joined.text
        reading, named, second = self._read(text)
        if second is not None:
            self._line(joined.before(second))
            self._line(joined.behind(second))
            return
        if not reading.marks:
            self._without_level(reading, joined, named)
            return
        if skip.has_phone(text) and not reading.identifiers:
            self.named = None
            return
        own = reading
        if not own.name and not own.identifiers and self.named is not None:
            reading = _with_instrument(own, self.named[0])
            named = self._named_class(reading)
        elif not own.name and not own.identifiers and self.setting.issuer is None:
            self.setting = under(self.setting, text)
            return
        elif own.coupon is not None and own.name[:1].isdigit() and not own.identifiers and self.setting.issuer:
            reading.name = f"{self.setting.issuer} {reading.name}"
        self.named = None
        if not self._is_run(reading, text, named[0]):
            self.setting = under(self.setting, text)
            return
        found = levels(reading, self._ground(named[0], reading))
        if not reading.has_instrument and any(_is_nonsense(level, named[0]) for level in found):
            found = ()
        if not found:
            if reading.has_instrument:
                self.rejects.append(_reject(self.context, joined, Code.ROW_AMBIGUOUS_NUMBER))
            else:
                self.setting = under(self.setting, text)
            return
        self.drafts.append(self._draft(reading, joined, named, found))

    def _without_level(self, reading: Reading, joined: _Joined, named: tuple[str, str]) -> None:
        """A heading, a withdrawn line, or an instrument whose level follows."""
        if reading.identifiers or (reading.coupon is not None and reading.maturity is not None):
            if reading.is_withdrawn:
                self.rejects.append(_reject(self.context, joined, Code.ROW_WITHDRAWN))
            elif reading.is_dnt:
                self.rejects.append(_reject(self.context, joined, Code.ROW_NO_PRICE))
            self.named = (reading, joined)
            return
        self.named = None
        self.setting = under(self.setting, joined.text)

    def _named_class(self, reading: Reading) -> tuple[str, str]:
        default = self.context.mail.dealer.asset_class if self.context.mail.dealer else None
        return class_of(self.setting, reading.name, [item.kind for item in reading.identifiers], default)

    def _is_run(self, reading: Reading, text: str, name: str) -> bool:
        """Whether a line with levels is about an instrument (spec 2.9)."""
        if (
            reading.identifiers
            or reading.has_instrument
            or (reading.coupon is not None and reading.maturity is not None)
        ):
            return True
        if not reading.name or skip.is_prose(text) or _NOT_NAMES.match(reading.name) or len(reading.name) > 70:
            return False
        if reading.maturity is not None and reading.name[:1].isupper() and reading.words <= 2 and name != "unknown":
            return True
        two_way = any(
            re.search(r"\S\s?(?:/|-|–|@)\s?\S", mark.token.text) or mark.kind or mark.side for mark in reading.marks
        )
        if reading.tenor is not None and name in _ON_THE_RUN and _BENCHMARK_TENOR.fullmatch(reading.name):
            return True
        known = is_of_class(reading.name, name) and any(mark.token.prefix != "" for mark in reading.marks)
        if name == "unknown" or not (two_way or known) or not reading.name[:1].isalnum():
            return False
        if reading.is_timed or len(_LOWER.findall(text)) > 5:
            return False
        if name in _BARE_NAMES:
            return reading.words <= 4
        if reading.words > 1:
            return False
        return (
            reading.coupon is not None
            or rules_of(name).instruments is None
            or known
            or _TICKER_YEAR.match(reading.name) is not None
        )

    def _ground(self, name: str, reading: Reading) -> Ground:
        kind = self.setting.kind
        return Ground(
            asset_class=name,
            locale=self.block.locale,
            ticks=self._ticks(name),
            currency=self._currency(reading, name)[0],
            side=self._side(),
            kind=kind,
            hints=self.setting.hints,
            measure=self.setting.measure if self.setting.measure in rules_of(name).types else None,
            struct=self.setting.struct if name == "swaption" else None,
            running=self.setting.running,
        )

    def _side(self) -> str | None:
        if self.setting.kind in (QuoteKind.bwic, QuoteKind.owic):
            return None
        side = self.setting.side
        axe = self.setting.axe
        return side or (axe if axe in ("bid", "ask") else None)

    def _currency(self, reading: Reading, name: str) -> tuple[str | None, bool]:
        """The currency of a line, and whether the line itself prints it."""
        own = _CURRENCY.search(reading.name)
        if own is not None:
            return own[1], True
        if name in ("fx_forward", "fx_option"):
            return None, False
        return self.setting.currency, False

    def _draft(self, reading: Reading, joined: _Joined, named: tuple[str, str], found: tuple[Level, ...]) -> Draft:
        name = named[0]
        currency, _ = self._currency(reading, name)
        kind = self.setting.kind
        placed = tuple(
            replace(
                self._kinded(level, reading, kind),
                char_start=joined.offset(level.char_start or 0),
                char_end=joined.offset(max(level.char_end or 1, 1) - 1) + 1,
            )
            for level in found
        )
        sizes, size_currency = self._sizes(reading, placed, name)
        axe = reading.axe
        flags = set(self.block.flags if self.block.flags else ())
        rules = rules_of(name)
        return Draft(
            instrument=self._instrument(reading, name, currency or size_currency),
            levels=placed,
            sizes=sizes,
            asset_class=name,
            class_source=named[1],
            firmness=reading.firmness or self.setting.firmness or Firmness.unknown,
            is_axe_bid=axe == "bid" or (axe == "any" and any(level.bid is not None for level in placed)),
            is_axe_ask=axe == "ask" or (axe == "any" and any(level.ask is not None for level in placed)),
            is_flat=reading.is_flat or rules.flat or self.setting.said.flat,
            unit_par=self._unit_par(name),
            headed=self.setting.is_headed,
            flags=frozenset(flags & {Flag.ambiguous_number, Flag.locale_assumed}),
            parser=PARSER,
            raw_text=joined.text,
            page=joined.line.page,
            line=joined.line.number,
        )

    def _kinded(self, level: Level, reading: Reading, kind: QuoteKind | None) -> Level:
        """The kind of a level: its own, else the heading's; one-sided interest on an axe list is an axe."""
        if level.quote_kind is not QuoteKind.market:
            return level
        if kind is QuoteKind.mark:
            return replace(level, quote_kind=QuoteKind.mark)
        if kind is QuoteKind.trade and level.mid is not None:
            return replace(level, quote_kind=QuoteKind.trade)
        if kind in (QuoteKind.bwic, QuoteKind.owic) and level.mid is not None:
            return replace(
                level, quote_kind=QuoteKind.talk, talk_low=level.mid, mid=None, flags=level.flags - {Flag.side_assumed}
            )
        is_one_sided = (level.bid is None) != (level.ask is None)
        if is_one_sided and (reading.axe is not None or self.setting.axe is not None):
            return replace(level, quote_kind=QuoteKind.axe)
        return level

    def _unit_par(self, name: str) -> Fraction | None:
        return (self.setting.said.unit_par or self.setting.of_subject.unit_par) if name == "preferred" else None

    def _instrument(self, reading: Reading, name: str, currency: str | None) -> Instrument:
        date_order = self._date_order(currency, name)
        due = maturity(reading.maturity, date_order) if reading.maturity else None
        coupon = number(reading.coupon, self.block.locale) if reading.coupon else None
        margin = number(reading.margin, self.block.locale) if reading.margin else None
        is_curve = name in _CURVES or (name in _ON_THE_RUN and reading.maturity is None)
        found_tenor = tenor(reading.tenor) if reading.tenor and is_curve else None
        if found_tenor is None and name in ("cds_single", "cds_index", "cds_tranche") and self.setting.tenor:
            found_tenor = self.setting.tenor
        if name in _CURVES and self.setting.issuer and _ONLY_TENOR.fullmatch(reading.name):
            reading.name = f"{self.setting.issuer} {reading.name}"
        ticker = re.match(r"[A-Z][A-Z0-9]{0,7}(?=\s)", reading.name) if reading.coupon is not None else None
        return Instrument(
            identifiers=tuple((item.kind, item.value) for item in reading.identifiers),
            description=reading.name or None,
            ticker=ticker[0] if ticker is not None else None,
            tranche=reading.tranche,
            coupon=coupon.value if coupon is not None and name != "leveraged_loan" else None,
            coupon_type=_coupon_type(reading, name),
            coupon_margin_bp=margin.value if margin is not None else None,
            maturity=due.date if due is not None else None,
            maturity_text=reading.maturity,
            tenor=found_tenor,
            currency=currency,
        )

    def _date_order(self, currency: str | None, name: str) -> DateOrder:
        """Month or day first (spec 4.10, ruling 9): language, evidence, currency, desk."""
        if self.block.language != "en":
            return DateOrder.dmy
        day_first, month_first = self.block.date_parts
        if day_first != month_first:
            return DateOrder.dmy if day_first else DateOrder.mdy
        known = currency or rules_of(name).currency
        region = self.context.mail.dealer.region if self.context.mail.dealer else None
        american = known in ("USD", "CAD") if known else region in ("north_america", "canada")
        return DateOrder.mdy if american else DateOrder.dmy

    def _sizes(self, reading: Reading, found: Sequence[Level], name: str) -> tuple[Sizes, str | None]:
        """The sizes of the line (ruling 2), and a currency that they print."""
        rules = self._size_rules(name)
        if reading.quantity is not None:
            counted = replace(rules, multiplier=1000 if rules.multiplier in (None, 1000) else rules.multiplier)
            one = size(reading.quantity, counted)
            return _one_size(one, found, reading.quantity, owic=False)
        pairs = [(text, size_pair(text, rules)) for text in reading.sizes]
        known = [(text, pair) for text, pair in pairs if pair is not None]
        if not known:
            return Sizes(), None
        text, first = known[0]
        owic = self.setting.kind is QuoteKind.owic
        if first.single is not None:
            if (
                len(known) > 1
                and known[1][1].single is not None
                and any(level.bid is not None and level.ask is not None for level in found)
            ):
                first = SizePair(bid=first.single, ask=known[1][1].single)
                text = f"{text} x {known[1][0]}"
            else:
                return _one_size(first.single, found, text, owic=owic)
        both = [side for side in (first.bid, first.ask) if side is not None]
        return (
            Sizes(
                bid=first.bid.value if first.bid else None,
                ask=first.ask.value if first.ask else None,
                unit=next((side.unit for side in both if side.unit != "face_ccy"), both[0].unit),
                text=text,
                flags=frozenset().union(*(side.flags for side in both)),
            ),
            next((side.currency for side in both if side.currency), None),
        )

    def _size_rules(self, name: str) -> SizeRules:
        unit = self.setting.said.size_unit
        if unit is not None and self.setting.is_in_m and name in ("us_muni", "cd"):
            unit = Fraction(1000)  # their M is a thousand (spec 4.8)
        return SizeRules(
            self.block.locale,
            name,
            multiplier=int(unit) if unit is not None else None,
            uses_mm=self.block.uses_mm,
            unit=rules_of(name).size_unit,
        )


def _block(lines: Sequence[Line]) -> _Block:
    """What the lines of a part have in common."""
    text = "\n".join(line.text for line in lines)
    priced = [
        line.text
        for line in lines
        if _CANDIDATE.search(line.text) and not skip.is_prose(line.text) and not skip.has_phone(line.text)
    ]
    spoken = language(text)
    locale, flags = block_locale(
        (token for line in priced for token in numerals(_without_dates(line))), prices=True, language=spoken
    )
    parts = [(int(match[1]), int(match[3])) for line in priced for match in _DATE_PARTS.finditer(line)]
    return _Block(
        locale,
        flags,
        spoken,
        uses_mm=_MM.search(text) is not None,
        plus_ticks=len(_TICK_PLUS.findall(text)) >= 3,
        date_parts=(any(first > 12 for first, _ in parts), any(second > 12 for _, second in parts)),
        columns=_cusip_columns(priced),
    )


def _without_dates(text: str) -> str:
    return _DATE_PARTS.sub(" ", text)


def _cusip_columns(lines: Sequence[str]) -> frozenset[int]:
    """Positions at which two lines and more hold a valid CUSIP."""
    seen: dict[int, int] = {}
    for text in lines:
        if len(text) > 400:
            continue
        for found in find(text, headed=frozenset({"cusip"})):
            if found.kind == "cusip" and found.valid:
                seen[found.start] = seen.get(found.start, 0) + 1
    return frozenset(start for start, count in seen.items() if count >= 2)


def _is_continuation(line: Line) -> bool:
    text = line.text
    return (
        (text.startswith(("    ", "\t")))
        and not line.quoted
        and bool(text.strip())
        and any(letter.isdigit() for letter in text)
    )


_NAMING = re.compile(
    r"[A-Z][\w&./]*\s+(?:\S+\s+){0,4}?\d{1,2}(?:[.,]\d+|\s\d/\d+|[½¼¾⅛⅜⅝⅞])?%?\s+(?:\d{1,2}/\d{2}|'?\d\d\b|PERP)|^\S*[A-Z0-9]{8,}\d\b|\bLX\d{6}\b|^[A-Za-z]{2,}"
)


def _names(text: str) -> bool:
    """Whether a line names an instrument of its own: an identifier, or a ticker with coupon and maturity."""
    stripped = text.strip()
    return (
        bool(find(stripped, priced=True))
        or _NAMING.match(stripped) is not None
        and not re.match(r"(?:T|MS|G|Z|I|B|CAN|UKT|DBR|J|N|DM)\s?[+\-]\s?\d", stripped)
    )


def _rough_name(text: str, found: Sequence[Found]) -> str:
    """The text without its identifiers, from the first letter on: enough to tell a class."""
    for item in reversed(found):
        text = f"{text[: item.start]} {text[item.end :]}"
    words = text.split()
    while words and not words[0][0].isalpha():
        if re.fullmatch(r"\d{1,2}[mMyY]\d{1,2}[yY]|\d{1,2}y(?:r)?", words[0]):
            break
        words.pop(0)
    loans = [item.value for item in found if item.kind == "loanx_id"]
    return " ".join([*loans, *words])


def _by_notation(reading: Reading, currency: str | None) -> tuple[str, str] | None:
    """A class by the way that a bond is quoted: over treasuries, high grade."""
    if any(mark.reference is not None and mark.delta is not None for mark in reading.marks):
        return "convertible", "notation"
    if reading.coupon is None:
        return None
    prefixes = {mark.token.prefix for mark in reading.marks}
    if prefixes & {"T", "B", "G", "I", "BMK"} or ("" in prefixes and currency == "USD"):
        return "corp_ig", "notation"
    return None


def _has_points(reading: Reading) -> bool:
    """Points up front, or a running coupon: what only credit protection is quoted in."""
    return any(mark.running is not None or (mark.token.unit or "").startswith("pts up") for mark in reading.marks)


def _with_instrument(reading: Reading, other: Reading) -> Reading:
    """Levels of one line, instrument of another."""
    reading.identifiers = other.identifiers
    reading.name = other.name
    reading.coupon, reading.maturity, reading.margin = other.coupon, other.maturity, other.margin
    reading.tenor, reading.tranche = reading.tenor or other.tenor, other.tranche
    return reading


def replace_marks(reading: Reading) -> Reading:
    """A quoted line keeps its instrument alone."""
    reading.marks, reading.sizes = [], []
    return reading


def _as_line(draft: Draft, lines: dict[int, Line]) -> Draft:
    """A draft of a typed table, placed by its line."""
    line = lines.get(draft.row or 0)
    if line is None:
        return draft
    placed = tuple(_spanned(replace(level, row=None, column=None), line) for level in draft.levels)
    return replace(draft, levels=placed, line=line.number, row=None, table_idx=None, parser=PARSER, raw_text=line.text)


def _spanned(level: Level, line: Line) -> Level:
    raws = [raw for raw in (level.bid_raw, level.ask_raw, level.mid_raw) if raw]
    starts = [line.text.find(raw) for raw in raws]
    known = [(start, raw) for start, raw in zip(starts, raws, strict=True) if start >= 0]
    if not known:
        return replace(level, char_start=line.char_start, char_end=line.char_start + len(line.text))
    return replace(
        level,
        char_start=line.char_start + min(start for start, _ in known),
        char_end=line.char_start + max(start + len(raw) for start, raw in known),
    )


def _one_size(one: Size | None, found: Sequence[Level], text: str, *, owic: bool) -> tuple[Sizes, str | None]:
    """One size: both sides of a market, the side of a one-sided line, the bid of a list (ruling 2)."""
    if one is None:
        return Sizes(), None
    kinds = {level.quote_kind for level in found}
    has_bid = any(level.bid is not None for level in found)
    has_ask = any(level.ask is not None for level in found)
    if owic:
        has_bid, has_ask = False, True
    elif kinds & {QuoteKind.talk, QuoteKind.cover}:
        has_bid, has_ask = True, False
    elif not has_bid and not has_ask:
        has_bid = has_ask = True
    return (
        Sizes(
            bid=one.value if has_bid else None,
            ask=one.value if has_ask else None,
            unit=one.unit,
            text=text,
            flags=one.flags,
        ),
        one.currency,
    )


def _coupon_type(reading: Reading, name: str) -> str:
    if reading.margin is not None or name == "frn":
        return "float"
    if name == "strips":
        return "zero"
    if reading.coupon is None:
        return "unknown"
    return "fixed"


def _ordered(drafts: list[Draft], setting: Setting) -> list[Draft]:
    """Blocks of spreads or yields that are written tight side first are turned round (spec 4.5)."""
    if setting.is_order_told:
        return drafts
    groups: dict[tuple[str, str], list[tuple[Fraction, Fraction]]] = {}
    for draft in drafts:
        for level in draft.levels:
            if level.bid is not None and level.ask is not None and order(level.quote_type, draft.asset_class) == "Y":
                groups.setdefault((draft.asset_class, level.quote_type), []).append((level.bid, level.ask))
    turned = {key for key, pairs in groups.items() if tight_wide(pairs)}
    if not turned:
        return drafts
    return [
        replace(
            draft,
            levels=tuple(
                _turned(level) if (draft.asset_class, level.quote_type) in turned else level for level in draft.levels
            ),
        )
        for draft in drafts
    ]


def _turned(level: Level) -> Level:
    return replace(
        level,
        bid=level.ask,
        ask=level.bid,
        bid_raw=level.ask_raw,
        ask_raw=level.bid_raw,
        flags=level.flags | {Flag.side_assumed},
    )


def _is_nonsense(level: Level, name: str) -> bool:
    """A crossed and wide market of a thing that nothing but its place calls an instrument."""
    if level.bid is None or level.ask is None:
        return False
    return {Flag.crossed, Flag.wide} <= market_flags(level.bid, level.ask, LevelRules(level.quote_type, name))


def _reject(context: PartContext, joined: _Joined, code: Code) -> Reject:
    return Reject(
        level="row",
        code=code,
        part_path=context.part_path,
        locator=f"line {joined.line.number}",
        raw_text=joined.text[:500],
        parser=PARSER,
    )
