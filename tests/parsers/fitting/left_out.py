"""How mails are read by weights that were fitted without them: of dealers, of a hand that wrote gold, of a language, of a generator.

Prints a row of figures for each group of mails left out: the weights of classes and of trust are fitted on all other mails
of FOLDER (../shared), of desks and of random dealers, and the group is read by them. What is known of words stays. The
evidence of other mails' trust was read with the group's classes known.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import Struct

import parsers.quotes.trust.weights as of_trust
import parsers.quotes.weighing.weights as of_classes
from parsers.goldform import gold_form
from parsers.parse import parse_mail
from parsers.quotes.listed import Weights
from parsers.scoring.figures import Figures, score_mail
from parsers.scoring.pairing import Line
from tests.parsers.fitting import classes, solving, trust, trusting
from tests.parsers.fitting.options import ROOT, fold_of, mails_of

_HEAD = (
    "| left out | mails | quotes | price-exact | exact row | false prices | accepted | of these false |\n"
    "|---|---|---|---|---|---|---|---|\n"
)
READ = ("gold-dev", "gold-second", "desks", "dealers")


class Known(Struct, frozen=True):
    """A mail, what it says, and what is fitted on it."""

    corpus: str
    name: str
    raw: bytes
    truth: Sequence[Line]
    language: str
    of_classes: Sequence[classes.Case]
    of_trust: Sequence[trusting.Case]


class Left(Struct, frozen=True):
    """How a group was read: all rows, and those accepted."""

    every: Figures
    accepted: Figures
    mails: int


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", metavar="FOLDER")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="fit and read one mail of N")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="of those that are printed; default: all")
    said = parser.parse_args()
    known = list(known_mails(said.shared, said.share))
    there = sorted({name for one in known for name in groups_of(one)})
    if unknown := set(said.groups).difference(there):
        parser.error(f"no mail that is read is of {', '.join(sorted(unknown))}; there are: {', '.join(there)}")
    sys.stdout.write(_HEAD)
    for name in said.groups or there:
        sys.stdout.write(f"{told(name, left_out(known, name))}\n")
        sys.stdout.flush()
    return 0


def known_mails(shared: Path, share: int = 1) -> Iterator[Known]:
    """All mails, with their evidence. Raises FileNotFoundError: a corpus is not there."""
    for corpus, name, raw, truth in mails_of((*READ, "real"), shared, share):
        yield known_of(corpus, name, raw, truth or ())


def known_of(corpus: str, name: str, raw: bytes, truth: Sequence[Mapping[str, Any]]) -> Known:
    """A mail with its evidence; its truth as gold has it."""
    meta = next((line for line in truth if line["kind"] == "meta"), {})
    quotes = [line for line in truth if line["kind"] == "quote"]
    by_class = classes.counted_cases_of(corpus, name, raw, quotes) if corpus != "real" else ()
    by_trust = trusting.cases_of(corpus, name, raw, quotes)
    return Known(corpus, name, raw, quotes, meta.get("language", "en"), list(by_class), list(by_trust))


def groups_of(one: Known) -> Iterator[str]:
    """The groups that a mail is left out with."""
    if one.corpus.startswith("gold"):
        yield f"dealers of gold, fold {_fold(one) + 1}"
        yield f"gold {one.name[0]}"
    if one.language != "en":
        yield f"language {one.language}"
    if one.corpus in {"desks", "dealers"}:
        yield f"generator {one.corpus}"


def _fold(one: Known) -> int:
    return fold_of(one.of_trust[0].dealer) if one.of_trust else fold_of(one.name)


def left_out(known: Sequence[Known], group: str) -> Left:
    """A group, read by what all others fit."""
    mails = [one for one in known if group in groups_of(one)]
    others = [one for one in known if group not in groups_of(one)]
    weights = classes.weights_of([case for one in others for case in one.of_classes])
    trusted = trust.fitted([case for one in others for case in one.of_trust])
    with read_by(weights, trusted):
        scores = [_scores(one) for one in mails]
    every, accepted = (sum(some, Figures()) for some in zip(*scores, strict=True))
    return Left(every, accepted, len(mails))


@contextmanager
def read_by(weights: Weights, trusted: trust.Fitted) -> Iterator[None]:
    """While this lasts, mails are read by these weights."""
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "classes.toml"), Path(folder, "trust.toml")
        one.write_text(solving.as_file(classes.HEAD, of_classes.CLASSES, weights), "utf-8")
        other.write_text(trust.as_file(trusted), "utf-8")
        with patch.object(of_classes, "FILE", one), patch.object(of_trust, "FILE", other):
            _forget()
            yield
        _forget()


def _forget() -> None:
    of_classes.weights.cache_clear()
    of_trust.weights.cache_clear()


def _scores(one: Known) -> tuple[Figures, Figures]:
    """Of all rows, and of those accepted."""
    quotes = [quote for quote in parse_mail(one.raw).quotes if quote.duplicate_of is None]
    sure = [quote for quote in quotes if quote.status == "accepted"]
    every, accepted = (score_mail(one.truth, [gold_form(quote) for quote in some]).figures for some in (quotes, sure))
    return every, accepted


def told(name: str, left: Left) -> str:
    """A row of the table."""
    every, accepted = left.every, left.accepted
    shares = (every.price_exact_share, every.exact_share, every.false_price_rate)
    figures = " | ".join("" if share is None else f"{share:.2%}" for share in shares)
    false = "" if accepted.false_price_rate is None else f"{accepted.false_price_rate:.2%}"
    return f"| {name} | {left.mails} | {every.expected} | {figures} | {accepted.predicted} | {false} |"


if __name__ == "__main__":
    sys.exit(main())
