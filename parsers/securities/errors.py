"""What is wrong with a dictionary of instruments."""

from __future__ import annotations


class SecuritiesError(ValueError):
    """The file is no dictionary of instruments, or contradicts itself; the message names it, and the lines."""

    exit_code = 2
