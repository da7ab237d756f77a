"""The TOML files that mails are read by, checked all at once before a mail meets them."""

from __future__ import annotations

from pathlib import Path

from parsers.lexicon import entries
from parsers.lexicon.files import tables

_ROOT = Path(__file__).parent


def check_words() -> int:
    """Read every file of words, and the weights of this lexicon; how many there are. Raises WordsBroken, OSError."""
    from parsers.quotes.tables.columns.weights import weights as of_roles
    from parsers.quotes.trust.weights import weights as of_trust
    from parsers.quotes.weighing.weights import weights as of_classes

    files = [tables(file) for file in sorted(_ROOT.rglob("*.toml"))]
    entries()
    of_classes()
    of_roles()
    of_trust()
    return len(files)
