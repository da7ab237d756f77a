"""The lines of a part, top to bottom: headings set the scene, lines of a run become drafts (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import LISTS, Code
from parsers.document import Line
from parsers.outcome import Reject
from parsers.quotes.answers.classing import class_of
from parsers.quotes.answers.named import Named
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.headings.heeding import under, under_header
from parsers.quotes.headings.setting import Setting, beginning
from parsers.quotes.headings.told import over_bond
from parsers.quotes.notices import is_confirmation, is_outlook
from parsers.quotes.refusal import locator, refusal
from parsers.quotes.regions import desk_of
from parsers.quotes.runs.cutting.classed import money_said, told_by
from parsers.quotes.runs.drafting import PARSER, draft_of
from parsers.quotes.runs.leads import lead_of
from parsers.quotes.runs.leftover import (
    ends_in_figure,
    is_any_figure,
    is_either,
    is_market_alone,
    is_offer_alone,
    leftover,
)
from parsers.quotes.runs.levels.overhead import Overhead
from parsers.quotes.runs.lines import skip
from parsers.quotes.runs.lines.aligned import HeaderLine, header_line
from parsers.quotes.runs.lines.block import block_of, of_section
from parsers.quotes.runs.lines.chats import said_until
from parsers.quotes.runs.lines.joined import Joined, joined, readable
from parsers.quotes.runs.lines.repeats import Repeats
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.quoted.judging import has_unread, is_alone
from parsers.quotes.runs.quoted.parting import parts_of
from parsers.quotes.runs.quoted.quoting import quoted
from parsers.quotes.runs.quoted.stories import is_in_paragraph, is_of_market, is_of_the_day, is_sentence
from parsers.quotes.runs.quoted.understanding import Understood, understood
from parsers.quotes.runs.scene import Scene
from parsers.quotes.runs.smiles import with_atm
from parsers.quotes.runs.turning import in_order, turned_round
from parsers.quotes.runs.typed import TypedTable, TypedTables
from parsers.quotes.tables.around.records import is_record
from parsers.quotes.work import Work

_LEVELLED = re.compile(r"[\d½¼¾⅛⅜⅝⅞]|[Pp](?:ar|AR)")


class RunResult(Struct, frozen=True):
    """What the lines of a part gave."""

    drafts: tuple[Draft, ...]
    rejects: tuple[Reject, ...] = ()


class _State(Struct):
    """What changes from line to line."""

    setting: Setting
    drafts: list[Draft] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    pending: Named | None = None  # the instrument of the line before, which had no level
    unread: Joined | None = None  # that line, if it had figures which nobody could read


def read_lines(
    lines: Sequence[Line],
    context: PartContext,
    *,
    below_tables: AbstractSet[int] = frozenset(),
    work: Work | None = None,
) -> RunResult:
    """The drafts of a part's lines.

    Args:
        lines: in reading order; quoted ones give context only.
        context: of the part.
        below_tables: the numbers of lines right below tables that hold quotes: their headings are not bare, and a
            greeting ends the part even before the first run.
        work: what is left of that of the part; by default as much as a whole part may be.
    """
    return LineReader(lines, context, below_tables=below_tables, work=work).run()


class LineReader:
    """One pass over the lines."""

    def __init__(
        self,
        lines: Sequence[Line],
        context: PartContext,
        *,
        below_tables: AbstractSet[int] = frozenset(),
        work: Work | None = None,
    ) -> None:
        self.context = context
        self._default_class = context.mail.dealer.asset_class if context.mail.dealer else None
        self.lines = readable(lines)
        self.block = self.whole = block_of([line for line in self.lines if not line.quoted], context.mail.subject or "")
        levelled = (line.number for line in reversed(self.lines) if _LEVELLED.search(line.text))
        self._last_levelled = next(levelled, -1)
        self.below_tables = below_tables
        self.work = work or Work()
        self.tables = TypedTables(self.lines, context, self.work)
        self.repeats = Repeats(self.block.columns)
        self.overhead = Overhead()
        self.state = _State(beginning(context))

    def run(self) -> RunResult:
        """Read all lines; under a subject that makes no prices they are no quotes, and each market is refused."""
        subject = self.context.mail.subject or ""
        at = len(self.lines) if skip.withdraws_below(subject) else 0
        while at < len(self.lines) and not self._ends(at):
            line = self.lines[at]
            if self.work.is_done:
                self._end_at(line)
                break
            self.work.passed(line.text)
            if line.number in self.below_tables:
                self._fill()
            if line.quoted:
                self._quoted(line)
            elif self.repeats.is_silent(line.text, self.state.setting):
                self.state.pending = None
                self._give_up()
            elif (table := self.tables.parted(at, self.state.setting)) is not None:
                at = self._taken(table)
                continue
            elif (header := header_line(line.text)) is not None:
                at = self._table(header, at)
                continue
            elif not (line.struck or skip.is_passed_over(line.text) or is_in_paragraph(self.lines, at)):
                at = self._read_on(at)
                continue
            at += 1
        self._give_up()
        if is_confirmation(subject) or is_outlook(subject):
            return RunResult((), tuple(self._unmade()))
        return RunResult(tuple(with_atm(self._in_order())), tuple(self.state.rejects))

    def _in_order(self) -> list[Draft]:
        """The drafts with the side first that a heading, the dealer's entry or the rows together say."""
        sides = self.context.mail.dealer.sides if self.context.mail.dealer else None
        if self.state.setting.is_order_told:
            return self.state.drafts
        return in_order(self.state.drafts, sides) if sides else turned_round(self.state.drafts)

    def _unmade(self) -> Iterator[Reject]:
        """The refusals of markets that the subject says nobody makes, and of what the work ended at.

        A list of fixings or results has one value a line; where a line has both sides, the subject may be wrong.
        """
        for draft in self.state.drafts:
            if any(level.bid is not None and level.ask is not None for level in draft.levels):
                where = locator(page=draft.page, line=draft.line)
                told = refusal(self.context, Code.ROW_AMBIGUOUS_NUMBER, where=where, text=draft.raw_text, parser=PARSER)
                yield replace(told, detail="a market below a subject of prices that nobody makes")
        yield from (reject for reject in self.state.rejects if reject.code is Code.PART_TOO_LARGE)

    def _read_on(self, at: int) -> int:
        """Read a line with its continuations; returns the index behind them."""
        whole, at = joined(self.lines, at)
        self.work.line(whole.text)
        self.overhead.passes(whole.text)
        said, above, rows = said_until(whole.text), self.state.setting, self._rows()
        self._line(whole.behind(said) if said else whole)
        if self.state.setting.section != above.section:
            self.block = of_section(self.whole, self.lines, at, self.state.setting.section)
        if above.is_bare and self.state.setting is above:
            self.state.setting = replace(above, is_bare=False)
        if self._rows() > rows:
            self.repeats.spoke(whole.text, above)
        elif self.state.pending is None and self.state.unread is None:
            self.repeats.said_nothing(whole.text, above, self.state.setting)
        return at

    def _rows(self) -> int:
        return len(self.state.drafts) + len(self.state.rejects)

    def _ends(self, at: int) -> bool:
        """A disclaimer, what is taken back, or a signature or greeting behind the quotes."""
        text = self.lines[at].text
        if skip.ends(text):
            return True
        has_quotes = bool(self.state.drafts) or bool(self.below_tables)
        is_signed = skip.starts_signature(text) and not (at and skip.is_underlined(self.lines[at - 1].text, text))
        return has_quotes and (is_signed or skip.is_closing(text))

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
        """The rows under a header line: read as a table, or as lines whose levels it explains; a record is none."""
        if header.is_primary or is_record(header.columns):
            return self.tables.end_of_rows(at)
        self.state.setting = under_header(self.state.setting, header.hints, self.lines[at].text)
        table = self.tables.headed(header, at, self.state.setting)
        return at + 1 if table is None else self._taken(table)

    def _fill(self) -> None:
        """Below the title of the section something of its own stands."""
        if self.state.setting.is_bare:
            self.state.setting = replace(self.state.setting, is_bare=False)

    def _taken(self, table: TypedTable) -> int:
        self._fill()
        self.repeats.ask_anew()
        self.state.drafts += table.drafts
        self.state.rejects += table.rejects
        return table.end

    def _line(self, whole: Joined) -> None:
        is_plain = not _LEVELLED.search(whole.text)  # most lines of a mail: nothing there can be a level or a bond
        section = self.state.setting.section or self.state.setting.subject
        is_told = is_sentence(whole.text) or is_of_the_day(whole.text, section)
        if is_plain or is_told or skip.is_of_issues(whole.text):
            self.state.pending = None
            self._give_up()
            self._hear(whole)
            return
        whole = self._led(whole)
        line = self._read(whole.text)
        if parts := parts_of(whole, line):
            for part in parts:
                self._line(part)
            return
        pending, self.state.pending = self.state.pending, None
        reading = line.reading
        if not reading.marks:
            self._give_up()
            self._without_level(line, whole)
            return
        if skip.has_phone(whole.text):
            line = self._read(skip.without_phone(whole.text))
            reading = line.reading
            if not (reading.marks and reading.named.is_certain):
                return
        if not reading.named.name and not reading.named.identifiers and pending is not None:
            reading = reading.of(pending)
            told = told_by(self.state.setting, self._default_class, self.context.mail.securities)
            money = money_said(f"{pending.name} {whole.text}", self.state.setting, told)
            asset_class, source = class_of(pending.name, pending.numbers, told, money)
            line = Understood(reading, asset_class, source, told)
            self.state.unread = None
        self._give_up()
        self._levelled(line, whole)

    def _levelled(self, line: Understood, whole: Joined) -> None:
        """A line with figures like levels: quotes, a heading that speaks of a market, or nothing to believe."""
        reading = line.reading
        found = quoted(line, whole.text, self.state.setting, self.block)
        if found is None and (is_market_alone(reading) or is_offer_alone(reading)):
            self.state.rejects.append(self._reject(whole, Code.ROW_NO_INSTRUMENT))
        elif found is None:
            self.state.setting = self.state.setting if is_of_market(reading) else under(self.state.setting, whole.text)
        elif found and not self._is_ambiguous(reading, found, whole):
            self._add(line, found, whole)
        else:
            self.state.rejects.append(self._reject(whole, Code.ROW_AMBIGUOUS_NUMBER))

    def _is_ambiguous(self, reading: Reading, found: Sequence[Level], whole: Joined) -> bool:
        """Whether nothing says that these are levels, or that two cells are the sides of one."""
        is_other = is_either(reading, found) or is_any_figure(found, self.state.setting.kind)
        return is_other or any(self.overhead.parts(whole.text, mark.token) for mark in reading.marks)

    def _hear(self, whole: Joined) -> None:
        """A heading or a sentence; below the last figure it matters only to the order of sides of rows above."""
        if self.state.drafts or whole.line.number <= self._last_levelled:
            self.state.setting = under(self.state.setting, whole.text)

    def _led(self, whole: Joined) -> Joined:
        """The line behind the heading in front of it, which holds for the lines below."""
        lead = lead_of(whole.text, self.state.setting.section or self.state.setting.subject)
        if lead is None:
            return whole
        self.state.setting = replace(under(self.state.setting, lead.words), is_bare=False)
        return whole.behind(lead.end)

    def _without_level(self, line: Understood, whole: Joined) -> None:
        """A heading, a withdrawn line, or an instrument whose level follows."""
        reading = line.reading
        is_list = self.state.setting.kind in LISTS
        is_unread = not is_list and has_unread(whole.text)
        is_listed = is_alone(reading, line.asset_class)  # a deal's tranche
        if not (reading.named.identifiers or reading.named.is_bond or is_listed) or over_bond(whole.text):
            if is_unread:
                self.state.rejects.append(self._reject(whole, Code.ROW_NO_PRICE))
            else:
                self.state.setting = under(self.state.setting, whole.text)
            return
        if reading.is_withdrawn:
            self.state.rejects.append(self._reject(whole, Code.ROW_WITHDRAWN))
        elif reading.is_untraded:
            self.state.rejects.append(self._reject(whole, Code.ROW_NO_PRICE))
        elif is_unread or reading.is_dated or (not is_list and ends_in_figure(reading, whole.text)):
            self.state.unread = whole
        self.state.pending = reading.named

    def _give_up(self) -> None:
        """No level came for the instrument of the line before: what stood on that line is refused."""
        unread, self.state.unread = self.state.unread, None
        if unread is not None:
            self.state.rejects.append(self._reject(unread, Code.ROW_NO_PRICE))

    def _read(self, text: str) -> Understood:
        is_below = self.state.pending is not None
        known = self.context.mail.securities
        return understood(text, self.state.setting, self.block, self._default_class, below=is_below, securities=known)

    def _add(self, line: Understood, found: tuple[Level, ...], whole: Joined) -> None:
        mail = self.context.mail
        usual = mail.dealer.currency if mail.dealer else None
        scene = Scene(
            line.asset_class, line.class_source, line.told, self.state.setting, self.block, desk_of(mail), usual
        )
        draft = draft_of(line.reading, [whole.located(level) for level in found], scene, whole.text)
        self.state.drafts.append(replace(draft, raw_text=whole.text, page=whole.line.page, line=whole.line.number))
        self.state.rejects += [
            replace(self._reject(whole, Code.ROW_AMBIGUOUS_NUMBER), detail=f"`{text}` was not read")
            for text in leftover(line.reading, found)
        ]

    def _end_at(self, line: Line) -> None:
        where = locator(page=line.page, line=line.number)
        self.state.rejects.append(
            refusal(self.context, Code.PART_TOO_LARGE, where=where, text=line.text, parser=PARSER)
        )

    def _reject(self, whole: Joined, code: Code) -> Reject:
        where = locator(page=whole.line.page, line=whole.line.number)
        return refusal(self.context, code, where=where, text=whole.text, parser=PARSER)
