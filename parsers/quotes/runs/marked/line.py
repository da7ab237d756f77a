"""A line of text to a reading: cut, name, mark."""

from __future__ import annotations

from msgspec.structs import replace

from parsers.quotes.answers.margins import take_floors, take_margin
from parsers.quotes.answers.named import Habits
from parsers.quotes.answers.naming import bond_of, named, take_quantity
from parsers.quotes.lexer.token import TENOR, Token
from parsers.quotes.runs.marked.leading import take_lead
from parsers.quotes.runs.marked.marking import mark
from parsers.quotes.runs.marked.promoting import promote
from parsers.quotes.runs.marked.reading import Reading
from parsers.quotes.runs.marked.wishes import is_interest, take_wish
from parsers.values.currencies import of_symbol
from parsers.values.separators import Locale


def read(text: str, tokens: list[Token], locale: Locale, habits: Habits) -> Reading:
    """What the tokens of a line mean.

    Args:
        text: the line that they were cut from.
        tokens: of the line.
        locale: of its numbers.
        habits: of the line's class.
    """
    wanted, found = take_wish(text, tokens)
    if wanted is not None:
        habits = replace(habits, wished=True)
    quantity = take_quantity(found, locale) if habits.counted else None
    take_lead(found, wished=wanted is not None)
    take_floors(found)
    bond = bond_of(found, locale, habits)
    if bond[1] is not None and not habits.curves:
        _drop_tenors(found, bond[1])
    margin = take_margin(found, habits)
    instrument = named(text, found, bond, margin)
    before = tuple(found)
    promote(found, instrument, locale, habits)
    instrument = replace(instrument if tuple(found) == before else named(text, found, bond, margin), quantity=quantity)
    reading = Reading(instrument, wanted=wanted, axe=wanted if wanted is not None and is_interest(text) else None)
    mark(found, reading, german=habits.german)
    if reading.currency is None and ("€" in text or "£" in text):
        signs = (text[level.token.start] for level in reading.marks)
        reading.currency = next((of_symbol(sign) for sign in signs if sign in "€£"), None)  # `€98.50`
    return reading


def _drop_tenors(found: list[Token], maturity: str) -> None:
    """Behind a bond's maturity a tenor is its benchmark's: `VZ 4.78 2/15/35  10yr  74/71`."""
    due = next((at for at, token in enumerate(found) if token.text.endswith(maturity)), len(found))
    found[due:] = [token for token in found[due:] if token.kind is not TENOR]
