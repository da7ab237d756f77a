"""What names the instrument of a grid without a column of instruments (ruling 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parsers.document import Grid, Line
from parsers.lexicon import compiled
from parsers.quotes.classes import class_by_instrument, class_by_words, rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.remarks import is_remark
from parsers.values.currencies import PAIR

_CORNERS = frozenset({"tenor", "coupon", "option_struct"})
_DATED = compiled(r"(?:{title_date}|\d{1,2}[-/. ])", re.IGNORECASE)

_LONGEST_NAME = 40
"""Characters of a line between two grids that can name the second."""


def name_between(before: Sequence[Line | Grid]) -> tuple[str, ...]:
    """The line that parts a grid from the one above it, where it may be its name: `Stellantis`; no note."""
    texts = [block.text for block in before[-2:] if isinstance(block, Line) and block.text and not block.quoted]
    if not texts or not any(isinstance(block, Grid) for block in before):
        return ()
    text = texts[-1]
    is_name = len(text) <= _LONGEST_NAME and text[0].isupper() and text[-1] not in ".!;"
    return (text,) if is_name and not is_remark(text) else ()


def title_of(
    columns: Sequence[Column], titles: Sequence[str], source: str, names: Sequence[tuple[str, str | None]]
) -> str | None:
    """The name of the instrument of rows that name none.

    Args:
        columns: of the grid.
        titles: right above it and in it, top-down.
        source: where its class was found.
        names: (source, text) of sheet, file and subject.
    """
    return _corner(columns) or _naming(titles) or _name_of(source, names)


def _corner(columns: Sequence[Column]) -> str | None:
    """What the heading over a curve's tenors names: `USDMXN`; over a grid's coupons: `UMBS 30yr`."""
    return next((column.title for column in columns if column.role in _CORNERS and column.title), None)


def _naming(titles: Sequence[str]) -> str | None:
    """The title that names a grid's instrument: the nearest that names a class, else the last that may name one."""
    return next(
        (title for title in reversed(titles) if class_by_words(title) is not None),
        next((title for title in reversed(titles) if not _DATED.match(title) and _may_name(title)), None),
    )


def _may_name(title: str) -> bool:
    """Whether a title says more than what levels are: not `bp annum, mids`."""
    said = heading(title)
    return bool(said.unknown) or "currency" in said.meanings


def _name_of(source: str, names: Sequence[tuple[str, str | None]]) -> str | None:
    """The sheet's, file's or subject's text, where that is all that says what a grid is of.

    A sheet that is named as a curve itself goes first: `USDMXN`, `IG S47 5Y`, `USD SOFR`.
    """
    sheet = next((text for name, text in names if name == "sheet" and text), "")
    forms = (class_by_instrument(text) or "unknown" for text in (sheet, f"{sheet} 5Y"))
    if PAIR.fullmatch(sheet) or any(rules_of(form).curve for form in forms):
        return sheet
    source = "subject" if source == "header" else source  # headings that say what it is, and not whose: `EFP Bid`
    return next((text.replace("_", " ") for name, text in names if name == source and text), None)
