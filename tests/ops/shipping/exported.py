"""The journal's export format, as tests write it."""

from __future__ import annotations


def field(name: str, value: bytes) -> bytes:
    """A field of an entry."""
    if b"\n" in value or not value.isascii():
        return name.encode() + b"\n" + len(value).to_bytes(8, "little") + value + b"\n"
    return name.encode() + b"=" + value + b"\n"
