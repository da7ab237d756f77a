"""Where a section of a mail ends: what one desk's heading says holds for no other desk's lines (spec 5.6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parsers.document import Grid, Line
from parsers.quotes.headings.nearest import MOST, nearest
from parsers.quotes.runs.setting import Setting
from parsers.quotes.runs.told import told

_LOOKED_AT = 3  # tables, the first apart
_LOOKED_BACK = 100  # lines, for the title of a section

_DESKS = (
    frozenset(
        {"corp_ig", "corp_hy", "financial_sub", "em_hard_ccy", "covered_bond", "frn", "agency_ssa", "distressed_debt"}
    ),
    frozenset({"rmbs_nonagency", "cmbs", "abs", "clo", "cdo_trups"}),
    frozenset({"tba_mbs", "agency_mbs_cmo"}),
    frozenset({"cds_index", "cds_single", "cds_tranche", "trs"}),
    frozenset({"irs", "swaption", "inflation_swap"}),
    frozenset({"fx_option", "fx_forward"}),
)
"""Classes that one desk quotes under one heading: `EUR FINANCIALS`, and below it `Seniors` and `AT1s`."""


def is_beyond(setting: Setting, named: str) -> bool:
    """Whether a title of this class begins another desk's section: the heading above is not of it, nor names it."""
    above = setting.section
    if above is None or named == above or named in setting.also:
        return False
    return not any({above, named} <= desk for desk in _DESKS)


def without_section(setting: Setting) -> Setting:
    """The state without what the section above says; what was said above all sections, or by the subject, stays."""
    return replace(
        setting,
        said=setting.general,
        tenor=setting.of_subject.tenor,
        is_order_told=False,
        running=None,
        is_in_m=False,
        measure=None,
        halves=None,
        listed=(),
        is_of_section=False,
        structs=(),
        market=None,
    )


def section_start(lines: Sequence[Line], at: int, setting: Setting) -> int:
    """The index of the title of the section that a line stands in; 0 where no other desk's section stands above it."""
    if not setting.is_later:
        return 0
    start = 0
    for above in range(at - 1, max(at - 1 - _LOOKED_BACK, -1), -1):
        line = told(" ".join(lines[above].text.split()))
        if line.is_title and line.named == setting.section:
            start = above
        elif start and lines[above].text.strip():
            break
    return start


def above_table(
    lines: Sequence[Line], at: int, setting: Setting, tables: Sequence[tuple[int, int]]
) -> list[Line | Grid]:
    """What stands above a table and can be about it, none of another desk's section.

    Args:
        lines: of the part.
        at: the index of the table's first line.
        setting: above the table.
        tables: the first index and the one behind of each table above; an empty grid stands for one.
    """
    start = section_start(lines, at, setting)
    blocks: list[Line | Grid] = []
    for first, end in (*tables[:1], *tables[1:][-_LOOKED_AT:]):
        if end > start:
            blocks += [*lines[start : min(first, start + MOST)], Grid(())]
            start = end
    return [*blocks, *nearest(lines[start:at] if start else lines, at - start)]
