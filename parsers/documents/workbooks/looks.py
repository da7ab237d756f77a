"""How cells of a workbook look, whatever its format: what calamine does not tell."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from parsers.documents.limits import MAX_SHEET_COLUMNS
from parsers.documents.raised import level
from parsers.documents.withdrawn import standing


class Look(Struct, frozen=True):
    """A cell format."""

    number_format: str | None = None  # None: General, or a date format that depends on the reader's locale
    bold: bool = False
    filled: bool = False
    struck: bool = False
    white: bool = False  # white text without a fill


PLAIN = Look()


class Font(Struct, frozen=True):
    """What a font of a workbook says that matters here."""

    bold: bool = False
    struck: bool = False
    white: bool = False
    raised: bool = False


class Rich(Struct, frozen=True):
    """A cell's text that looks different in parts."""

    runs: tuple[tuple[str, Font | None], ...]  # None: the cell's own

    def standing(self, *, struck: bool) -> tuple[str, bool]:
        """What is not withdrawn of it, and whether all is. `struck` is what the cell says."""
        runs = ((text, struck if font is None else font.struck, bool(font and font.raised)) for text, font in self.runs)
        return standing(level(runs))


def rich(runs: Iterable[tuple[str, Font | None]]) -> Rich | None:
    """None where no part is struck or raised: then it reads as it stands."""
    kept = tuple(runs)
    return Rich(kept) if any(font is not None and (font.struck or font.raised) for _, font in kept) else None


class SheetLooks(Struct):
    """Of one sheet; rows and columns count from 1."""

    looks: dict[tuple[int, int], Look] = field(default_factory=dict)  # of cells that are not plain
    no_cache: set[tuple[int, int]] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    rich: dict[tuple[int, int], Rich] = field(default_factory=dict)  # of cells whose text looks different in parts
    last_row: int = 0  # of cells with a value
    last_column: int = 0

    def hide_columns(self, first: int, last: int) -> None:
        """Columns `first` to `last` are hidden. Columns of a file do not overlap: whose ends are hidden all is."""
        first, last = max(first, 1), min(last, MAX_SHEET_COLUMNS)
        if first not in self.hidden_columns or last not in self.hidden_columns:
            self.hidden_columns.update(range(first, last + 1))
