"""What a shadow would change as a page: counts, the gate, and of each kind of change some rows before and after."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pipelines.jobs.reparsing.gate import Tripped
    from pipelines.jobs.reparsing.shadows import Shadow

EXAMPLES = 5  # of each table, kind, dealer, class and reason
_STYLE = """
body { font: 14px/1.4 sans-serif; margin: 2em; } table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left; vertical-align: top; }
.stopped { background: #fdd; padding: .5em 1em; }
"""
_GROUP = ("table", "kind", "dealer", "asset_class", "reason")


def write_page(
    file: Path,
    shadow: Shadow,
    summary: Sequence[dict[str, Any]],
    stopped: Sequence[Tripped],
    rows: Iterable[dict[str, Any]],
) -> None:
    """Write it to a file that is not there yet. Raises FileExistsError, OSError."""
    columns = list(summary[0]) if summary else []
    parts = [
        f"<!doctype html><meta charset=utf-8><title>Shadow {escape(shadow.id)}</title><style>{_STYLE}</style>",
        f"<h1>Shadow {escape(shadow.id)}</h1><p>{escape(shadow.plan.selection or '')}, {shadow.made.counts.mails} ",
        f"mails, compared with publication {shadow.plan.shadow_of}, parsed by {escape(shadow.plan.parser_version)}</p>",
        *(f"<p class=stopped>The gate stops it: {escape(str(each))}</p>" for each in stopped),
        _table(columns, ([row[name] for name in columns] for row in summary)),
        "<h2>Examples</h2>",
        _table(
            [*_GROUP, "instrument", "before", "after", "as printed", "see"],
            (
                [
                    *(row[name] for name in _GROUP),
                    row["instrument"],
                    *_sides(row),
                    row["raw_text"],
                    _see(row, shadow.id),
                ]
                for row in _examples(rows)
            ),
        ),
    ]
    with file.open("x", encoding="utf-8") as to:
        to.write("".join(parts))


def _examples(rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    seen: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        group = tuple(row[name] for name in _GROUP)
        seen[group] += 1
        if seen[group] <= EXAMPLES:
            yield row


def _sides(row: dict[str, Any]) -> tuple[str, str]:
    before = "; ".join(f"{each['name']} {each['before']}" for each in row["fields"])
    after = "; ".join(f"{each['name']} {each['after']}" for each in row["fields"])
    return before or ("" if row["kind"] == "added" else "there"), after or ("" if row["kind"] == "lost" else "there")


def _see(row: dict[str, Any], shadow: str) -> str:
    place = f"{row['topic']}:{row['log_partition']}:{row['log_offset']}"
    record_id = row["record_id"] or row["record_id_after"]
    return f"otclog explain {record_id[:12]} --shadow {shadow}" if record_id else f"otclog mail {place}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(name)}" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}' for value in row)}" for row in rows)
    return f"<table><tr>{head}{body}</table>"


def _cell(value: Any) -> str:
    return "" if value is None else escape(str(value))
