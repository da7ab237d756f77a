"""What a child is asked beside parsing: a part's bytes, a quote's account, what a mail and its truth teach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from parsers.account import account, to_bytes
from parsers.learning.proposing import lesson
from parsers.mail.partbytes import part_bytes
from parsers.taught import Taught


def answer(note: Mapping[str, Any], raw: bytes, taught: Taught) -> bytes | None:
    """The bytes asked for, None where there are none.

    `wanted` names a part, `accounted` a part and a record_id; `truth` has the quotes of the mail, beside the seconds of
    CPU that finding out what would make it read so may take.
    """
    if "truth" in note:
        return msgspec.json.encode(lesson(raw, note["truth"], taught, note["seconds"]))
    if "wanted" in note:
        return part_bytes(raw, note["wanted"])
    part_path, record_id = note["accounted"]
    return to_bytes(account(raw, part_path, record_id, taught))
