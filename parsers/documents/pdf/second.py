"""PDF pages by pdfminer.six: the second opinion, slower by two orders, for files that pdfium cannot open."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from parsers.codes import Code
from parsers.documents.pdf.page import SMALL, Page, Ruling, Word, unless_most_hidden
from parsers.documents.pdf.text import INVISIBLE
from parsers.documents.unreadable import Unreadable

_THIN = 2.5  # points, as for pdfium
_WHITE = 0.97  # of a colour's parts: a fill as bright as this is none
_WHOLE = 0.7  # of the page's area: a fill larger than this is the paper


def pdfminer_pages(data: bytes, max_pages: int, why: str = "") -> Iterator[Page]:
    """The pages, one at a time. `why` is what the first engine said.

    Raises:
        Unreadable: PASSWORD_PROTECTED, or CORRUPT_PART when this engine gives up too.
    """
    from pdfminer.pdfdocument import PDFEncryptionError

    try:
        for number, layout in enumerate(_layouts(data, max_pages), 1):
            across, down = _rulings(layout)
            shades = [item for item in layout if _is_shade(item, layout)]
            words = (_shaded(word, shades, layout.height) for word in _words(layout, layout.height))
            yield Page(number, unless_most_hidden(words), tuple(across), tuple(down))
    except PDFEncryptionError as error:
        raise Unreadable(Code.PASSWORD_PROTECTED, "the file asks for a password") from error
    except MemoryError:
        raise
    except Exception as error:  # the engine raises whatever its code trips over in a damaged file
        raise Unreadable(Code.CORRUPT_PART, f"{why}; {type(error).__name__}: {error}"[:200]) from error


def _layouts(data: bytes, max_pages: int) -> Iterator[Any]:
    """As the library's `extract_pages`, but text that is not drawn has the colour of the paper."""
    from pdfminer.converter import PDFPageAggregator
    from pdfminer.layout import LAParams
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage

    class Device(PDFPageAggregator):
        def render_string(self, textstate: Any, seq: Any, ncs: Any, graphicstate: Any) -> None:
            if textstate.render == INVISIBLE:
                graphicstate.ncolor = 1.0
            super().render_string(textstate, seq, ncs, graphicstate)

    manager = PDFResourceManager()
    device = Device(manager, laparams=LAParams())
    interpreter = PDFPageInterpreter(manager, device)
    for page in PDFPage.get_pages(io.BytesIO(data), maxpages=max_pages):
        interpreter.process_page(page)
        yield device.get_result()


def _words(item: Any, height: float) -> Iterator[Word]:
    from pdfminer.layout import LTChar, LTTextLine

    if isinstance(item, LTTextLine):
        chars: list[Any] = []
        for char in item:
            if isinstance(char, LTChar) and char.get_text().strip():
                if chars and _is_mark(char, chars[-1]):
                    yield _word(chars, height)
                    chars = []
                chars.append(char)
            elif chars:
                yield _word(chars, height)
                chars = []
        if chars:
            yield _word(chars, height)
    elif isinstance(item, Iterable):
        for part in item:
            yield from _words(part, height)


def _is_mark(char: Any, before: Any) -> bool:
    """A small digit behind a large one: a footnote's, and not of the number."""
    are_digits: bool = char.get_text().isdigit() and before.get_text().isdigit()
    return are_digits and bool(char.size < SMALL * before.size)


def _word(chars: list[Any], height: float) -> Word:
    return Word(
        "".join(char.get_text() for char in chars),
        x0=min(char.x0 for char in chars),
        x1=max(char.x1 for char in chars),
        top=height - max(char.y1 for char in chars),
        bottom=height - min(char.y0 for char in chars),
        bold="bold" in chars[0].fontname.lower(),
        hidden=_is_white(chars[0].graphicstate.ncolor),
    )


def _is_shade(item: Any, layout: Any) -> bool:
    """A filled rectangle of another colour than white."""
    from pdfminer.layout import LTRect

    if not isinstance(item, LTRect) or not item.fill or min(item.width, item.height) <= _THIN:
        return False
    return not _is_white(item.non_stroking_color) and item.width * item.height < _WHOLE * layout.width * layout.height


def _is_white(colour: object) -> bool:
    """Of one part, three, or four, which say how much ink there is."""
    parts = colour if isinstance(colour, tuple | list) else (colour,)
    numbers = [part for part in parts if isinstance(part, int | float)]
    return max(numbers) <= 1 - _WHITE if len(numbers) == 4 else bool(numbers) and min(numbers) >= _WHITE


def _shaded(word: Word, shades: list[Any], height: float) -> Word:
    x, y = (word.x0 + word.x1) / 2, height - word.middle
    filled = any(shade.x0 <= x <= shade.x1 and shade.y0 <= y <= shade.y1 for shade in shades)
    return replace(word, filled=True, hidden=False) if filled else word


def _rulings(layout: Any) -> tuple[list[Ruling], list[Ruling]]:
    from pdfminer.layout import LTLine, LTRect

    across: list[Ruling] = []
    down: list[Ruling] = []
    for item in layout:
        if isinstance(item, LTLine | LTRect):
            if item.height <= _THIN < item.width:
                across.append(Ruling(layout.height - (item.y0 + item.y1) / 2, item.x0, item.x1))
            elif item.width <= _THIN < item.height:
                down.append(Ruling((item.x0 + item.x1) / 2, layout.height - item.y1, layout.height - item.y0))
    return across, down
