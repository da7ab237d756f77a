"""The gate: how much of a dealer's quotes of one asset class a reparse may change before somebody must say why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.jobs.reparsing.changes import queried
from pipelines.readers.differences import LEVELS

if TYPE_CHECKING:
    from conf.settings import ReparseSettings
    from pipelines.jobs.reparsing.shadows import Shadow
    from pipelines.tables.store.interface import Store

_LEVEL_FIELDS = f"list_filter(fields, lambda each : each.name IN {(*LEVELS, 'quote_type')!r})"
_BY_DEALER = f"""
    SELECT dealer, asset_class,
        count(*) FILTER (kind = 'lost')::BIGINT AS lost_rows,
        count(*) FILTER (kind = 'changed' AND len({_LEVEL_FIELDS}) > 0)::BIGINT AS changed_levels,
        count(*) FILTER (reason = 'sides swapped')::BIGINT AS swapped_sides,
        list_distinct(flatten(list(list_transform({_LEVEL_FIELDS}, lambda each : each.name)))) AS fields
    FROM differences WHERE "table" = 'quotes' GROUP BY ALL ORDER BY dealer, asset_class
"""
_TOLD = {
    "lost_rows": "{rows} of {before} quotes would be gone",
    "changed_levels": "{rows} of {before} quotes would have another {fields}",
    "swapped_sides": "{rows} of {before} quotes would have bid and ask exchanged",
}


@dataclass(frozen=True, slots=True)
class Tripped:
    """A limit that a shadow goes beyond."""

    limit: str  # its name in [reparse]
    dealer: str | None
    asset_class: str
    rows: int
    before: int  # quotes of this dealer and class
    fields: tuple[str, ...]  # of the levels that would be others

    def __str__(self) -> str:
        told = _TOLD[self.limit].format(rows=self.rows, before=self.before, fields=" or ".join(self.fields))
        return f"{self.dealer or 'no dealer'}, {self.asset_class}: {told} ([reparse] {self.limit})"


def tripped(store: Store, shadow: Shadow, limits: ReparseSettings) -> list[Tripped]:
    """The limits that the shadow goes beyond, by dealer and asset class. Raises TablesDamaged."""
    before = {(each.dealer, each.asset_class): each.before for each in shadow.levels}
    found = []
    for row in queried(store, shadow, _BY_DEALER):
        there = before.get((row["dealer"], row["asset_class"]), 0)
        found += [
            Tripped(limit, row["dealer"], row["asset_class"], row[limit], there, tuple(sorted(row["fields"])))
            for limit in _TOLD
            if row[limit] > getattr(limits, limit) * there
        ]
    return found
