"""The columns of a table without a header, by what they hold (spec 5.2): at least 3 rows, at least 80 % agreeing.

Only what cannot be mistaken becomes a level: one pair of neighbouring columns, low side first and close together, or
one column of pairs; a lone number may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise

from msgspec.structs import replace

from parsers.document import Cell, Row
from parsers.quotes.answers.names import names_bond
from parsers.quotes.draft import Draft
from parsers.quotes.headings.columns import Column, column
from parsers.quotes.headings.roles import LEVEL, SIZE, UNKNOWN
from parsers.quotes.tables.cells.cells import Nothing, one
from parsers.quotes.tables.cells.identifying import identifier
from parsers.quotes.tables.cells.readings import both, has_prefix
from parsers.quotes.tables.grids.headers import is_identifier, is_numeric
from parsers.values.identifiers import check
from parsers.values.markets import LevelRules
from parsers.values.numbers import Number, Ticks, is_null
from parsers.values.sizes import SizeRules, size_pair
from parsers.values.spreads import spread_prefix
from parsers.values.times.dates import MONTH_DATE, DateOrder, maturity
from parsers.values.times.tenors import tenor

MIN_ROWS = 3
AGREEMENT = Fraction(8, 10)
SAMPLED_ROWS = 200

_RULES = LevelRules(thirty_seconds=Ticks.unsure)
_KINDS = ("isin", "cusip", "loanx_id", "figi")
_MONTH = re.compile(MONTH_DATE)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_CLOSE = Fraction(15, 100)  # the widest market that is believed, as a share of the bid
_FAR = Fraction(30, 100)  # the width of a pair of any kind from which it is wide (spec 4.5), as a share of the bid
_NEAR, _NARROW = (
    Fraction(15),
    Fraction(10),
)  # basis points: the widest market in spreads of any size; what may be a yield, or years
_LEAST_LEVEL = 20  # a pair below it may be coupons, tenors, factors
_MOST_LEVEL, _MOST_SPREAD = 250, 2000
_LAST_DAY = 31
_PRICE = re.compile(r"(?:[7-9]\d|1[0-4]\d)[.,]\d{2,4}")


def inferred(rows: Sequence[Row], first: int, last: int) -> tuple[Column, ...] | None:
    """The columns of rows without a header, or None where too little is certain."""
    filled = [(row, _count(row.cells[first:last])) for row in rows[:SAMPLED_ROWS]]
    words = _words(filled, first, last)
    if words:  # a header that names no level: what it does say holds
        filled = [(row, count) for row, count in filled if any(map(is_numeric, row.cells[first:last]))]
    body, is_narrow = _body(filled)
    if len(body) < MIN_ROWS:
        return None
    cells = {at: [row.cells[at] for row in body] for at in range(first, last)}
    roles = {at: _role(column) for at, column in cells.items()}
    if is_narrow and not _has_instrument(cells, roles):
        return None  # a word and two numbers may be anything
    levels = _levels(cells, roles)
    if levels is None or not _are_told_levels(levels, cells, roles, words):
        return None
    identity = _identity(roles, words, levels)
    if not any(column.role in (*_KINDS, "description") for column in identity):
        return None
    columns = [*identity, *_level_columns(levels), *_size_columns(cells, roles, words, levels)]
    return tuple(sorted(columns, key=lambda column: column.at))


def _count(cells: Sequence[Cell]) -> int:
    """Of cells with text."""
    return sum(1 for cell in cells if cell.text)


def _has_instrument(cells: Mapping[int, Sequence[Cell]], roles: Mapping[int, str | None]) -> bool:
    """Whether a column holds identifiers or bonds."""
    return any(role in _KINDS or _are(cells[at], _is_bond) for at, role in roles.items())


def _body(filled: Sequence[tuple[Row, int]]) -> tuple[list[Row], bool]:
    """The rows that are looked at, and whether they have two cells each, as no row has more."""
    body = [row for row, count in filled if count >= 3]
    if len(body) >= MIN_ROWS:
        return body, False
    return [row for row, count in filled if count == 2], True


def _are_told_levels(
    levels: Sequence[int],
    cells: Mapping[int, Sequence[Cell]],
    roles: Mapping[int, str | None],
    words: Mapping[int, Column],
) -> bool:
    """Whether no heading says that the columns are something else, nor are they amounts of what has no identifier."""
    if any(words[at].role not in {UNKNOWN, LEVEL} for at in levels if at in words):
        return False
    are_amounts = all(_are(cells[at], _may_be_thousands) for at in levels)
    return not are_amounts or any(role in _KINDS for role in roles.values())


def _identity(roles: Mapping[int, str | None], words: Mapping[int, Column], levels: Sequence[int]) -> list[Column]:
    """The columns that say what is quoted, by what they hold and by their headings; the first description of them."""
    columns = [
        Column(at=at, text="", role=role)
        for at, role in roles.items()
        if role not in {None, "number", "pair", "sizes"} and (at not in words or words[at].role == UNKNOWN)
    ]
    columns += [found for at, found in words.items() if at not in levels and found.role not in {UNKNOWN, LEVEL, SIZE}]
    names = [column for column in columns if column.role == "description"]
    return [column for column in columns if column.role != "description" or column in names[:1]]


def _level_columns(levels: Sequence[int]) -> list[Column]:
    sides = ("bid", "ask") if len(levels) == 2 else (None,)
    return [Column(at=at, text="", role=LEVEL, side=side) for at, side in zip(levels, sides, strict=True)]


def _size_columns(
    cells: Mapping[int, Sequence[Cell]],
    roles: Mapping[int, str | None],
    words: Mapping[int, Column],
    levels: Sequence[int],
) -> list[Column]:
    """Right of the levels two columns of sizes; then the first of sizes of both sides."""
    others = {at for at, found in words.items() if found.role not in {UNKNOWN, SIZE}}  # `Chg`
    numbers = [at for at in cells if roles[at] == "number" and at > max(levels) and at not in others]
    sizes = [at for at in numbers if _are(cells[at], _is_size)][:2]
    both = [Column(at=at, text="", role=SIZE) for at, role in roles.items() if role == "sizes"][:1]
    if len(sizes) == 2:
        bid, ask = sizes
        return [Column(at=bid, text="", role=SIZE, side="bid"), Column(at=ask, text="", role=SIZE, side="ask"), *both]
    return both


def is_guess(draft: Draft) -> bool:
    """Whether neither headings nor words tell that a row quotes, nor is it of a bond: `Soup | 4.50/5.00 | daily`."""
    named = draft.instrument
    is_bond = bool(named.identifiers) or named.maturity is not None or named.coupon is not None
    return not (draft.headed or is_bond) and draft.asset_class == "unknown"


def columns_of_markets(rows: Sequence[Row]) -> int:
    """How many columns hold pairs that are markets, and no days: `51/55`, whatever their headings say."""
    body = [row for row in rows[:SAMPLED_ROWS] if any(map(is_numeric, row.cells))]
    columns = zip(*(row.cells for row in body), strict=True)
    return sum(1 for cells in columns if _role(cells) == "pair" and _are_markets(cells) and not _may_be_days(cells))


def _may_be_days(cells: Sequence[Cell]) -> bool:
    """`11/12`, `12/15` (spec 4.10)."""
    return all(max(pair) <= _LAST_DAY for cell in cells if (pair := _pair(cell)) is not None)


def _words(filled: Sequence[tuple[Row, int]], first: int, last: int) -> dict[int, Column]:
    """What the headings above the rows say of each column, if any: a first row without a number."""
    head = next((row for row, count in filled if count >= MIN_ROWS), None)
    if head is None or any(map(_is_no_heading, head.cells[first:last])):
        return {}
    return {at: column(at, (cell.text,)) for at, cell in enumerate(head.cells[first:last], first) if cell.text}


def _is_no_heading(cell: Cell) -> bool:
    return is_numeric(cell) or is_identifier(cell.text) or has_prefix(cell.text) or _pair(cell) is not None


def _role(cells: Sequence[Cell]) -> str | None:
    """What a column holds: an identifier kind, maturity, tenor, description, or number, pair, sizes; None: mixed."""
    for kind in _KINDS:
        if _are(cells, partial(_is_identifier, kind)):
            return kind
    tests: tuple[tuple[str, Callable[[Cell], bool]], ...] = (
        ("maturity", lambda cell: (due := maturity(cell.text, DateOrder.dmy)) is not None and due.date is not None),
        ("maturity", lambda cell: _MONTH.fullmatch(cell.text) is not None),
        ("tenor", lambda cell: tenor(cell.text) is not None),
        ("number", lambda cell: _spread(cell) is not None),
        ("sizes", lambda cell: "x" in cell.text.lower() and _is_size(cell)),
        ("pair", lambda cell: _pair(cell) is not None),
        ("description", lambda cell: len(cell.text) > 2 and any(letter.isalpha() for letter in cell.text)),
    )
    return next((role for role, test in tests if _are(cells, test)), None)


def _is_identifier(kind: str, cell: Cell) -> bool:
    found = identifier(kind, cell.text)
    return found is not None and found[0] == kind and check(*found)


def _are(cells: Sequence[Cell], test: Callable[[Cell], bool]) -> bool:
    filled = [cell for cell in cells if cell.text and not is_null(cell.text)]
    agreeing = sum(1 for cell in filled if test(cell))
    return agreeing >= MIN_ROWS and agreeing >= AGREEMENT * len(filled) and len(filled) * 2 >= len(cells)


def _may_be_thousands(cell: Cell) -> bool:
    """`30,515` of a thing that no identifier calls a bond is a quantity as well as a price."""
    return _THOUSANDS.fullmatch(cell.text) is not None


def _is_bond(cell: Cell) -> bool:
    return names_bond(cell.text)


def _is_size(cell: Cell) -> bool:
    return size_pair(cell.text, SizeRules()) is not None


def _pair(cell: Cell) -> tuple[Fraction, Fraction] | None:
    found = both(cell, _RULES)
    if isinstance(found, Nothing) or found.bid is None or found.ask is None:
        return None
    return found.bid.value, found.ask.value


def _levels(cells: dict[int, list[Cell]], roles: dict[int, str | None]) -> tuple[int, ...] | None:
    """The only two neighbouring columns that are a market, or the only column of pairs.

    Spreads fall; so do coupons and their yields, factors, ratios: only beside bonds are they a market.
    """
    pairs = [at for at, role in roles.items() if role == "pair" and _are_markets(cells[at])]
    numbers = [at for at, role in roles.items() if role == "number"]
    is_of_bonds = any(role in _KINDS or _are(cells[at], _is_bond) for at, role in roles.items())
    most = _MOST_SPREAD if "tenor" in roles.values() else _MOST_LEVEL  # `AAL | 5Y | 512 | 530`
    markets = [
        (left, right)
        for left, right in pairwise(numbers)
        if right == left + 1
        and (_is_market(cells[left], cells[right], most) or (is_of_bonds and _are_spreads(cells[left], cells[right])))
    ]
    if len(pairs) + len(markets) != 1:
        return None
    return markets[0] if markets else (pairs[0],)


def _are_markets(cells: Sequence[Cell]) -> bool:
    """Pairs near each other in most rows, apart in half of them: no places on a map, no `1/1`."""
    found = [pair for cell in cells if (pair := _pair(cell)) is not None]
    near = sum(1 for bid, ask in found if abs(ask - bid) <= _FAR * abs(bid))
    apart = sum(1 for bid, ask in found if ask != bid)
    return near >= AGREEMENT * len(found) and apart * 2 >= len(found)


def _is_market(bids: Sequence[Cell], asks: Sequence[Cell], most: int) -> bool:
    """Low side first, close together, in the range of prices, in most rows; apart in half: no column and its copy."""
    fair = two_sided = apart = 0
    for bid_cell, ask_cell in zip(bids, asks, strict=True):
        bid, ask = one(bid_cell, _RULES), one(ask_cell, _RULES)
        if not isinstance(bid, Number) or not isinstance(ask, Number):
            continue
        two_sided += 1
        apart += bid.value != ask.value
        is_level = _LEAST_LEVEL <= bid.value <= most
        fair += is_level and bid.value <= ask.value <= bid.value * (1 + _CLOSE)
    return two_sided >= MIN_ROWS and fair >= AGREEMENT * two_sided and apart * 2 >= two_sided


def _are_spreads(bids: Sequence[Cell], asks: Sequence[Cell]) -> bool:
    """High side first, as close as spreads are (spec 4.3), in all rows: `85 | 80`, `T+85 | T+80`."""
    found = [(_spread(bid), _spread(ask)) for bid, ask in zip(bids, asks, strict=True)]
    known = [(bid, ask) for bid, ask in found if bid is not None and ask is not None]
    fair = sum(1 for bid, ask in known if bid > _NARROW and 0 < bid - ask <= max(_NEAR, _FAR * bid))
    are_prices = all(_PRICE.fullmatch(cell.text) for cell in bids if cell.text)  # of two days: `98.50 | 97.25`
    return len(known) >= MIN_ROWS and fair == len(known) and not are_prices


def _spread(cell: Cell) -> Fraction | None:
    """The basis points that a cell holds, over whatever curve."""
    prefix = spread_prefix(cell.text) if has_prefix(cell.text) else None
    found = one(cell if prefix is None else replace(cell, text=cell.text[prefix.end :].lstrip("+")), _RULES)
    return found.value if isinstance(found, Number) else None
