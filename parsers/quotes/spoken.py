"""A dealer's own words: put into the lexicon's where a part's text enters, and printed again where quotes leave.

What is read between knows nothing of it. A word holds anywhere in a text; a column's heading is a whole cell, of a
grid or of a line whose cells stand apart.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from parsers.document import Document, Grid, Line, Row
from parsers.lexicon.patterns import alternation
from parsers.outcome import Reject
from parsers.quotes.context import Dealer, PartContext
from parsers.quotes.draft import Draft, Level
from parsers.quotes.refusal import MAX_RAW, line_places, locator
from parsers.quotes.runs.lines.joined import joined, readable, with_plain_signs

_BEFORE_CELL = re.compile(r"(?:^|[|;\t]|[ ]{2})[ ]*$")
_BEHIND_CELL = re.compile(r"[ ]*(?:$|[|;\t]|[ ]{2})")
_GAP = re.compile(r"[ ]{2,}")
_WORD = re.compile(r"\S+")
_CELL = re.compile(r"![A-Z]+(?=\d+$)")
_BETWEEN = ("  ", " | ")
"""What stands between the cells of a row that is read as a line, or refused as such."""


class _Piece(Struct, frozen=True):
    """A word that was put in another's place."""

    start: int  # in the text that is read
    end: int
    own_start: int  # in the text as printed
    own_end: int
    meant: str
    own: str

    def moved(self, by: int, own_by: int) -> _Piece:
        """The same further on."""
        places = self.start + by, self.end + by, self.own_start + own_by, self.own_end + own_by
        return _Piece(*places, self.meant, self.own)


class Heard(Struct, frozen=True):
    """A text as it is read, and as it is printed."""

    text: str
    own: str
    pieces: tuple[_Piece, ...]

    def at(self, position: int) -> int:
        """Where a position of the text stands in what is printed."""
        moved = 0
        for piece in self.pieces:
            if position < piece.end:
                return min(position + moved, piece.own_end) if position > piece.start else position + moved
            moved = piece.own_end - piece.end
        return position + moved

    def printed(self, text: str) -> str:
        """What was read of it, as printed: stretch for stretch of whole words, each where it stands."""
        if not any(piece.meant in text for piece in self.pieces):
            return text
        put: list[str] = []
        words = list(_WORD.finditer(text))
        at = end = reached = behind = 0
        while at < len(words):
            start, until, own = words[at].start(), at + 1, None
            for more in range(at, len(words)):
                place = self._place(text[start : words[more].end()], reached)
                if place is None:
                    break
                span = self._own_span(*place)
                if span is not None:
                    until, own, behind = more + 1, self.own[span[0] : span[1]], place[1]
            if own is not None:
                reached = behind
            stop = words[until - 1].end()
            put += [text[end:start], text[start:stop] if own is None else own]
            at, end = until, stop
        return "".join((*put, text[end:]))

    def _place(self, text: str, reached: int) -> tuple[int, int] | None:
        """Where it stands, as whole words: behind what was reached, if it does."""
        for first in (reached, 0):
            at = self.text.find(text, first)
            while at >= 0 and not self._is_whole(at, at + len(text)):
                at = self.text.find(text, at + 1)
            if at >= 0:
                return at, at + len(text)
        return None

    def _is_whole(self, start: int, end: int) -> bool:
        return not any(
            _is_of_word(self.text[at - 1 : at]) and _is_of_word(self.text[at : at + 1]) for at in (start, end)
        )

    def _own_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a stretch is printed; None if it begins or ends within a word that was put in another's place."""
        for piece in self.pieces:
            if piece.start < start < piece.end or piece.start < end < piece.start + len(piece.meant):
                return None
            if piece.start < end <= piece.end:  # blanks behind it keep columns
                return self.at(start), piece.own_start + len(piece.own)
        return self.at(start), self.at(end)

    def stripped(self) -> Heard:
        """Without the blanks around it."""
        cut, own_cut = (len(text) - len(text.lstrip()) for text in (self.text, self.own))
        pieces = tuple(piece.moved(-cut, -own_cut) for piece in self.pieces)
        return Heard(self.text.strip(), self.own.strip(), pieces)


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _together(texts: Iterable[Heard], between: str) -> Heard:
    """Several texts as one."""
    text = own = ""
    pieces: list[_Piece] = []
    for at, one in enumerate(texts):
        if at:
            text, own = text + between, own + between
        pieces += (piece.moved(len(text), len(own)) for piece in one.pieces)
        text, own = text + one.text, own + one.own
    return Heard(text, own, tuple(pieces))


_Cells = tuple[Heard, ...]


class Words:
    """The words of one dealer."""

    def __init__(self, words: Mapping[str, str], columns: Mapping[str, str]) -> None:
        self._words, self._columns = ({_folded(own): meant for own, meant in said.items()} for said in (words, columns))
        longest_first = sorted({*words, *columns}, key=lambda own: (-len(own), own))
        self._found = re.compile("|".join(map(_pattern, longest_first)), re.IGNORECASE)

    def heard(self, text: str, *, is_cell: bool = False) -> Heard | None:
        """The text in the lexicon's words; None where none of the dealer's is in it."""
        pieces: list[_Piece] = []
        put, length, end = [], 0, 0
        for match in self._found.finditer(text):
            meant = self._meant(match, is_cell=is_cell)
            if meant is None:
                continue
            before, stop = text[end : match.start()], match.end()
            gap = None if is_cell else _GAP.match(text, stop)
            if gap is not None:  # what stands in columns keeps its place, as far as there is room
                stop = gap.end()
                meant = meant.ljust(max(stop - match.start(), len(meant) + 2))
            start = length + len(before)
            length = start + len(meant)
            put += [before, meant]
            pieces.append(_Piece(start, length, match.start(), stop, meant.rstrip(), match[0]))
            end = stop
        return Heard("".join((*put, text[end:])), text, tuple(pieces)) if pieces else None

    def _meant(self, match: re.Match[str], *, is_cell: bool) -> str | None:
        own, text = _folded(match[0]), match.string
        if own in self._columns and (
            _folded(text) == own
            if is_cell
            else _BEFORE_CELL.search(text, 0, match.start()) and _BEHIND_CELL.match(text, match.end())
        ):
            return self._columns[own]
        return self._words.get(own)


def _folded(own: str) -> str:
    """The same of all texts in which a dealer's word is found."""
    flat = unicodedata.normalize("NFD", own.casefold().replace("’", "'"))
    return " ".join("".join(letter for letter in flat if not unicodedata.combining(letter)).split())


def _pattern(own: str) -> str:
    first, last = (r"(?<!\w)" if own[0].isalnum() else ""), (r"(?!\w)" if own[-1].isalnum() else "")
    return first + alternation([own]) + last


def words_of(dealer: Dealer | None) -> Words | None:
    """The words of a dealer; None of most, who have none of their own."""
    return _words(dealer.words, dealer.columns) if dealer is not None and (dealer.words or dealer.columns) else None


@lru_cache(maxsize=64)
def _words(words: Sequence[tuple[str, str]], columns: Sequence[tuple[str, str]]) -> Words:
    return Words(dict(words), dict(columns))


class Spoken:
    """A part in the lexicon's words, and the way back."""

    def __init__(self, words: Words, document: Document, context: PartContext) -> None:
        self._lines: dict[int, Heard] = {}  # by number; those alone in which the dealer's words are
        self._rows: dict[str, list[tuple[_Cells, _Cells]]] = {}  # by place: the cells of rows, and of the rows below
        self._starts: list[int] = []  # of all lines, in the text that is read
        self._own: list[Line] = []
        blocks = [
            self._line(words, block) if isinstance(block, Line) else self._grid(words, block)
            for block in document.blocks
        ]
        self.document = replace(document, blocks=tuple(blocks))
        self._read = readable([block for block in blocks if isinstance(block, Line)])
        self._at = {place: at for at, line in enumerate(self._read) for place in line_places(line.page, line.number)}
        mail = context.mail
        subject, note = mail.subject and _said(words, mail.subject), tuple(_said(words, text) for text in mail.note)
        self.context = replace(context, mail=replace(mail, subject=subject, note=note))

    @property
    def heard(self) -> list[tuple[str, str]]:
        """The dealer's words in lines and cells, each once, with what they mean."""
        cells = (cell for rows in self._rows.values() for row, _ in rows for cell in row)
        pieces = (piece for one in (*self._lines.values(), *cells) for piece in one.pieces)
        return list(dict.fromkeys((piece.own, piece.meant) for piece in pieces))

    def _line(self, words: Words, line: Line) -> Line:
        moved = self._starts[-1] - self._own[-1].char_start if self._own else 0
        if self._own and (last := self._lines.get(self._own[-1].number)) is not None:
            moved += len(last.text) - len(last.own)
        self._starts.append(line.char_start + moved)
        self._own.append(line)
        heard = words.heard(line.text)
        if heard is None:
            return replace(line, char_start=line.char_start + moved) if moved else line
        self._lines[line.number] = heard
        return replace(line, text=heard.text, char_start=line.char_start + moved)

    def _grid(self, words: Words, grid: Grid) -> Grid:
        cells = [tuple(_heard(words, cell.text) for cell in row.cells) for row in grid.rows]
        for row, own, below in zip(grid.rows, cells, (*cells[1:], ()), strict=True):
            place = locator(sheet=grid.sheet, page=row.page, table_idx=grid.table_idx, row=row.number)
            self._rows.setdefault(_CELL.sub("!", place), []).append((own, below))
        return replace(grid, rows=tuple(map(_row, grid.rows, cells)))

    def draft(self, draft: Draft) -> Draft:
        """A draft with what is printed, and where that stands."""
        place = locator(page=draft.page, table_idx=draft.table_idx, sheet=draft.sheet, row=draft.row, line=draft.line)
        heard = self._heard(place, draft.raw_text)
        if heard is None:
            return draft
        begins = max(heard.text.find(draft.raw_text), 0)

        def inside(position: int) -> int:
            """In a row, whose text spans are counted in."""
            return heard.at(begins + position) - heard.at(begins)

        levels = tuple(_placed(level, inside if draft.line is None else self._offset) for level in draft.levels)
        named = draft.instrument

        def own(text: str | None) -> str | None:
            return text and heard.printed(text)

        return replace(
            draft,
            raw_text=heard.printed(draft.raw_text),
            settle_text=own(draft.settle_text),
            instrument=replace(
                named,
                description=own(named.description),
                issuer=own(named.issuer),
                maturity_text=own(named.maturity_text),
            ),
            sizes=replace(draft.sizes, text=own(draft.sizes.text)),
            levels=tuple(
                replace(each, bid_raw=own(each.bid_raw), ask_raw=own(each.ask_raw), mid_raw=own(each.mid_raw))
                for each in levels
            ),
        )

    def reject(self, reject: Reject) -> Reject:
        """A refusal with what is printed."""
        text = reject.raw_text or ""
        heard = self._heard(reject.locator or "", text)
        if heard is None:
            return reject
        is_cut = len(text) == MAX_RAW and heard.text.startswith(text)
        return replace(reject, raw_text=(heard.own if is_cut else heard.printed(text))[:MAX_RAW])

    def _heard(self, place: str, text: str) -> Heard | None:
        """What stands at a place where a text was read: a line with those wrapped under it, or a row."""
        place = _CELL.sub("!", place)
        found = [*self._lines_at(place), *self._rows_at(place)]
        return next((one for one in found if text in one.text), found[-1] if found else None)

    def _lines_at(self, place: str) -> Iterator[Heard]:
        at = self._at.get(place)
        if at is not None:
            _, end = joined(self._read, at)
            first, *others = map(self._of_line, self._read[at:end])
            yield _together((first, *(one.stripped() for one in others)), " ")

    def _rows_at(self, place: str) -> Iterator[Heard]:
        for cells, below in self._rows.get(place, ()):
            yield _together(cells, "\t")
            yield from (_together((cell for cell in cells if cell.text), between) for between in _BETWEEN)
            yield _together((*cells, *below), "\t")

    def _of_line(self, line: Line) -> Heard:
        heard = self._lines.get(line.number)
        if heard is None:
            return _unchanged(line.text)
        return replace(heard, text=line.text, own=with_plain_signs(replace(line, text=heard.own)).text)

    def _offset(self, position: int) -> int:
        """Where a position of the part's text that is read stands in the text as printed."""
        at = max(bisect(self._starts, position) - 1, 0)
        line, inside = self._own[at], position - self._starts[at]
        heard = self._lines.get(line.number)
        return line.char_start + (heard.at(inside) if heard is not None else inside)


def _said(words: Words, text: str) -> str:
    heard = words.heard(text)
    return text if heard is None else heard.text


def _placed(level: Level, place: Callable[[int], int]) -> Level:
    if level.char_start is None or level.char_end is None:
        return level
    return replace(level, char_start=place(level.char_start), char_end=place(level.char_end - 1) + 1)


def _heard(words: Words, cell: str) -> Heard:
    return (words.heard(cell, is_cell=True) if cell else None) or _unchanged(cell)


def _row(row: Row, heard: _Cells) -> Row:
    if not any(one.pieces for one in heard):
        return row
    pairs = zip(row.cells, heard, strict=True)
    return replace(row, cells=tuple(replace(cell, text=one.text) if one.pieces else cell for cell, one in pairs))


def _unchanged(text: str) -> Heard:
    return Heard(text, text, ())
