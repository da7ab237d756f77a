"""What surrounds a row: its block's words, the row itself, and why it was refused."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parsers.codes import Code
from parsers.document import Cell, Row
from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.around.classing import Class
from parsers.quotes.tables.columns.fields import Texts
from parsers.securities.dictionary import Dictionary


class Around(Struct, frozen=True, kw_only=True):
    """What holds for all rows of a block."""

    heeded: Setting  # what the words around it say, from the mail to the nearest title
    found: Class  # that the words around it name
    title: str | None = None  # names the instrument where no column does
    default_class: str | None = None  # of the sender
    securities: Dictionary | None = None  # what the user's master file knows of instruments
    language: str = "en"  # of the lines above and of the covering note
    region: str | None = None  # of the sender's desk
    usual: str | None = None  # the dealer's currency
    sheet: str | None = None
    table_idx: int | None = None
    hidden: bool = False
    symbol: str | None = None  # of the currency in a title: `$ per share`

    @property
    def said(self) -> Surroundings:
        """What they say of all rows."""
        return self.heeded.all


class Unit(Struct, frozen=True, gc=False):
    """A row as it is read, or a bid row over its ask row."""

    row: Row
    cells: Sequence[Cell]  # of the row, identity fields filled down
    texts: Texts  # that they print
    below: Sequence[Cell] | None = None  # of the ask row
    is_filled_down: bool = False  # some field came from the row above


class Refused(Struct, frozen=True, gc=False):
    """A row that was meant as a quote and is none."""

    code: Code
    row: Row
    at: int  # index of the cell that tells
    text: str
