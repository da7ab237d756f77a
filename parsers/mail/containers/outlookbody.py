"""The body of a message as Outlook's formats keep it: as HTML, as RTF, as text, or as several of these."""

from __future__ import annotations

from msgspec import Struct

from parsers.documents import kinds


class Body(Struct, frozen=True):
    """A message body out of a format of Outlook's."""

    kind: str
    data: bytes
    charset: str | None = None

    @property
    def name(self) -> str:
        """A name for its path."""
        return {kinds.HTML: "body.html", kinds.RTF: "body.rtf"}.get(self.kind, "body.txt")


def best_body(html: object, rtf: object, text: object) -> Body | None:
    """HTML before RTF before text: the richer one has the table."""
    if html:
        return _as_body(kinds.HTML, html)
    if rtf:
        return _as_body(kinds.RTF, rtf)
    return _as_body(kinds.TEXT, text) if text else None


def _as_body(kind: str, content: object) -> Body:
    if isinstance(content, bytes):
        return Body(kind, content.rstrip(b"\0"))
    return Body(kind, str(content).rstrip("\0").encode("utf-8", "replace"), "utf-8")
