"""The decoded bytes of one part of a mail, for somebody who wants to look at it himself."""

from __future__ import annotations

from parsers.mail.unpack import unpack


def part_bytes(raw: bytes, path: str) -> bytes | None:
    """The bytes of the part that outcomes call `path`, transfer encoding and archives undone.

    None where the mail has no such part, or no bytes of it: an Outlook message inside another is not a file. Never
    raises on input; containers are opened, and no document is read.
    """
    return unpack(raw, {}, lambda _: None, wanted=path).wanted
