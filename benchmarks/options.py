"""The options that benchmarks have in common."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def options(doc: str | None, *, runs: int, **counts: int) -> Any:
    """What the command line says: `runs`, `counts` by their names, with these defaults, and `folder`, or None."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"runs": runs, **counts}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured; default: for temporary files")
    return parser.parse_args()
