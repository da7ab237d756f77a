"""MBOX files attached to a mail: their mails, each as a file of its own (spec 6.1).

A mail begins at a line `From <sender> <date>` at the start or behind an empty line, before a header line. Bodies have
lines that begin with `From `, too; writers that quote them put `>` in front, of which one goes again (mboxrd).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from parsers.codes import Code
from parsers.documents.budget import Budget
from parsers.documents.unreadable import Unreadable
from parsers.mail.containers.member import Member

_BEGINS = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]{1,200} \d{4}(?: [A-Z+\-]\w{1,5})?\s*\n(?=[!-9;-~]+[ \t]*:)"
)
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def mbox_members(data: bytes, budget: Budget) -> Iterator[Member]:
    """The mails of an mbox, `1.eml` and so on, one at a time. Raises Unreadable."""
    begins = list(_BEGINS.finditer(data))
    if not begins:
        raise Unreadable(Code.CORRUPT_PART, "no mail begins in this mbox")
    ends = [*(match.start() for match in begins[1:]), len(data)]
    for number, (match, end) in enumerate(zip(begins, ends, strict=True), 1):
        budget.member()
        mail = _QUOTED.sub(rb"\1", data[match.end() : end])
        budget.unpacked(len(mail), len(mail), len(mail))
        yield Member(f"{number}.eml", mail)
