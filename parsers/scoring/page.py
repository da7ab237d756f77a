"""The page of a corpus's figures, and its plot."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from parsers.scoring.corpus import GROUPS, Report
from parsers.scoring.figures import Figures

_TITLES = {"asset_class": "By asset class", "format": "By format", "language": "By language"}
_HEAD = "| | quotes | recall | price exact | exact row | false prices |\n|---|---|---|---|---|---|"
_WORST = 20
CONFIDENCE = "\n## Confidence\n"
"""From here on a page has what the fit of trust writes of rows left out."""
_BAR, _ROW, _LEFT = 400, 18, 190  # pixels: a bar of 100 %, a row, where bars begin


def page(report: Report, *, corpus: str, version: str, command: str, plot: str) -> str:
    """The page in Markdown.

    Args:
        report: the figures.
        corpus: what to call the corpus.
        version: of the parser.
        command: that writes the page.
        plot: file name of the plot beside it.
    """
    return "\n".join([*_lines(report, corpus, version, command, plot), ""])


def _lines(report: Report, corpus: str, version: str, command: str, plot: str) -> Iterator[str]:
    yield f"# Accuracy\n\nWritten by `{command}` with parser {version}, on {corpus}.\n"
    yield "Price exact: instrument, quote type and levels are right. Exact row: class, currency, maturity, coupon,"
    yield "kind, side, sizes, benchmark, tenor and option structure too. False prices: of the quotes found, those in no"
    yield "truth or with a wrong price. Counts stand beside the ratios; `n/a` is a ratio of nothing.\n"
    yield "A corpus that rules were made with flatters them: how dealers never seen are read, only their mails tell.\n"
    yield f"![Exact rows by asset class]({plot})\n"
    yield f"{_HEAD}\n{_row('all', report.total)}\n"
    yield f"Refusals of mails and parts that the truth has: {report.refusals_found} of {report.refusals} found."
    yield f"Mails without a quote in which one was found: {report.spoken} of {report.silent}."
    yield f"Sides swapped: {report.total.side_swaps}.\n"
    for group in GROUPS:
        yield f"## {_TITLES[group]}\n\n{_HEAD}"
        yield from (_row(name, figures) for (of, name), figures in sorted(report.groups.items()) if of == group)
        yield ""
    yield "## By field\n\n| field | F1 |\n|---|---|"
    yield from (f"| {name} | {percent(value)} |" for name, value in report.fields.items())
    yield f"\n## What is wrong\n\n{'Nothing.' if not report.worst else ''}"
    for one in report.worst[:_WORST]:
        yield f"- {one.case.name}: {'; '.join(map(str, one.score.wrongs[:3]))}"


def plot_svg(report: Report) -> str:
    """A bar a class: its exact rows, over the lighter one of exact prices."""
    named = [(name, figures) for (group, name), figures in sorted(report.groups.items()) if group == GROUPS[0]]
    height = _ROW * (len(named) + 1)
    size = f'width="{_LEFT + _BAR + 120}" height="{height}"'
    made = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">']
    for at, (name, figures) in enumerate(named):
        top = _ROW * at + 4
        label = f"{percent(figures.exact_share)} of {figures.expected}"
        made += [
            f'<text x="{_LEFT - 8}" y="{top + 11}" text-anchor="end">{escape(name)}</text>',
            _bar(top, figures.price_exact_share, "#c6d8ec"),
            _bar(top, figures.exact_share, "#3b75af"),
            f'<text x="{_LEFT + _BAR + 8}" y="{top + 11}">{label}</text>',
        ]
    return "\n".join([*made, "</svg>", ""])


def _bar(top: int, share: float | None, colour: str) -> str:
    return f'<rect x="{_LEFT}" y="{top}" width="{_BAR * (share or 0):.0f}" height="13" fill="{colour}"/>'


def percent(value: float | None) -> str:
    """`98.25 %`, or n/a."""
    return "n/a" if value is None else f"{100 * value:.2f} %"


def _row(name: str, figures: Figures) -> str:
    shares = (figures.recall, figures.price_exact_share, figures.exact_share, figures.false_price_rate)
    return f"| {name} | {figures.expected} | " + " | ".join(map(percent, shares)) + " |"
