"""Style sheets of Word 97 files, by [MS-DOC]."""

from __future__ import annotations

import struct

NONE = 0xFFF


def style(name: str, *, kind: int = 1, base: int = NONE, told: bytes = b"") -> bytes:
    """A style's description: its kind (1 of paragraphs, 2 of text), what it is based on, and sprms of text."""
    head = struct.pack("<HHHHH", 0, kind | base << 4, 3 - kind, 0, 0)
    parts = [b"\0\0", told] if kind == 1 else [told]
    content = b"".join(struct.pack("<H", len(part)) + part + bytes(len(part) % 2) for part in parts)
    return head + struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0" + content


def sheet(*styles: bytes) -> bytes:
    """A style sheet as Word writes it; an empty description is a style that the file does not use."""
    head = struct.pack("<HH", len(styles), 10) + bytes(14)
    described = b"".join(struct.pack("<H", len(one)) + one + bytes(len(one) % 2) for one in styles)
    return struct.pack("<H", len(head)) + head + described
