"""What a desk writes, and what it states."""

from __future__ import annotations

Case = tuple[str, str, list[str]]
"""Subject; the text, or rows with `|` between their cells; of each quote the name, its type, its levels, and facts."""
