"""What both fits are asked."""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDS = 5


def options(text: str | None) -> argparse.ArgumentParser:
    """The options that both take, under a text."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="of gold and real")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="one mail of N")
    parser.add_argument("--folds", action="store_true", help="write nothing, and show what becomes of mails left out")
    parser.add_argument("--to", type=Path, default=ROOT / "parsers" / "quotes", metavar="FOLDER", help="of both rooms")
    return parser


def fold_of(dealer: str) -> int:
    """The fold that a dealer's mails are in, all of them."""
    return zlib.crc32(dealer.encode()) % FOLDS
