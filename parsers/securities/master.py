"""The user's master file: what its lines say of instruments, checked, and made a dictionary of (docs/securities.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path

from parsers.codes import AssetClass, QuoteType
from parsers.securities.dictionary import Dictionary, written
from parsers.securities.errors import SecuritiesError
from parsers.securities.known import DESCRIBED, TICKER, Known, described
from parsers.securities.sheets import Row, content_of, rows_of
from parsers.values.currencies import CODES
from parsers.values.identifiers import KINDS, check, derived, names_an_issue

COLUMNS = ("security_id", *KINDS, "ticker", "coupon", "maturity", "asset_class", "currency", "unit")
"""Those that are read; a master may have others."""
_DESCRIBING = ("ticker", "coupon", "maturity")
COUPON = re.compile(r"\d{1,3}(?:\.\d{1,8})?")
PRICES = frozenset({QuoteType.price_pct, QuoteType.price_unit})
"""What `unit` may be: the quote types that a price is in."""
_TOLD = 10  # lines that are wrong

Key = tuple[str, str]
"""Kind and name."""


class _Slip(ValueError):
    """What is wrong with a line."""


def load(path: Path) -> Dictionary:
    """The dictionary of a master file, which is read once as long as it stays as it is, be it right or wrong.

    Raises:
        SecuritiesError: it is none, or contradicts itself.
        OSError: it cannot be read.
    """
    status = path.stat()
    found = _loaded(path, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    if isinstance(found, str):
        raise SecuritiesError(found)
    return found


@lru_cache(maxsize=1)
def _loaded(path: Path, _: tuple[int, ...]) -> Dictionary | str:
    """The dictionary, or what is wrong with the file."""
    try:
        return of_rows(rows_of(content_of(path), COLUMNS))
    except SecuritiesError as error:
        told = str(error)
        return told if told.startswith(str(path)) else f"{path}: {told}"


def of_rows(rows: Iterable[Row]) -> Dictionary:
    """The dictionary that these rows are.

    Raises SecuritiesError where one is wrong, or says of an identifier what another one says otherwise; the message
    names the first of them.
    """
    by_identifier: dict[Key, tuple[str, Known]] = {}
    by_others: dict[Key, Known | None] = {}  # None: several instruments have that name
    inner: list[tuple[str, Key, Known]] = []  # the national numbers in ISINs
    slips: list[str] = []
    for place, cells in rows:
        try:
            known, identifiers = _instrument(cells)
            for key in identifiers:
                _require_same(key, known, by_identifier.setdefault(key, (place, known)))
            numbers = [
                number for kind, value in identifiers if kind == "isin" and (number := derived(value)) is not None
            ]
            inner += ((place, number, known) for number in numbers)
            for key in (*numbers, *_described(cells)):
                by_others[key] = known if by_others.get(key, known) == known else None
        except _Slip as slip:
            slips.append(f"{place}: {slip}")
            if len(slips) == _TOLD:
                break
    slips += islice(_contradicted(inner, by_identifier), _TOLD - len(slips))
    if slips:
        raise SecuritiesError("; ".join(slips))
    if not by_identifier and not by_others:
        raise SecuritiesError("has no instruments")
    return Dictionary.open(written(by_others | {key: known for key, (_, known) in by_identifier.items()}))


def _instrument(cells: Mapping[str, str]) -> tuple[Known, list[Key]]:
    """What a row says, and its identifiers, the best first."""
    identifiers = []
    for kind in KINDS:
        if kind in cells:
            value = cells[kind].upper()
            if not check(kind, value):
                raise _Slip(f"{kind} {cells[kind]!r} is none: its form or check digit is wrong")
            if names_an_issue(kind, value):
                identifiers.append((kind, value))
    name = cells.get("security_id") or next((value for _, value in identifiers), None)
    if name is None:
        raise _Slip("has neither an identifier nor a security_id")
    asset_class, currency, unit = cells.get("asset_class"), cells.get("currency"), cells.get("unit")
    if asset_class is not None and (asset_class not in AssetClass.__members__ or asset_class == AssetClass.unknown):
        raise _Slip(f"asset_class {asset_class!r} is none")
    if currency is not None and currency not in CODES:
        raise _Slip(f"currency {currency!r} is no code of a currency")
    if unit is not None and unit not in PRICES:
        raise _Slip(f"unit {unit!r} is none of {', '.join(sorted(PRICES))}")
    return Known(name, asset_class, currency, unit), identifiers


def _contradicted(inner: Iterable[tuple[str, Key, Known]], named: Mapping[Key, tuple[str, Known]]) -> Iterator[str]:
    """What is wrong with rows of whose ISIN's number another row, before or behind, says otherwise by name."""
    for place, key, known in inner:
        try:
            _require_same(key, known, named.get(key, (place, known)))
        except _Slip as slip:
            yield f"{place}: {slip}"


def _described(cells: Mapping[str, str]) -> Iterator[Key]:
    """What describes a row's instrument, where it has all of that."""
    ticker, coupon, due = map(cells.get, _DESCRIBING)
    if ticker is not None and not TICKER.fullmatch(ticker.upper()):
        raise _Slip(f"ticker {ticker!r} is none")
    if coupon is not None and not COUPON.fullmatch(coupon):
        raise _Slip(f"coupon {coupon!r} is no percentage, as 4.65")
    try:
        day = date.fromisoformat(due) if due is not None else None
    except ValueError:
        raise _Slip(f"maturity {due!r} is no day, as 2046-02-23") from None
    if ticker is not None and coupon is not None and day is not None:
        yield DESCRIBED, described(ticker.upper(), Fraction(coupon), day.isoformat())


def _require_same(key: Key, known: Known, first: tuple[str, Known]) -> None:
    place, other = first
    for field in Known.__struct_fields__:
        here, there = getattr(known, field), getattr(other, field)
        if here != there:
            raise _Slip(f"{' '.join(key)} has {field} {here} here, and {there} in {place}")
