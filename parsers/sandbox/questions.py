"""What a child is asked beside parsing: a part's bytes, a quote's account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parsers.account import account, to_bytes
from parsers.mail.partbytes import part_bytes
from parsers.taught import Taught


def answer(note: Mapping[str, Any], raw: bytes, taught: Taught) -> bytes | None:
    """The bytes asked for, None where there are none: `wanted` names a part, `accounted` a part and a record_id."""
    if "wanted" in note:
        return part_bytes(raw, note["wanted"])
    part_path, record_id = note["accounted"]
    return to_bytes(account(raw, part_path, record_id, taught))
