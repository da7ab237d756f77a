"""Rows that are no quotes: sections, totals, legends, notes (spec 5.6, 5.9)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.document import Cell
from parsers.lexicon import compiled
from parsers.quotes.answers.names import names_bond
from parsers.quotes.classes import class_named
from parsers.quotes.classes.below import class_below
from parsers.quotes.headings.heeding import under
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.remarks import has_levels, is_remark
from parsers.quotes.headings.setting import Setting
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.around.classing import Class
from parsers.values.times.tenors import tenor
from parsers.values.words import fold

MAX_SECTION = 60
"""Characters; a longer line across a table is a note."""

_TOTAL = compiled(
    r"(?:{total_kind}\s+|sub[- ]?)?{total_word}(?:\s+{total_of})?\s*[:=]?",
    re.IGNORECASE,
)
_LEGEND = compiled(
    r"[*†‡⁰¹²³⁴-⁹]|\(\d\)\s|note\s*:|e\.?g\.?[\s:]|{example}\b",
    re.IGNORECASE,
)
_EXAMPLE = compiled(r"(?:e\.g\.?|{example}\s*(?:[:–-]|$))", re.IGNORECASE)
_NOTE_WORDS = 9
_MARKET = compiled(
    r"(?:{gauge}|{commodity})(?:\s?{gauge_form})*(?:\s(?:[A-Z][a-z]{2}|Cal|Q[1-4])?[- ]?(?:20)?\d\d)?",
    re.IGNORECASE,
)


_SLOPE = re.compile(r"(?:\d{1,2}s){2,3}")
"""`2s10s`: of whichever curve, where nothing says that its basis is quoted."""
_DERIVED = re.compile(r"\b(?:fut|div|[A-Z][a-z]{2}[- ]?\d\d)")


class Section(Struct, frozen=True):
    """What the section rows above a row say; each fact holds until a section says another."""

    heeded: Setting = field(default_factory=Setting)
    found: Class = field(default_factory=Class)
    name: str | None = None  # the nearest section's text: an issuer, a sector, a kind of bond

    @property
    def said(self) -> Surroundings:
        """What they and the words around the table say of the rows below."""
        return self.heeded.all

    def under(self, text: str) -> Section:
        """This context with one more section row."""
        found = class_below(text, section_class(text), self.found.name)
        return replace(
            self,
            heeded=under(self.heeded, text),
            found=Class(found, "section") if found else self.found,
            name=text.rstrip(" :"),
        )


def is_total(cells: Sequence[Cell]) -> bool:
    """Whether one of the row's first texts is `Total`, `Average`, `Summe`."""
    seen = 0
    for cell in cells:
        if not cell.text:
            continue
        if cell.text[0].isalpha() and _names_total(cell.text):
            return True
        seen += 1
        if seen == 4:  # a total is named in the first columns
            break
    return False


@lru_cache(maxsize=4096)  # of the names of bonds, which come every day
def _names_total(text: str) -> bool:
    return _TOTAL.fullmatch(text) is not None


def is_legend(text: str) -> bool:
    """Whether a row starts as a legend or an example does."""
    return _LEGEND.match(text) is not None


def is_example(text: str) -> bool:
    """Whether a row shows only how rows are read, whatever prices it has (spec 2.9)."""
    return _EXAMPLE.match(text) is not None


def is_aside(text: str) -> bool:
    """Whether what stands in a curve's column of tenors says that its row is none: `Spot ref`, `1d chg`."""
    return tenor(text) is None and "ignore" in heading(text).meanings


@lru_cache(maxsize=4096)
def is_market_talk(name: str, class_name: str = "unknown") -> bool:
    """Whether a row is about the market at large, not about an instrument the dealer quotes (spec 2.9).

    So is the slope of a curve. Of return swaps an index is what they are on; but neither its futures nor its dividends.
    """
    is_reference = class_name == "trs" and _DERIVED.search(name) is None
    is_slope = class_name == "unknown" and _SLOPE.fullmatch(name) is not None
    return is_slope or (not is_reference and _MARKET.fullmatch(name.strip()) is not None)


def section_text(filled: Sequence[Cell], width: int) -> str | None:
    """The text of a section row; None where the row is none.

    Args:
        filled: the cells with text of a row without a price.
        width: columns of the table.
    """
    if not 1 <= len(filled) <= 2 or width < 2:
        return None
    text = " ".join(cell.text for cell in filled)
    if _heads_nothing(text):
        return None
    first = filled[0]
    across = first.col_span >= max(2, width - 1)
    marked = first.bold or first.filled or text.isupper() or text.endswith(":") or across
    alone = len(filled) == 1 and not text.endswith(".")
    is_plain = not any(map(str.isdigit, text)) or section_class(text) is not None  # `EUR AT1s`
    return text if marked or (alone and is_plain) else None


def _heads_nothing(text: str) -> bool:
    """A note, a legend, an instrument or a quote: no words over what stands below."""
    is_long = len(text) > MAX_SECTION or len(text.split()) >= _NOTE_WORDS
    return is_long or is_legend(text) or names_bond(text) or is_remark(text) or has_levels(text)


def section_class(text: str) -> str | None:
    """The class that a section names, by at least half of its words: `FEDERAL HOME LOAN BANKS` are no loans."""
    found = class_named(text)
    return found[1] if found is not None and found[0] * 2 >= len(fold(text)) and not is_remark(text) else None
