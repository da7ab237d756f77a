"""The lines of a part, top to bottom: headings set the scene, lines of a run become drafts (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from parsers.codes import Code, Flag, QuoteKind
from parsers.document import Line
from parsers.outcome import Reject
from parsers.quotes.classes import is_of_class, rules_of
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.refusal import locator, refusal
from parsers.quotes.runs import skip, typed
from parsers.quotes.runs.aligned import HeaderLine, header_line
from parsers.quotes.runs.block import block_of, is_priced
from parsers.quotes.runs.drafting import PARSER, Scene, draft_of
from parsers.quotes.runs.ground import Ground
from parsers.quotes.runs.joined import Joined, joined
from parsers.quotes.runs.judging import CURVES, is_nonsense, is_run
from parsers.quotes.runs.levels import levels
from parsers.quotes.runs.line import read
from parsers.quotes.runs.reading import Habits, Named, Reading
from parsers.quotes.runs.second import second_instrument
from parsers.quotes.runs.setting import Setting, beginning, class_of, under
from parsers.quotes.runs.tokens import tokens
from parsers.values.finding import Found, find
from parsers.values.markets import order, tight_wide
from parsers.values.numbers import Ticks

MAX_TOKENS = 200
"""Tokens of a line that can be a run's."""

_COUPON_ALONE = frozenset({"preferred", "tba_mbs", "agency_mbs_cmo"})
_OWN_TICKS = frozenset({"unknown", "agency_ssa", "govt_intl"})
"""Classes in which the `+` of the block's tokens can turn 32nds on (spec 4.4)."""
_FORWARD = re.compile(r"\d{1,2}[mMyY]\d{1,2}[yY]|\d{1,2}y(?:r)?")


@dataclass(frozen=True, slots=True)
class RunResult:
    """What the lines of a part gave."""

    drafts: tuple[Draft, ...]
    rejects: tuple[Reject, ...] = ()


@dataclass(frozen=True, slots=True)
class _Understood:
    """A line as read, its class and what said so, and where a second instrument begins."""

    reading: Reading
    asset_class: str
    class_source: str
    second: int | None = None


@dataclass(slots=True)
class _State:
    """What changes from line to line."""

    setting: Setting
    drafts: list[Draft] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    pending: Named | None = None  # the instrument of the line before, which had no level


def read_lines(lines: Sequence[Line], context: PartContext, *, after_tables: bool = False) -> RunResult:
    """The drafts of a part's lines.

    Args:
        lines: in reading order; quoted ones give context only.
        context: of the part.
        after_tables: the part's tables held quotes, so a greeting ends it even before the first run.
    """
    return _Reader(lines, context, after_tables=after_tables).run()


class _Reader:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[Line], context: PartContext, *, after_tables: bool) -> None:
        self.context = context
        self.dealer = context.mail.dealer
        self.lines = [line for line in lines if len(line.text) <= skip.MAX_LINE]
        self.block = block_of([line for line in self.lines if not line.quoted])
        self.after_tables = after_tables
        self.state = _State(beginning(context))

    def run(self) -> RunResult:
        at = 0
        while at < len(self.lines) and not self._ends(self.lines[at].text):
            line = self.lines[at]
            header = None if line.quoted else header_line(line.text)
            if line.quoted:
                self._quoted(line)
            elif header is not None:
                at = self._table(header, at)
                continue
            elif not line.struck and not skip.is_art(line.text):
                whole, at = joined(self.lines, at)
                self._line(whole)
                continue
            at += 1
        drafts = _turned_round(self.state.drafts) if not self.state.setting.is_order_told else self.state.drafts
        return RunResult(tuple(drafts), tuple(self.state.rejects))

    def _ends(self, text: str) -> bool:
        """A disclaimer, or a signature or greeting behind the quotes."""
        if skip.is_disclaimer(text):
            return True
        has_quotes = bool(self.state.drafts) or self.after_tables
        return has_quotes and (skip.starts_signature(text) or skip.is_closing(text))

    def _quoted(self, line: Line) -> None:
        """A quoted line is context: it may name the instrument of the answer under it (spec 6.1)."""
        text = line.text.lstrip("> ").strip()
        if not text:
            return
        named = self._read(text).reading.named
        if named.identifiers or named.coupon:
            self.state.pending = named
        self.state.setting = under(self.state.setting, text)

    def _table(self, header: HeaderLine, at: int) -> int:
        """The rows under a header line: read as a table, or as lines whose levels the header explains."""
        state = self.state
        if header.is_primary:
            return typed.end_of_rows(self.lines, at)
        state.setting = replace(state.setting, hints=header.hints, is_headed=True, is_order_told=True)
        found = typed.read_table(header, self.lines, at, self.context)
        if found is None:
            return at + 1
        state.drafts += found.drafts
        state.rejects += found.rejects
        return found.end

    def _line(self, whole: Joined) -> None:
        understood = self._read(whole.text)
        if understood.second is not None:
            self._line(whole.before(understood.second))
            self._line(whole.behind(understood.second))
            return
        pending, self.state.pending = self.state.pending, None
        reading = understood.reading
        if not reading.marks:
            self._without_level(reading, whole)
            return
        if skip.has_phone(whole.text) and not reading.named.identifiers:
            return
        if not reading.named.name and not reading.named.identifiers and pending is not None:
            reading = reading.of(pending)
            asset_class, source = self._class(pending.name, pending.identifiers)
            understood = _Understood(reading, asset_class, source)
        found = self._levels(understood, whole.text)
        if found is None:
            self.state.setting = under(self.state.setting, whole.text)
        elif found:
            self._add(understood, found, whole)
        else:
            self.state.rejects.append(self._reject(whole, Code.ROW_AMBIGUOUS_NUMBER))

    def _levels(self, understood: _Understood, text: str) -> tuple[Level, ...] | None:
        """The levels of a run's line, none if it has no readable one; None if it is no run's."""
        reading, name = understood.reading, understood.asset_class
        if not (reading.named.name or reading.named.identifiers or self.state.setting.issuer):
            return None
        if not is_run(reading, text, name, understood.class_source):
            return None
        found = levels(reading, self._ground(name))
        if reading.named.is_certain:
            return found
        return found if found and not any(is_nonsense(level, name) for level in found) else None

    def _without_level(self, reading: Reading, whole: Joined) -> None:
        """A heading, a withdrawn line, or an instrument whose level follows."""
        if not (reading.named.identifiers or reading.named.is_bond):
            self.state.setting = under(self.state.setting, whole.text)
            return
        if reading.is_withdrawn:
            self.state.rejects.append(self._reject(whole, Code.ROW_WITHDRAWN))
        elif reading.is_untraded:
            self.state.rejects.append(self._reject(whole, Code.ROW_NO_PRICE))
        self.state.pending = reading.named

    def _read(self, text: str) -> _Understood:
        found = find(text, columns=self.block.columns, priced=is_priced(text))
        rough = _rough_name(text, found)
        name, source = self._class(rough, found)
        is_curve = name in CURVES
        cut = tokens(
            text,
            found,
            ticks=self._ticks(name) is not Ticks.off,
            curves=is_curve,
            german=self.block.language == "de",
        )
        if len(cut) > MAX_TOKENS:
            return _Understood(Reading(), name, source)
        habits = Habits(
            coupon_alone=name in _COUPON_ALONE,
            counted=rules_of(name).thousands,
            known=is_of_class(rough, name),
            curves=is_curve,
            under_issuer=self.state.setting.issuer is not None,
        )
        reading = read(text, cut, self.block.locale, habits)
        named = reading.named
        if named.is_bond and named.name[:1].isdigit() and not named.identifiers and self.state.setting.issuer:
            reading.named = replace(named, name=f"{self.state.setting.issuer} {named.name}")
        name, source = _by_notation(reading, self.state.setting.currency, name) or (name, source)
        return _Understood(reading, name, source, second_instrument(cut, curves=is_curve))

    def _class(self, name: str, identifiers: Sequence[Found]) -> tuple[str, str]:
        default = self.dealer.asset_class if self.dealer else None
        return class_of(self.state.setting, name, [item.kind for item in identifiers], default)

    def _ticks(self, name: str) -> Ticks:
        """Whether 32nds are read: the class's way, else a header's word or the block's plusses (spec 4.4)."""
        setting = self.state.setting
        ticks = rules_of(name).level_ticks(setting.currency or rules_of(name).currency)
        is_told = setting.said.thirty_seconds or (self.block.plus_ticks and name in _OWN_TICKS)
        if ticks is not Ticks.off or not is_told:
            return ticks
        return Ticks.unsure if name == "unknown" else Ticks.cash

    def _ground(self, name: str) -> Ground:
        setting = self.state.setting
        is_list = setting.kind in (QuoteKind.bwic, QuoteKind.owic)
        axe = setting.axe if setting.axe in ("bid", "ask") else None
        return Ground(
            asset_class=name,
            locale=self.block.locale,
            ticks=self._ticks(name),
            side=None if is_list else setting.side or axe,
            kind=setting.kind,
            hints=setting.hints,
            measure=setting.measure if setting.measure in rules_of(name).types else None,
            struct=setting.struct if name == "swaption" else None,
            running=setting.running,
        )

    def _add(self, understood: _Understood, found: tuple[Level, ...], whole: Joined) -> None:
        region = self.dealer.region if self.dealer else None
        scene = Scene(understood.asset_class, understood.class_source, self.state.setting, self.block, region)
        draft = draft_of(understood.reading, [_located(level, whole) for level in found], scene)
        self.state.drafts.append(replace(draft, raw_text=whole.text, page=whole.line.page, line=whole.line.number))

    def _reject(self, whole: Joined, code: Code) -> Reject:
        where = locator(page=whole.line.page, line=whole.line.number)
        return refusal(self.context, code, where=where, text=whole.text, parser=PARSER)


def _located(level: Level, whole: Joined) -> Level:
    """The level with its span in the part instead of the line."""
    start, end = level.char_start or 0, max(level.char_end or 1, 1)
    return replace(level, char_start=whole.offset(start), char_end=whole.offset(end - 1) + 1)


def _rough_name(text: str, found: Sequence[Found]) -> str:
    """The text without its identifiers, from the first letter or tenor on: enough to tell a class."""
    for item in reversed(found):
        text = f"{text[: item.start]} {text[item.end :]}"
    words = text.split()
    while words and not words[0][0].isalpha() and not _FORWARD.fullmatch(words[0]):
        words.pop(0)
    return " ".join([*(item.value for item in found if item.kind == "loanx_id"), *words])


def _by_notation(reading: Reading, currency: str | None, name: str) -> tuple[str, str] | None:
    """A class by the way that it is quoted: points up front, against a stock, over treasuries."""
    marks = reading.marks
    has_points = any(mark.running is not None or (mark.token.unit or "").startswith("pts up") for mark in marks)
    if reading.named.tenor is not None and has_points and name not in CURVES:
        return "cds_single", "notation"
    if name != "unknown":
        return None
    if any(mark.reference is not None and mark.delta is not None for mark in marks):
        return "convertible", "notation"
    prefixes = {mark.token.prefix for mark in marks}
    is_over_bond = bool(prefixes & {"T", "B", "G", "I", "BMK"}) or ("" in prefixes and currency == "USD")
    return ("corp_ig", "notation") if is_over_bond and reading.named.coupon is not None else None


def _turned_round(drafts: list[Draft]) -> list[Draft]:
    """Blocks of spreads or yields that are written tight side first are turned round (spec 4.5)."""
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
