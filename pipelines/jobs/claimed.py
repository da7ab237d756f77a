"""Mails of which the log has but the claim: read from the claim store when their turn comes, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from log.claims import Claim
from log.errors import ClaimMissing
from parsers.codes import Code
from parsers.mail.fields import MAX_HEADER_BYTES
from parsers.parse import MAX_MAIL_BYTES, header_alone

if TYPE_CHECKING:
    from collections.abc import Callable

    from log.claims import ClaimStore
    from parsers.outcome import MailOutcome
    from parsers.taught import Taught


class ClaimedMails:
    """Holds no mail longer than its parsing takes, and of a mail that is too large its header alone."""

    def __init__(self, store: ClaimStore, parse: Callable[[bytes], MailOutcome], taught: Taught) -> None:
        self._store = store
        self._parse = parse
        self._taught = taught

    def parse(self, value: bytes) -> MailOutcome:
        """The outcome of the mail that this claim stands for; CLAIM_MISSING where no place has its bytes intact.

        Raises ClaimUnavailable when that cannot be told now: the mail is not lost, and is to be parsed another time.
        """
        claim = Claim.from_bytes(value)
        try:
            if claim.size > MAX_MAIL_BYTES:
                with self._store.open(claim) as file:
                    return self._unread(file.read(MAX_HEADER_BYTES), claim, Code.MAIL_TOO_LARGE)
            raw = self._store.read(claim)
        except ClaimMissing:
            return self._unread(b"", claim, Code.CLAIM_MISSING)
        return self._parse(raw)

    def _unread(self, head: bytes, claim: Claim, code: Code) -> MailOutcome:
        return header_alone(head, claim.sha256, claim.size, code, self._taught)
