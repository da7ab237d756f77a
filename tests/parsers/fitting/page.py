"""The figures of confidence on rows left out: a section of a page, and its plot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from parsers.scoring.page import CONFIDENCE
from tests.parsers.fitting.trust import Left
from tests.parsers.fitting.trusting import Case

DRAWS, SEED = 1000, 25
COVERAGES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
BINS = 5
_SIDE, _EDGE = 260, 50  # pixels of a plot's square, and around it

Interval = tuple[float, float, float]
"""A share, and what 95 in 100 draws of whole mails lie between."""


def write_page(page: Path, left: Sequence[Left]) -> None:
    """Put the section in place of the page's, and the plot beside it."""
    plot = page.with_name(f"{page.stem}-confidence.svg")
    text = page.read_text("utf-8") if page.is_file() else ""
    section = "\n".join([*_lines(left, plot.name), ""])
    page.write_text(f"{text.partition(CONFIDENCE)[0]}{CONFIDENCE}\n{section}", "utf-8")
    plot.write_text(svg(left), "utf-8")


def _lines(left: Sequence[Left], plot: str) -> Iterator[str]:
    yield "Written by `python -m tests.parsers.fitting.trust --page docs/accuracy.md`: rows by what was fitted without"
    yield "their dealers, in five folds; of real mails, in which nothing is quoted, without their archives. Intervals hold"
    yield f"95 of {DRAWS} draws of whole mails.\n"
    yield f"![Confidence]({plot})\n"
    yield "Of each corpus, and of gold mails from which a heading, a header cell or a unit was taken away:\n"
    yield "| | rows | right prices | accepted | of these false | for review | of these false | refused | of these false |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for corpus in dict.fromkeys(one.case.corpus for one in left):
        yield _of_corpus(corpus, [one for one in left if one.case.corpus == corpus])
    yield "\nCoverage against precision, on all rows, each as its corpus counts in the fit, the most trusted first:\n"
    yield "| of the rows | false prices | exact rows |\n|---|---|---|"
    for coverage, false, exact in curve(left):
        yield f"| {coverage:.0%} | {_shown(false, 2)} | {_shown(exact, 2)} |"
    yield "\nReliability, on the same rows but for what is refused, in five bins of equal weight:\n"
    yield "| mean confidence | exact rows |\n|---|---|"
    for mean, exact in bins(left):
        yield f"| {100 * mean:.1f} % | {_shown(exact, 1)} |"


def _of_corpus(corpus: str, rows: Sequence[Left]) -> str:
    cells = [corpus, str(len(rows)), str(sum(one.case.is_priced for one in rows))]
    for status in ("accepted", "review", "refused"):
        some = [one for one in rows if one.status == status]
        cells += [str(len(some)), str(sum(not one.case.is_priced for one in some))]
    return f"| {' | '.join(cells)} |"


def curve(left: Sequence[Left]) -> list[tuple[float, Interval, Interval]]:
    """Coverage by weight, with the shares of false prices and exact rows among the rows of the highest sums."""
    ranked = sorted(left, key=lambda one: (-one.total, one.case.mail))
    weights = np.cumsum([one.case.weight for one in ranked])
    found = []
    for coverage in COVERAGES:
        some = ranked[: int(np.searchsorted(weights, coverage * weights[-1])) + 1]
        found.append((coverage, drawn(some, lambda case: not case.is_priced), drawn(some, lambda case: case.is_exact)))
    return found


def bins(left: Sequence[Left]) -> list[tuple[float, Interval]]:
    """The mean confidence of each fifth of the kept rows, by weight, with its share of exact rows."""
    kept = [one for one in left if one.status != "refused"]
    ranked = sorted(kept, key=lambda one: (one.confidence, one.total, one.case.mail))
    weights = np.array([one.case.weight for one in ranked])
    ends = np.searchsorted(np.cumsum(weights), weights.sum() * np.arange(1, BINS + 1) / BINS)
    found, start = [], 0
    for end in (*map(int, ends[:-1]), len(ranked)):
        some, weight = ranked[start:end], weights[start:end]
        mean = float(np.average([one.confidence for one in some], weights=weight))
        found.append((mean, drawn(some, lambda case: case.is_exact)))
        start = end
    return found


def drawn(rows: Sequence[Left], is_so: Callable[[Case], bool]) -> Interval:
    """The share of rows, by weight, of which something is so, and its interval by drawing their mails anew."""
    places = {mail: at for at, mail in enumerate(dict.fromkeys((one.case.corpus, one.case.mail) for one in rows))}
    sums = np.zeros((len(places), 2))
    for one in rows:
        sums[places[one.case.corpus, one.case.mail]] += (is_so(one.case) * one.case.weight, one.case.weight)
    chance = np.random.default_rng(SEED)
    shares = []
    for _ in range(DRAWS):
        so, weight = sums[chance.integers(len(places), size=len(places))].sum(axis=0)
        shares.append(so / weight)
    so, weight = sums.sum(axis=0)
    low, high = np.quantile(shares, (0.025, 0.975))
    return float(so / weight), float(low), float(high)


def _shown(share: Interval, digits: int) -> str:
    middle, low, high = (f"{100 * one:.{digits}f}" for one in share)
    return f"{middle} % ({low} to {high})"


def svg(left: Sequence[Left]) -> str:
    """The reliability of all rows, each bin a dot with its interval; both axes from 0.5 to 1."""
    size = _SIDE + 2 * _EDGE
    style = 'font-family="sans-serif" font-size="12"'
    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" {style}>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#999"/>',
        f'<line x1="{_at(0.5)}" y1="{_up(0.5)}" x2="{_at(1)}" y2="{_up(1)}" stroke="#c6d8ec"/>',
        f'<text x="{_EDGE}" y="{_EDGE - 14}">exact rows, by mean confidence</text>',
    ]
    for tick in (0.5, 0.75, 1.0):
        made.append(f'<text x="{_at(tick)}" y="{size - _EDGE + 18}" text-anchor="middle">{tick}</text>')
        made.append(f'<text x="{_EDGE - 6}" y="{_up(tick) + 4}" text-anchor="end">{tick}</text>')
    for mean, (share, low, high) in bins(left):
        made.append(
            f'<line x1="{_at(mean)}" y1="{_up(low)}" x2="{_at(mean)}" y2="{_up(high)}" stroke="#3b75af"/>'
            f'<circle cx="{_at(mean)}" cy="{_up(share)}" r="4" fill="#3b75af"/>'
        )
    return "\n".join([*made, "</svg>", ""])


def _at(share: float) -> int:
    return round(_EDGE + _SIDE * (max(share, 0.5) - 0.5) * 2)


def _up(share: float) -> int:
    return round(_EDGE + _SIDE * (1 - max(share, 0.5)) * 2)
