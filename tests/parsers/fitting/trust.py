"""Fit what each factor weighs for how far a row is trusted, and what sums of weights mean, from rows of known mails.

Writes `trust/weights.toml` of the folder that --to names. Fitted on are the rows of the gold corpora of FOLDER
(../shared), as they are and with one thing changed (`harder.HARDER`), of desks, of 1,000 dealers made at random,
and of FOLDER's real mails, in which nothing is quoted; with --share on one mail of N. Weights are those of a logistic
regression, ten times its logarithms, rounded. What a sum means is counted on mails left out: five times the weights are
fitted without a fifth of the dealers (of real mails: of the archives), whose rows then are summed; the share of exact
rows is made to rise with the sum, in ten steps at most. --page writes the figures of these rows into a page.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from parsers.quotes.trust.trust import AT_MOST_REVIEW
from tests.parsers.fitting.options import FOLDS, fold_of, options
from tests.parsers.fitting.solving import LEAST_CASES, SCALE, Floats
from tests.parsers.fitting.trusting import Case, cases

RIDGE = 3.0
STEPS, SETTLED = 25, 1e-3
MOST_SHARES = 10
LEAST_OF_SHARE = 300.0
"""Rows, weighted, that a share is counted on."""
MOST_FALSE = 0.005
"""Of what is accepted, by weight, the share whose price is false."""
_HEAD = (
    "# Written by scripts/fit: what each factor of a row weighs, and what sums mean; weights.py says how to read it.\n"
)


class Fitted(Struct, frozen=True):
    """Weights, and what sums of them mean."""

    factors: Mapping[str, int]
    accepted: int
    review: int
    shares: tuple[tuple[int, float], ...]  # from which sum on, with the share of exact rows


def main() -> int:
    """The exit code."""
    parser = options(__doc__)
    parser.add_argument(
        "--page", type=Path, help="write the figures of mails left out into this page, and a plot beside"
    )
    said = parser.parse_args()
    known = list(cases(said.shared, said.share))
    if said.page is not None:
        from tests.parsers.fitting.page import write_page

        write_page(said.page, left_out(known))
    elif said.folds:
        sys.stdout.writelines(told(left_out(known)))
    else:
        (said.to / "trust" / "weights.toml").write_text(as_file(fitted(known)), "utf-8")
    return 0


def fitted(known: Sequence[Case]) -> Fitted:
    """The weights of all cases, with limits and shares by their sums when they are left out.

    Rows that a rule keeps from being accepted, whatever they weigh, teach nothing of what is.
    """
    known = list(filter(_is_weighed, known))
    weights, base = weights_of(known)
    sums = [total - base for total in sums_left_out(known)]
    return with_shares(weights, known, sums)


def _is_weighed(case: Case) -> bool:
    return AT_MOST_REVIEW.isdisjoint(case.factors)


def sums_left_out(known: Sequence[Case]) -> list[int]:
    """The sum of each case, with the part that all rows have, by weights that were fitted without its dealer."""
    sums = [0] * len(known)
    for fold in range(FOLDS):
        weights, base = weights_of([case for case in known if _is_weighed(case) and fold_of(case.dealer) != fold])
        for at, case in enumerate(known):
            if fold_of(case.dealer) == fold:
                sums[at] = base + sum(weights.get(name, 0) for name in case.factors)
    return sums


def weights_of(known: Sequence[Case]) -> tuple[dict[str, int], int]:
    """What factors weigh, and what all rows have; factors in fewer than three cases weigh nothing.

    Nor do doubts that rows were right in spite of: a flag never adds to trust.
    """
    times = Counter(name for case in known for name in case.factors)
    names = sorted(name for name, count in times.items() if LEAST_CASES <= count <= len(known) - LEAST_CASES)
    while True:
        found = np.rint(SCALE * _logarithms(_shown(known, names), known)).astype(int)
        doubtless = {
            name for name, weight in zip(names, found, strict=False) if weight > 0 and name.startswith("flag.")
        }
        if not doubtless:
            return {name: int(weight) for name, weight in zip(names, found, strict=False) if weight}, int(found[-1])
        names = [name for name in names if name not in doubtless]


def _shown(known: Sequence[Case], names: Sequence[str]) -> Floats:
    """Which case shows which factor, (cases, names and one more that all show)."""
    places = {name: at for at, name in enumerate(names)}
    shown = np.zeros((len(known), len(names) + 1))
    shown[:, -1] = 1.0
    for row, case in zip(shown, known, strict=True):
        row[[places[name] for name in case.factors if name in places]] = 1.0
    return shown


def _logarithms(shown: Floats, known: Sequence[Case]) -> Floats:
    """By Newton's steps; the last column, that of all rows, is not held back."""
    exact = np.array([float(case.is_exact) for case in known])
    weight = np.array([case.weight for case in known])
    ridge = np.full(shown.shape[1], RIDGE)
    ridge[-1] = 1e-3
    found = np.zeros(shown.shape[1])
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-np.clip(shown @ found, -30, 30)))
        gradient = shown.T @ ((odds - exact) * weight) + ridge * found
        curve = (shown.T * (weight * odds * (1 - odds))) @ shown + np.diag(ridge)
        step = np.linalg.solve(curve, gradient)
        found -= step
        if np.abs(step).max() < SETTLED:
            break
    return found


class Step(Struct):
    """Sums from one on, of which the next rising step begins where this one ends."""

    least: int
    weight: float
    exact: float
    priced: float

    @property
    def share(self) -> float:
        """Of exact rows, with one more of each kind: no count proves that none is wrong."""
        return (self.exact + 1) / (self.weight + 2)


def with_shares(weights: Mapping[str, int], known: Sequence[Case], sums: Sequence[int]) -> Fitted:
    """The limits, and the share of exact rows from each of a few sums on.

    What is refused sums to less than any known row with a right price.
    """
    steps = _rising(known, sums)
    accepted = next(at for at in range(len(steps) + 1) if _false(steps[at:]) <= MOST_FALSE)
    review = max(at for at in range(accepted + 1) if not any(step.priced for step in steps[:at]))
    below, above = steps[review:accepted], steps[accepted:]
    while len(below) + len(above) > MOST_SHARES or _is_small(below) or _is_small(above):
        _join_nearest(below, above)
    last = 0.0
    shares = []
    for step in (*below, *above):
        last = max(last, step.share)
        shares.append((step.least, last))
    return Fitted(weights, above[0].least if above else max(sums) + 1, shares[0][0], tuple(shares))


def _rising(known: Sequence[Case], sums: Sequence[int]) -> list[Step]:
    """Steps of rising shares: neighbours of which the higher has the lower share are one (pool adjacent violators)."""
    steps: list[Step] = []
    by_sum: dict[int, Step] = {}
    for case, total in zip(known, sums, strict=True):
        step = by_sum.setdefault(total, Step(total, 0.0, 0.0, 0.0))
        step.weight += case.weight
        step.exact += case.weight * case.is_exact
        step.priced += case.weight * case.is_priced
    for total in sorted(by_sum):
        steps.append(by_sum[total])
        while len(steps) > 1 and steps[-2].exact * steps[-1].weight >= steps[-1].exact * steps[-2].weight:
            steps.append(_joined(steps.pop(-2), steps.pop()))
    return steps


def _joined(lower: Step, upper: Step) -> Step:
    return Step(lower.least, lower.weight + upper.weight, lower.exact + upper.exact, lower.priced + upper.priced)


def _false(steps: Sequence[Step]) -> float:
    weight = sum(step.weight for step in steps)
    return 1 - sum(step.priced for step in steps) / weight if weight else 0.0


def _is_small(steps: Sequence[Step]) -> bool:
    return len(steps) > 1 and min(step.weight for step in steps) < LEAST_OF_SHARE


def _join_nearest(below: list[Step], above: list[Step]) -> None:
    """Join two neighbours on one side of the limit: of the smallest step, else those whose joining loses the least."""
    losses = [
        (_loss(side[at], side[at + 1]), number, at)
        for number, side in enumerate((below, above))
        for at in range(len(side) - 1)
    ]
    _, number, at = min(losses)
    side = (below, above)[number]
    side[at : at + 2] = [_joined(side[at], side[at + 1])]


def _loss(lower: Step, upper: Step) -> float:
    """What of the squared distance of shares is lost; nothing where one is too small to be counted."""
    if min(lower.weight, upper.weight) < LEAST_OF_SHARE:
        return -1.0 / max(min(lower.weight, upper.weight), 1e-9)
    apart = upper.exact / upper.weight - lower.exact / lower.weight
    return lower.weight * upper.weight / (lower.weight + upper.weight) * apart**2


class Left(Struct, frozen=True):
    """A case, by weights, limits and shares that were made without its dealer."""

    case: Case
    total: int
    confidence: float
    status: str  # accepted, review, refused


def left_out(known: Sequence[Case]) -> list[Left]:
    """Each case by what was made without its dealer: weights, and the limits and shares of the other folds."""
    sums = sums_left_out(known)
    found = []
    for fold in range(FOLDS):
        others = [at for at, case in enumerate(known) if _is_weighed(case) and fold_of(case.dealer) != fold]
        by = with_shares({}, [known[at] for at in others], [sums[at] for at in others])
        for at, case in enumerate(known):
            if fold_of(case.dealer) == fold:
                total = sums[at] if _is_weighed(case) else min(sums[at], by.accepted - 1)
                found.append(Left(case, total, *_meaning(by, total)))
    return found


def _meaning(by: Fitted, total: int) -> tuple[float, str]:
    share = next((share for least, share in reversed(by.shares) if total >= least), 0.0)
    return share, "accepted" if total >= by.accepted else "review" if total >= by.review else "refused"


def told(left: Sequence[Left]) -> Iterator[str]:
    """Lines of figures: of each corpus the rows, those of each status, and how many of them are false or not exact."""
    for corpus in dict.fromkeys(one.case.corpus for one in left):
        of_it = [one for one in left if one.case.corpus == corpus]
        yield f"{corpus}: {len(of_it)} rows, {sum(one.case.is_priced for one in of_it)} priced, "
        yield f"{sum(one.case.is_exact for one in of_it)} exact"
        for status in ("accepted", "review", "refused"):
            some = [one.case for one in of_it if one.status == status]
            mails = len({case.mail for case in some})
            false = sum(not case.is_priced for case in some)
            yield f"; {status} {len(some)} in {mails} mails, false {false}, exact {sum(case.is_exact for case in some)}"
        yield "\n"


def as_file(found: Fitted) -> str:
    """The weights as `weights.toml` has them."""
    shares = "".join(f'"{least}" = "{min(share, 0.999):.3f}"\n' for least, share in found.shares)
    factors = "".join(f'"{name}" = {weight}\n' for name, weight in sorted(found.factors.items()))
    limits = f"accepted = {found.accepted}\nreview = {found.review}\n"
    return f"{_HEAD}\n[limits]\n{limits}\n[shares]\n{shares}\n[factors]\n{factors}"


if __name__ == "__main__":
    sys.exit(main())
