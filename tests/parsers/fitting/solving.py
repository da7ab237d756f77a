"""The weights of a multinomial logistic regression, as a `weights.toml` lists them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from parsers.quotes.listed import Weights

LEAST_CASES = 3
"""Cases that show a piece of evidence, for it to weigh anything."""
SCALE = 10
"""Of the natural logarithm."""
RIDGE = 1.0
STEPS = 120

Floats = NDArray[np.float64]


def weights_of(
    names: Sequence[str], shown: Floats, answers: Sequence[str], right: Iterable[str], weight: Iterable[float]
) -> Weights:
    """The weights that fit the cases.

    Args:
        names: of the pieces of evidence.
        shown: how far each case shows each, (cases, names).
        answers: what is weighed for.
        right: of these the one of each case.
        weight: what each case counts.
    """
    wanted = np.eye(len(answers))[[answers.index(one) for one in right]]
    fitted = np.rint(SCALE * _fitted(shown, wanted, np.array([[one] for one in weight]))).astype(int)
    return {name: tuple(map(int, row)) for name, row in zip(names, fitted, strict=True) if row.any()}


def shown_by(shares: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """How far cases show each piece of evidence, (cases, names)."""
    places = {name: at for at, name in enumerate(names)}
    found = np.zeros((len(shares), len(names)))
    for row, case in zip(found, shares, strict=True):
        for name, share in case.items():
            if name in places:
                row[places[name]] = share
    return found


def as_file(head: str, answers: Sequence[str], weights: Weights) -> str:
    """The weights as `weights.toml` has them, under a head."""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)} = "
        f'"{" ".join(f"{of} {one}" for of, one in zip(answers, weight, strict=True) if one)}"\n'
        for name, weight in weights.items()
    ]
    return f"{head}\n[weights]\n{''.join(lines)}"


def apart(one: Weights, other: Weights) -> int:
    """The most by which two weights differ; what stands in one file alone differs from nothing."""
    none = (0,) * len(next(iter({**one, **other}.values())))
    return max(
        abs(left - right)
        for name in one.keys() | other.keys()
        for left, right in zip(one.get(name, none), other.get(name, none), strict=True)
    )


def _fitted(shown: Floats, wanted: Floats, weight: Floats) -> Floats:
    """The logarithms, (names, answers), by steps that shrink with the mean square of the gradient (RMSprop)."""
    found = np.zeros((shown.shape[1], wanted.shape[1]))
    moved, square = np.zeros_like(found), np.full_like(found, 1e-3)
    for step in range(STEPS):
        odds = shown @ found
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        missed = (odds / odds.sum(axis=1, keepdims=True) - wanted) * weight
        gradient = shown.T @ missed + RIDGE * found
        square = 0.9 * square + 0.1 * gradient**2
        moved = 0.8 * moved + 0.2 * gradient
        found -= (0.15 if step < STEPS * 2 // 3 else 0.03) * moved / np.sqrt(square + 1e-6)
    return found
