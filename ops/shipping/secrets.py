"""What reads like a secret is masked in a line, and a private key in all the lines that it takes."""

from __future__ import annotations

import re

from conf.masking import MASK, masked

KEY_LINES = 256  # of one key: four times as many as of 4096 bits; so somebody who writes its first line hides no more

_BEGIN, _KEY = "-----BEGIN ", re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----")
_END = "-----END"
_OF_A_KEY = re.compile(r"[A-Za-z0-9+/]{32,}+={0,2}|[A-Za-z0-9+/]++={0,2}\s*\Z")


def without_secrets(text: str, key_lines: int) -> tuple[str, int]:
    """The text without secrets, and in how many of the next lines of the same program a private key may go on.

    `key_lines`: what it said of the line before. In these lines what may be of a key is masked: long words, and the
    last one; other lines between them stay readable.
    """
    if key_lines:
        text, key_lines = _without_key(text, key_lines)
    begin = text.rfind(_BEGIN)
    if begin >= 0 and _KEY.match(text, begin) and text.find(_END, begin) < 0:
        key_lines = KEY_LINES
    return masked(text), key_lines


def _without_key(text: str, key_lines: int) -> tuple[str, int]:
    key, end, rest = text.partition(_END)
    return _OF_A_KEY.sub(MASK, key) + end + rest, 0 if end else key_lines - 1
