"""How cells of a workbook look, whatever its format: what calamine does not tell."""

from __future__ import annotations

from msgspec import Struct, field


class Look(Struct, frozen=True):
    """A cell format."""

    number_format: str | None = None  # None: General, or a date format that depends on the reader's locale
    bold: bool = False
    filled: bool = False
    struck: bool = False
    white: bool = False  # white text without a fill


PLAIN = Look()


class Rich(Struct, frozen=True):
    """What a cell whose text looks different in parts says that is not withdrawn."""

    text: str
    struck: bool  # as a whole


class SheetLooks(Struct):
    """Of one sheet; rows and columns count from 1."""

    looks: dict[tuple[int, int], Look] = field(default_factory=dict)  # of cells that are not plain
    no_cache: set[tuple[int, int]] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    rich: dict[tuple[int, int], Rich] = field(default_factory=dict)  # of cells whose text looks different in parts
    last_row: int = 0  # of cells with a value
    last_column: int = 0
