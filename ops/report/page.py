"""The report as a page, which needs nothing else: its plots are in it, and it fetches nothing and runs nothing."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

from conf.printable import printable
from ops.report.figures import HOURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from ops.report.figures import Section

MOST = 200  # rows of a table
_STYLE = """
body { font: 14px/1.4 sans-serif; margin: 2em; } table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left; vertical-align: top; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_DRAWN = ("mails", "quotes", "lines")
_WIDTH, _HEIGHT, _TOP = 26, 120, 18  # pixels: of an hour, of the highest bar, above it


def write_page(file: Path, day: date, sections: Sequence[Section]) -> None:
    """Write it to a file that is not there yet, for its owner alone. Raises FileExistsError, OSError."""
    title = f"Operations of {day.isoformat()}"
    parts = [
        f'<!doctype html><meta charset=utf-8><meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1><p>Days and hours are in UTC.</p>",
    ]
    for section in sections:
        parts.append(f"<h2>{escape(section.name.capitalize())}</h2>")
        if section.name == HOURS:
            parts += [_bars(name, {row["hour"]: row[name] for row in section.rows}) for name in _DRAWN]
        else:
            parts.append(_table(section.rows))
    with open(file, "x", encoding="utf-8", opener=_private) as to:
        to.write("\n".join([*parts, ""]))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _bars(name: str, counts: Mapping[int, int]) -> str:
    """A bar an hour, with its count where there is any."""
    most = max([*counts.values(), 1])
    size = f'width="{_WIDTH * 24}" height="{_HEIGHT + 2 * _TOP + 20}"'
    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="10" role="img">',
        f"<title>{escape(name)} by hour</title>",
        f'<text x="0" y="12" font-size="13">{escape(name)}: {sum(counts.values())}</text>',
    ]
    for hour in range(24):
        count = counts.get(hour, 0)
        high, left = round(_HEIGHT * count / most), _WIDTH * hour
        top = _TOP + 20 + _HEIGHT - high
        made.append(f'<rect x="{left}" y="{top}" width="{_WIDTH - 4}" height="{high}" fill="#3b75af"/>')
        made.append(f'<text x="{left}" y="{_HEIGHT + 2 * _TOP + 16}">{hour:02}</text>')
        if count:
            made.append(f'<text x="{left}" y="{top - 2}">{_short(count)}</text>')
    return "\n".join([*made, "</svg><br>"])


def _short(count: int) -> str:
    """In at most four characters."""
    return str(count) if count < 10_000 else f"{count // 1000}k" if count < 1_000_000 else f"{count // 1_000_000}M"


def _table(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return "<p>None.</p>"
    head = "".join(f"<th>{escape(name)}" for name in rows[0])
    body = "".join(f"<tr>{_cells(row.values())}" for row in rows[:MOST])
    more = f"<p>{len(rows) - MOST} more</p>" if len(rows) > MOST else ""
    return f"<table><tr>{head}{body}</table>{more}"


def _cells(values: Iterable[Any]) -> str:
    return "".join(f"<td>{escape(printable(_text(value)))}" for value in values)


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%H:%M:%S")
    return "" if value is None else str(value)
