"""Part paths: IMAP section numbers, `/` into a container, `!` between members (spec 6.3, ruling 7)."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"[%!\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_MAX_NAME = 200  # characters of a name in a path


def label(name: str) -> str:
    """A name as it stands in a path: `%`, `!` and control characters percent-encoded."""
    return _ESCAPED.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), name[:_MAX_NAME])


class Names:
    """Gives the n-th equal path its `#n`. Names come from the mail, and may themselves end in `#2` or hold `/msg:1`."""

    def __init__(self) -> None:
        self._uses: dict[str, int] = {}

    def unique(self, path: str) -> str:
        """The path, with `#2` for its second use and so on; never one that was given before."""
        given = path
        while given in self._uses:
            self._uses[path] += 1
            given = f"{path}#{self._uses[path]}"
        self._uses[given] = 1
        return given
