"""What a heading means only beside the others, or over what stands below it (spec 5.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from parsers.codes import QuoteKind
from parsers.lexicon import compiled
from parsers.quotes.classes import class_by_words
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IGNORED, LEVEL, NAMES, NAMING, OF_BONDS, SIZE, UNKNOWN
from parsers.values.words import fold

_PARTS = frozenset({"part", "tranche"})  # of what another column names: `Claim` beside `Case`
_SIDES = frozenset({"bid", "ask"})
_LEAST_MONTHS = 2
_OVER = frozenset({"spread", "spread_bench_bp"})
_ALONE = {(("b",), ("a",)), (("b",), ("o",)), (("g",), ("b",))}
_LETTERS = {*"abog", "aa", "aaa", "bb", "bbb", "ccc"}
_BEST = compiled("{best_word} bid", re.IGNORECASE)
_QUOTES = {("quote",), ("quotes",)}
_RATES = {("tasa",), ("taxa",), ("tx",)}
_GOVT = compiled("{government_curve}", re.IGNORECASE)
_YEARLY = ("p", "a")
_UNITS = frozenset({"bp", "bps", "pb", "pbs", "%"})
_SIDE_LETTERS = (("b", "a"), ("b", "o"), ("g", "b"), ("d", "l"), ("c", "v"), ("a", "v"), ("d", "o"))
"""Geld and Brief, denaro and lettera, compra and venta, achat and vente, demande and offre."""


@lru_cache(maxsize=1024)  # the sheets of a dealer have the same headings every day
def resolved(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """What a heading means only beside the others: `Rec` after `Pay`, the same heading twice."""
    settled = _with_receivers(columns)
    if any(found.role in {"factor", "orig_face"} for found in settled):  # what is left of it: `Orig | Factor | Current`
        settled = [replace(found, role=SIZE) if fold(found.text) == ("current",) else found for found in settled]
    settled = _without_clients(_over_governments(_without_indices(settled)))
    if not any(found.role in {LEVEL, "tenor", "rate"} or found.tenor for found in settled):
        settled = [
            replace(found, role=LEVEL, clear=True, title=None) if fold(found.text) in _QUOTES else found
            for found in settled
        ]
    return tuple(_twins(_lettered(_without_lists(_with_a_name(_letters_alone(_with_a_coupon(settled)))))))


def _with_receivers(columns: Sequence[Column]) -> list[Column]:
    """`Rec` is the other side of `Pay`; alone it is none."""
    pays = any(found.side == "bid" and "pay" in found.text.casefold() for found in columns)
    return [
        replace(found, role=LEVEL if pays else IGNORED, side="ask") if found.role == "receive" else found
        for found in columns
    ]


def _without_indices(columns: list[Column]) -> list[Column]:
    """`Index` beside a name is what its floater pays."""
    if not any(found.role in NAMES and found.text.casefold() != "index" for found in columns):
        return columns
    return [replace(found, role=IGNORED) if found.text.casefold() == "index" else found for found in columns]


def _over_governments(columns: list[Column]) -> list[Column]:
    """`Bond | Gilt`: of two names the second is what the first is over."""
    named = next((at for at, found in enumerate(columns) if found.role in NAMES), len(columns))
    return [
        replace(found, role="benchmark") if at > named and _GOVT.fullmatch(found.text) else found
        for at, found in enumerate(columns)
    ]


def _without_clients(columns: list[Column]) -> list[Column]:
    """Without an offer beside them, bids of a list's clients are no levels."""
    if any(found.role == LEVEL and found.side == "ask" for found in columns):
        return columns
    is_covered = any(found.kind is QuoteKind.cover for found in columns)
    return [replace(found, role=IGNORED) if _is_clients(found, is_covered=is_covered) else found for found in columns]


def _with_a_coupon(columns: list[Column]) -> list[Column]:
    """`Tasa` beside prices and another yield, `YTW`: what the bond pays."""
    rates = [found for found in columns if fold(found.text) in _RATES]
    if len(rates) != 1 or any(found.role == "coupon" for found in columns):
        return columns
    levels = {found.measure for found in columns if found.is_level and found is not rates[0]}
    if not {"price", "yield_pct"} <= levels:
        return columns
    return [replace(found, role="coupon", measure=None) if found is rates[0] else found for found in columns]


def _is_clients(found: Column, *, is_covered: bool) -> bool:
    """Whether a column of bids is of a list's clients, or counts them: it is no market of the dealer."""
    is_bid = found.role == LEVEL and found.side == "bid" and found.kind is None
    return is_bid and (_BEST.match(found.text) is not None or (is_covered and found.measure is None))


def _letters_alone(columns: list[Column]) -> list[Column]:
    """`B` and, right of it, `A` are the sides, where no other heading is a letter: not beside `AAA`, `BBB`."""
    letters = [index for index, found in enumerate(columns) if set(fold(found.text)) <= _LETTERS]
    if len(letters) == 2 and letters[1] == letters[0] + 1:
        bid, ask = letters
        if (fold(columns[bid].text)[:1], fold(columns[ask].text)[:1]) in _ALONE:
            columns[bid] = replace(columns[bid], role=LEVEL, side="bid", title=None, clear=True)
            columns[ask] = replace(columns[ask], role=LEVEL, side="ask", title=None, clear=True)
    return columns


def _with_a_name(columns: list[Column]) -> list[Column]:
    """`Curve` in front of columns of tenors names the rows, where nothing else does; `Stock`, `Country` do so, too.

    `UMBS 30yr` in the corner of a grid of months names what the coupons below it are of.
    """
    if not columns:
        return columns
    first = columns[0]
    if _is_word_of_names(first, columns):
        return [replace(first, role="description"), *columns[1:]]
    if _are_named(first, columns):
        return columns
    are_months = sum(1 for found in columns if found.month) >= _LEAST_MONTHS
    is_corner = first.role in {UNKNOWN, LEVEL} and not first.clear and are_months and first.month is None
    if is_corner and class_by_words(first.text) is not None:
        return [replace(first, role="coupon", title=first.text), *columns[1:]]
    is_programme = not first.clear or are_months  # `30 YR` over `FNCL 5.0`, beside months
    if first.role not in {"benchmark", "ref_price"} and not _names_markets(first, columns, is_programme=is_programme):
        return columns
    own = None if is_programme and first.clear else first.tenor
    return [replace(first, role="description", tenor=own), *columns[1:]]


def _is_word_of_names(first: Column, columns: Sequence[Column]) -> bool:
    """`Referencia` of no benchmark beside it, and `Nom` in front of all, which is French there."""
    if first.role == "size" and fold(first.text) == ("nom",):
        return True
    if first.text.casefold() != "referencia" or _has_names(columns):
        return False
    return not {found.measure for found in columns if found.is_level} & _OVER


def _are_named(first: Column, columns: Sequence[Column]) -> bool:
    """Whether a column names the rows; not beside `Stock | ISIN | Redemption`, of which the first is the name."""
    if first.role == "ref_price" and not _has_names(columns):
        return False
    naming = NAMING - _PARTS if first.role == UNKNOWN else NAMING
    return any(found.role in naming for found in columns)


def _names_markets(first: Column, columns: Sequence[Column], *, is_programme: bool) -> bool:
    """Whether an unknown heading, a country or a programme's point stands in front of markets: `Main S44 5Y`."""
    sides = {found.side for found in columns if found.role == LEVEL}
    is_point = is_programme and sides >= _SIDES and _is_point(first)  # `0-3%` under `Main S44 5Y`
    if first.role != UNKNOWN and not is_point and heading(first.text).one("ignore") != "country":
        return False
    if sides >= _SIDES or "both" in sides or sum(1 for found in columns if found.tenor) > 1:
        return True
    return bool(sides) and any(found.role in OF_BONDS for found in columns)


def _is_point(column: Column) -> bool:
    """A point of a curve, without a side."""
    return bool(column.tenor) and column.role == LEVEL and not column.side


def _has_names(columns: Sequence[Column]) -> bool:
    return any(found.role in NAMES for found in columns)


def _lettered(columns: list[Column]) -> list[Column]:
    """`Q.tà D` beside `Q.tà L`, `G-Kurs` beside `B-Kurs`, `Rend. L` beside `Lettera`: sides by letters."""
    own = _own_letters(columns)
    places: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, found in enumerate(columns):
        words = tuple(word for word in fold(found.text) if word not in _UNITS)
        if found.role not in (LEVEL, "size", "rate") or found.side == "both":
            continue
        parts = _letter_of(words)
        if parts is None:
            continue
        letter, stem = parts
        if letter in own:
            columns[index] = _sided(found, own[letter])
        for bid, ask in _SIDE_LETTERS if not own else ():
            other = places.get((bid, stem)) if letter == ask else None
            if other is not None:
                columns[other], columns[index] = _sided(columns[other], "bid"), _sided(found, "ask")
        places[letter, stem] = index
    return columns


def _own_letters(columns: Sequence[Column]) -> dict[str, str | None]:
    """The letters with which the words of sides begin here: `Lettera`, `Kurs G/B`."""
    own: dict[str, str | None] = {
        words[0][0]: found.side
        for found in columns
        if found.side in {"bid", "ask"} and len(words := fold(found.text)) == 1
    }
    if any(found.side == "both" and tuple(fold(found.text))[-2:] == ("g", "b") for found in columns):
        own |= {"g": "bid", "b": "ask"}
    return own


def _letter_of(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """The letter at the end or the beginning of a heading, and its other words."""
    if len(words) < 2 or words[-2:] == _YEARLY:
        return None
    if len(words[-1]) == 1:
        return words[-1], words[:-1]
    return (words[0], words[1:]) if len(words[0]) == 1 else None


def _without_lists(columns: list[Column]) -> list[Column]:
    """`Spread A | Spread B | Spread C`: of tranches or runs that letters count, whose levels nothing tells apart."""
    stems: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for index, found in enumerate(columns):
        words = tuple(fold(found.text))
        if found.role in (LEVEL, SIZE) and len(words) > 1 and len(words[-1]) == 1:
            stems.setdefault(words[:-1], []).append((words[-1], index))
    for listed in stems.values():
        if [letter for letter, _ in listed[:2]] == ["a", "b"]:
            for _, index in listed:
                columns[index] = replace(columns[index], role=IGNORED, side=None)
    return columns


def _sided(found: Column, side: str | None) -> Column:
    """The column on this side, understood if the letter was all that was not."""
    is_clear = found.clear or all(len(word) == 1 for word in heading(found.text).unknown)
    role = LEVEL if found.role == "rate" else found.role  # `Taux V` beside `Vente`
    return replace(found, role=role, side=side, clear=is_clear, title=None if is_clear else found.title)


def _twins(columns: list[Column]) -> list[Column]:
    """Two equal headings of levels or sizes without a side: left is bid, right is ask (spec 5.2)."""
    places: dict[str, list[int]] = {}
    for index, found in enumerate(columns):
        if found.role in (LEVEL, "size") and found.side is None and found.kind is None and not found.tenor:
            places.setdefault(found.text.casefold(), []).append(index)
    for twins in places.values():
        if len(twins) == 2:
            left, right = twins
            columns[left] = replace(columns[left], side="bid", side_assumed=True)
            columns[right] = replace(columns[right], side="ask", side_assumed=True)
    return columns
