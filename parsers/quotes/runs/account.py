"""What decided how a line of a run was read: its own words, its headings, its block, its dealer (for `explain`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parsers.document import Line
from parsers.quotes.context import PartContext
from parsers.quotes.draft import Level
from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.surroundings import STATED
from parsers.quotes.runs.leftover import leftover
from parsers.quotes.runs.lines.joined import Joined
from parsers.quotes.runs.marked.reading import Mark
from parsers.quotes.runs.quoted.understanding import Understood
from parsers.quotes.runs.reader import LineReader


def account(lines: Sequence[Line], context: PartContext, number: int) -> tuple[str, ...]:
    """The deciding words for the line of this number, a sentence each, as its lines are read again.

    Args:
        lines: of the part, in reading order.
        context: of the part.
        number: of the line.
    """
    reader = _Watched(lines, context, number)
    reader.run()
    return tuple(reader.decided)


class _Watched(LineReader):
    """The reader of lines, with an eye on one of them."""

    def __init__(self, lines: Sequence[Line], context: PartContext, number: int) -> None:
        super().__init__(lines, context)
        self._number = number
        self.decided: list[str] = []

    def _add(self, line: Understood, found: tuple[Level, ...], whole: Joined) -> None:
        if whole.line.number == self._number:
            self.decided += _of_class(line, self.state.setting, self.context)
            self.decided += _of_marks(line.reading.marks)
            self.decided += [f"`{text}` is printed, and was not read" for text in leftover(line.reading, found)]
            self.decided += _of_headings(self.state.setting)
            self.decided.append(f"the part's numbers have a decimal {self.block.locale}")
        super()._add(line, found, whole)


def _of_class(line: Understood, setting: Setting, context: PartContext) -> Iterator[str]:
    dealer = context.mail.dealer
    by = {
        "heading": f"a heading over the line names {setting.section or setting.remark}",
        "subject": "subject or file name",
        "sender": f"nothing in the mail; what {dealer.name if dealer else 'the sender'} mails by the dealer table",
        "instrument": f"the form of `{line.reading.named.name}`",
        "identifier": "the kind of identifier",
        "dictionary": "the dictionary of instruments, which knows it",
        "notation": "the way that it is quoted",
        "weighed": "what the rows under the same words show together",
    }
    yield f"class {line.asset_class} by {by.get(line.class_source, line.class_source)}"


def _of_marks(marks: Sequence[Mark]) -> Iterator[str]:
    for mark in marks:
        said = {
            "curve": mark.token.prefix,
            "unit": mark.token.unit,
            "measure": mark.label,
            "side": mark.side,
            "kind": mark.kind,
            "structure": mark.struct,
            "tenor": mark.tenor,
        }
        told = ", ".join(f"{name} {value}" for name, value in said.items() if value)
        yield f"`{mark.token.text}`: " + (f"beside it stand {told}" if told else "no word beside it says what it is")


def _of_headings(setting: Setting) -> Iterator[str]:
    for where, said in (("headings over the line say", setting.said), ("the subject says", setting.of_subject)):
        values = ((name, getattr(said, name)) for name in STATED)
        told = ", ".join(f"{name} {value}" for name, value in values if value is not None)
        if told:
            yield f"{where}: {told}"
    if setting.hints:
        yield f"a header line names its levels: {', '.join(setting.hints)}"
