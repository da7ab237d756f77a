"""What has been found of a mail so far: its parts, each under a path of its own, no more than a mail may have."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from parsers.codes import Code, PartState
from parsers.documents.budget import Budget
from parsers.mail.mime import MAX_PARTS, TooManyParts
from parsers.mail.part import Envelope, Part
from parsers.mail.paths import Names

SEALED = "encrypted for its recipients"


class Unpacked(Struct):
    """What a mail is made of."""

    envelope: Envelope
    parts: list[Part] = field(default_factory=list)  # in document order, containers before what they hold
    sealed: list[str] = field(default_factory=list)  # paths of what only the recipients of the mail can open
    budget: Budget = field(default_factory=Budget)  # what its containers may unpack yet
    too_many: bool = False  # more than spec 6.1 allows; parts are those before
    wanted: bytes | None = None  # the decoded bytes of the part that was asked for; None: there is no such part

    @property
    def encrypted(self) -> bool:
        """The mail's content is sealed, or some of it."""
        return bool(self.sealed)

    def with_codes(self) -> list[Part]:
        """The parts, those that are sealed refused: of a mail that has more to read than these."""
        code, sealed = Code.PASSWORD_PROTECTED, set(self.sealed)
        return [
            replace(part, state=PartState.rejected, code=code, detail=SEALED) if part.path in sealed else part
            for part in self.parts
        ]


class Found:
    """Collects parts. `wanted` is the path of the one whose bytes are to be kept."""

    def __init__(self, unpacked: Unpacked, wanted: str | None) -> None:
        self.unpacked = unpacked
        self._wanted = wanted
        self._names = Names()
        self._seen: dict[str, str] = {}  # path of the first part with these bytes

    def named(self, part: Part) -> Part:
        """The part under a path that no other part of the mail has."""
        path = self._names.unique(part.path)
        return part if path == part.path else replace(part, path=path)

    def add(self, part: Part) -> None:
        """Take a part. Raises TooManyParts."""
        if len(self.unpacked.parts) >= MAX_PARTS:
            raise TooManyParts
        self.unpacked.parts.append(part)

    def refuse(self, part: Part, code: Code, detail: str) -> None:
        """End a part with a code; a container that broke while it was emptied keeps what came out of it."""
        for at, known in enumerate(self.unpacked.parts):
            if known.path == part.path:
                self.unpacked.parts[at] = replace(known, state=PartState.rejected, code=code, detail=detail)
                return
        self.add(replace(part, state=PartState.rejected, code=code, detail=detail))

    def original(self, part: Part) -> str | None:
        """The path of another part with the same bytes; the alternatives of a body are no copies."""
        if part.sha256 is None or part.size == 0 or (part.alternatives and part.is_body):
            return None
        first = self._seen.setdefault(part.sha256, part.path)
        return None if first == part.path else first

    def keep(self, part: Part, data: bytes) -> None:
        """Keep the decoded bytes, if this is the part that is wanted."""
        if part.path == self._wanted:
            self.unpacked.wanted = data

    def forget_from(self, first: int) -> None:
        """Drop the parts from this one on, and that they were seen."""
        del self.unpacked.parts[first:]
        known = {part.path for part in self.unpacked.parts}
        self._seen = {digest: path for digest, path in self._seen.items() if path in known}
