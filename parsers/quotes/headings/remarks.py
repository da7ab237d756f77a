"""Lines on the day's market, which head nothing, whatever class they speak of: `Vols higher`, `Watching CDS today.`."""

from __future__ import annotations

import re

_COLOUR = re.compile(
    r"\b(?:wider|tighter|firmer)\b|"
    r"\b(?i:busy|supply|issuance|tone|outperform\w*|underperform\w*|rall(?:y|ied|ying)|sell-?off|sold off|well bid)\b|"
    r"\b(?:soft|tight|active|strong|weak)(?=\W*(?:$|today|again))|"
    r"\b(?:higher|lower|softer|weaker|steeper|flatter)(?=\s*(?:$|[.,;!]|(?:on|in|this|today|again|by|from|after)\b))",
)
_LEAST_WORDS = 3


def is_colour(text: str) -> bool:
    """Whether a line says how a market moved or felt."""
    return _COLOUR.search(text) is not None


def is_story(text: str) -> bool:
    """Whether a line is a sentence by its point and its small letters: `Watching CDS into the close.`."""
    words = text.split()
    is_small = sum(word[:1].islower() for word in words) * 2 >= len(words)
    return is_small and len(words) >= _LEAST_WORDS and text.endswith(".")
