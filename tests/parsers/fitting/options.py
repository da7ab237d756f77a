"""What all fits are asked, and of which mails."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from parsers.scoring.pairing import Line
from tests.parsers.freezing import CORPORA

ROOT = Path(__file__).parents[3]
FOLDS = 5


def options(text: str | None) -> argparse.ArgumentParser:
    """The options that all take, under a text."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="of gold and real")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="one mail of N")
    parser.add_argument("--folds", action="store_true", help="write nothing, and show what becomes of mails left out")
    parser.add_argument("--to", type=Path, default=ROOT / "parsers" / "quotes", metavar="FOLDER", help="of all rooms")
    return parser


def mails_of(
    corpora: Iterable[str], shared: Path, share: int
) -> Iterator[tuple[str, str, bytes, Sequence[Line] | None]]:
    """Each `share`th mail of these corpora: corpus, name, bytes, truth. Raises FileNotFoundError: one is not there."""
    for corpus in corpora:
        for at, (name, raw, truth) in enumerate(CORPORA[corpus](shared)):
            if at % share == 0:
                yield corpus, name, raw, truth


def fold_of(dealer: str) -> int:
    """The fold that a dealer's mails are in, all of them."""
    return zlib.crc32(dealer.encode()) % FOLDS
