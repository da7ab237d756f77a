"""The one error of the readers: a part that gives no document, with its code; and what damage to an archive raises."""

from __future__ import annotations

import lzma
import zipfile
import zlib

from parsers.codes import Code

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)  # to a member, as the standard library tells it


class Unreadable(Exception):
    """The part ends with `code` (spec 6.4); the message says why, for people."""

    def __init__(self, code: Code, why: str) -> None:
        super().__init__(why)
        self.code = code
