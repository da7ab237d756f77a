"""How the rows of a table are read: resolved once a table and class, so that rows only look values up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parsers.codes import QuoteType
from parsers.quotes.classes import rules_of
from parsers.quotes.headings.columns import Column
from parsers.quotes.headings.phrases import heading
from parsers.quotes.headings.roles import IGNORED, LEVEL, SIZE
from parsers.quotes.headings.surroundings import Surroundings
from parsers.quotes.tables.columns.table import Table
from parsers.quotes.tables.grids.headers import is_numeric
from parsers.quotes.tables.plans.counting import counted_in, size_columns, size_rules
from parsers.quotes.tables.plans.planning import VOLS, Planned, Planner
from parsers.quotes.tables.plans.slots import slots
from parsers.values.sizes import SizeRules

_COUPON_IS_RATE = frozenset({"cd", "commercial_paper", "repo", "irs", "inflation_swap", "swaption", "trs"})
_LOAN_SPREAD = frozenset({"leveraged_loan"})
_TO_CALL = re.compile(r"ytc|\bcall\b", re.IGNORECASE)


class Plan(Struct, frozen=True):
    """How to read the rows of one class of a table."""

    levels: tuple[Planned, ...]
    sizes: tuple[tuple[Column, SizeRules], ...]
    orig_face: tuple[Column, SizeRules] | None  # never a size (ruling 2)
    unit_par: int | None  # cell of a preferred's par
    margin: int | None = None  # cell of a loan's contractual spread
    coupon: int | None = None  # cell of a coupon, under `Rate` too (ruling 14)


def plan_of(
    table: Table,
    class_name: str,
    said: Surroundings,
    currency: str | None,
    *,
    stated: str | None = None,
    instrument: str = "",
) -> Plan:
    """The plan for the rows of one class.

    Args:
        table: the table.
        class_name: its rows' class.
        said: what stands around the rows.
        currency: of the rows, where known: agencies are in 32nds in dollars only.
        stated: what the rows themselves say that their bare levels measure: those of the class that trade on price.
        instrument: text of one of them: futures have 32nds of their own.
    """
    knowledge = rules_of(class_name)
    counted = next(filter(None, (counted_in(column, knowledge.size_unit) for column in table.columns)), None)
    by_unit = counted == "shares" or knowledge.size_unit == "shares" or said.unit_par is not None
    by_unit = by_unit or said.measure == "price_unit"
    columns = _columns(table, class_name)
    found = slots(_believed(columns, is_named=table.is_named))
    planner = Planner(table, class_name, said, by_unit, stated, currency, instrument)
    planned: list[Planned] = []
    for slot in found:
        one = planner.planned(slot, found, planned)
        planned += () if one is None else (one,)
    sizes, unit_par = size_columns(
        table, columns, class_name, said, knowledge.size_unit if counted is None else counted
    )
    face = next((column for column in table.columns if column.role == "orig_face"), None)
    faces = (face, size_rules(table, face, class_name, said, "face_ccy")) if face is not None else None
    margin = next((column.at for column in columns if column.role == "margin"), None)
    coupon = next((column.at for column in columns if column.role == "coupon"), None)
    return Plan(tuple(planned), sizes, faces, unit_par, margin, coupon)


def left_out(table: Table) -> list[Column]:
    """Columns of bids or offers beside others that are read, whose own headings are not understood whole.

    Where one of the words is of what is no quote they are such columns all the same, if they hold figures: whatever
    `Bid clean excl. accrued` says, it is not `Bid accrued`.
    """
    believed = _believed(table.columns, is_named=table.is_named)
    sided = [one for one in table.columns if believed and one.side in {"bid", "ask"} and one not in believed]
    return [
        one for one in sided if one.is_level or (one.role == IGNORED and not one.clear and _has_figures(table, one))
    ]


def _has_figures(table: Table, column: Column) -> bool:
    return any(is_numeric(row.cells[column.at]) for row in table.sample)


def _believed(columns: Sequence[Column], *, is_named: bool) -> list[Column]:
    """The level columns that are understood; where there are none, the only two alike but for their sides.

    `Punta Compra`, `Punta Venta`: whatever the other word says, they are a market, and so is one of both sides.
    """
    levels = [column for column in columns if column.is_level]
    clear = [column for column in levels if column.clear or not is_named]
    if clear:
        return clear
    sided = [column for column in levels if column.side in {"bid", "ask"}]
    if len(levels) == 1 and levels[0].side == "both":
        return levels
    if [column.side for column in sided] != ["bid", "ask"] or sided[0].measure != sided[1].measure:
        return []
    bid, ask = (heading(column.text).unknown for column in sided)
    return sided if bid == ask else []


def _columns(table: Table, class_name: str) -> list[Column]:
    """The columns, those whose meaning the class settles settled.

    `Rate` is a level of money markets and swaps, elsewhere a coupon (ruling 14), and so it is beside a price; a loan's
    `Spread` is its margin, and so is a floater's beside its discount margin.
    """
    is_rate = class_name in _COUPON_IS_RATE and not any(column.measure == "price" for column in table.columns)
    types = rules_of(class_name).types
    has_vols = not types or not VOLS.isdisjoint(types) or "strike" in table.fields.at
    has_dm = any(column.measure == "dm_bp" for column in table.columns)
    is_margin = class_name in _LOAN_SPREAD or (has_dm and rules_of(class_name).spread is QuoteType.dm_bp)
    is_forward = class_name == "fx_forward"
    settled = [
        _settled(column, is_rate=is_rate, is_margin=is_margin, has_vols=has_vols, is_forward=is_forward)
        for column in table.columns
    ]
    return _to_call(settled, table) if rules_of(class_name).to_call else settled


def _settled(column: Column, *, is_rate: bool, is_margin: bool, has_vols: bool, is_forward: bool) -> Column:
    """A column as one of a class that has rates, margins, vols or points of forwards, or has none."""
    if column.role == "rate":
        return replace(column, role=LEVEL if is_rate else "coupon")
    if is_margin and column.measure == "spread" and column.side is None and column.kind is None:
        return replace(column, role="margin")
    if column.measure == "vol" and not has_vols:  # `Bid Vol` of a bond
        return replace(column, role=SIZE, measure=None)
    if is_forward and column.mark == "pts" and not column.is_level:  # beside `Outright`
        return replace(column, role=LEVEL, measure=QuoteType.fwd_points)
    return column


def _to_call(columns: list[Column], table: Table) -> list[Column]:
    """The columns; where all rows have a yield to the call, which is how their class is quoted, no other yield."""
    yields = [column for column in columns if column.measure == "yield_pct" and column.is_level]
    called = [column for column in yields if _TO_CALL.search(column.text)]
    is_whole = bool(called) and all(row.cells[column.at].text for row in table.sample for column in called)
    return [column for column in columns if column not in yields or column in called] if is_whole else columns
