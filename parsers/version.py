"""`<label>+<digest>.<digest>`: what the rows of a mail depend on beside its bytes (spec ruling 34).

The first digest is of the parsers: their code, their data, the versions of the engines; the second of what users teach.
Equal versions give equal rows. Digests have no order: of two that differ, neither is known to be the newer.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import parsers

if TYPE_CHECKING:
    from parsers.taught import Taught

ENGINES = (
    "asn1crypto",
    "compressed-rtf",
    "lxml",
    "mail-parser",
    "olefile",
    "pdfminer.six",
    "py7zr",
    "pypdfium2",
    "python-calamine",
    "python-stdnum",
    "tnefparse",
    "tzdata",
)
"""Libraries whose next version may read the same bytes otherwise; so may Python's own, which is asked by itself."""

_ROOM = Path(__file__).parent
_KINDS = frozenset({".py", ".toml"})
_SHOWN = 12  # hex digits of each digest


def parser_version(taught: Taught) -> str:
    """Of the parsers in this process, taught so: `0.9.0+1f2e3d4c5b6a.0a1b2c3d4e5f`."""
    return f"{parsers_alone()}.{taught.digest[:_SHOWN]}"


@cache
def parsers_alone() -> str:
    """Label and first digest, of the files as they are when it is first asked for."""
    return f"{parsers.__version__}+{digest_of(_ROOM, _engines())}"


def digest_of(room: Path, engines: Iterator[str]) -> str:
    """Of the modules and data below a folder, wherever that lies, and of lines that name engines.

    Neither compiled files nor times count, and line endings do not: a checkout and a wheel have the same.
    """
    found = hashlib.sha256()
    files = {path.relative_to(room).as_posix(): path for path in room.rglob("[!.]*") if path.suffix in _KINDS}
    for name in sorted(files):
        content = files[name].read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{name}\n{len(content)}\n".encode())
        found.update(content)
    for line in engines:
        found.update(f"{line}\n".encode())
    return found.hexdigest()[:_SHOWN]


def _engines() -> Iterator[str]:
    yield f"python {platform.python_version()}"
    for name in ENGINES:
        yield f"{name} {metadata.version(name)}"
