"""The figures of a corpus as rows for a terminal or a program."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.scoring.corpus import Report
from parsers.scoring.figures import Figures


def rows_of(report: Report) -> Iterator[dict[str, object]]:
    """All mails, then each class, format, language, then the fields, of which only F1 is known."""
    yield _row("all", "all", report.total)
    for (group, name), figures in sorted(report.groups.items()):
        yield _row(group, name, figures)
    for name, value in report.fields.items():
        yield _named("field", name) | {"f1": _rounded(value)}


def _row(group: str, name: str, figures: Figures) -> dict[str, object]:
    return _named(group, name) | {
        "quotes": figures.expected,
        "found": figures.predicted,
        "recall": _rounded(figures.recall),
        "price_exact": _rounded(figures.price_exact_share),
        "exact_row": _rounded(figures.exact_share),
        "false_prices": _rounded(figures.false_price_rate),
        "side_swaps": figures.side_swaps,
    }


def _named(group: str, name: str) -> dict[str, object]:
    keys = ("quotes", "found", "recall", "price_exact", "exact_row", "false_prices", "side_swaps", "f1")
    return {"kind": "figures", "group": group, "name": name} | dict.fromkeys(keys)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
