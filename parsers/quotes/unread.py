"""What looks like a quote in a part where none was found: a valid identifier beside a price, whatever the rules say.

No rule of tables or runs is asked, for what they miss is what is looked for: a new dealer's words, another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, takewhile

from parsers.codes import LISTS
from parsers.document import Document, Line
from parsers.lexicon import compiled
from parsers.quotes.context import PartContext
from parsers.quotes.headings.stances import kind_said
from parsers.quotes.headings.surroundings import MAX_LINE
from parsers.quotes.notices import is_confirmation, is_outlook
from parsers.values.finding import find

MAX_TEXT = 500
"""Characters of a row or line that a refusal keeps (spec 6.5), and in which anything is looked for."""
_KINDS = frozenset({"isin", "cusip", "figi", "loanx_id"})
_CODE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z*@#]{0,11}\d)[A-Za-z0-9*@#]{8,12}(?![A-Za-z0-9])")
"""The form of all of these, which most lines have not."""
_VALUE = compiled(
    r"(?<![\w.,:+'’-])(?<!\d/)(?P<whole>\d{1,3})(?:[.,](?P<decimals>\d{1,6})|-(?:[0-2]\d|3[01])[+\d]?|"
    r"\s\d/(?:2|4|8|16|32))(?![\w:'’]|[.,/-]?\d{1,4}/|[.,]\d|\s?(?:%|{size_unit}\b))",
    re.IGNORECASE,
)
"""A number with decimals, 32nds or a fraction; no size, no percentage, no date."""
_LEAST, _MOST = 20, 250
"""Of what can be a price in percent; a size, a factor or a coupon seldom is between them."""
_NEAR = Fraction(1, 20)
"""Of the larger: as far as the sides of a market are apart, which may be yields."""


def unread(document: Document, context: PartContext) -> str | None:
    """The first such row or line; None where there is none, or in what is known to be no offer.

    So are lists of bids or offers wanted, without prices, and what stands below a notice of what is done, or in a mail
    whose subject, file or covering note is one: a confirmation, a statement, an invoice (spec 2.9).
    """
    names = (context.mail.subject or "", context.file_title or "")
    offered = takewhile(_is_no_notice, _texts(document))
    found = next((text[:MAX_TEXT] for text in offered if _is_priced(text[:MAX_TEXT])), None)
    if found is None or any(map(is_outlook, names)) or any(map(is_confirmation, (*names, *context.mail.note))):
        return None
    said = (names[0], *(text for text in _texts(document) if len(text) <= MAX_LINE))
    return None if any(kind_said(text.lower()) in LISTS for text in said) else found


def _is_no_notice(text: str) -> bool:
    return len(text) > MAX_LINE or not is_confirmation(text)


def _texts(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if isinstance(block, Line):
            if not (block.quoted or block.struck):
                yield block.text
        elif not block.quoted:
            yield from ("\t".join(cell.text for cell in row.cells) for row in block.rows)


def _is_priced(text: str) -> bool:
    """Whether a text has a valid identifier, and beside it what looks like a price or a market."""
    if _CODE.search(text) is None:
        return False
    found = [one for one in find(text, priced=True) if one.valid and one.kind in _KINDS]
    if not found:
        return False
    for one in reversed(found):
        text = f"{text[: one.start]}{'_' * (one.end - one.start)}{text[one.end :]}"
    values = [Fraction(f"{match['whole']}.{match['decimals'] or 0}") for match in _VALUE.finditer(text)]
    is_market = any(0 < abs(two - one) <= max(one, two) * _NEAR for one, two in pairwise(values))
    return is_market or any(_LEAST <= value <= _MOST for value in values)
