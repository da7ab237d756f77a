from __future__ import annotations

import re

from ingest.lmtp import replies
from log import Position


def test_every_reply_is_one_line_of_ascii_with_an_enhanced_code() -> None:
    position = Position("mails", 3, 17)
    said = [value for name, value in vars(replies).items() if name.isupper() and isinstance(value, str)]
    said += [replies.closing("why"), replies.too_large(5), replies.durable(position, is_new=True)]
    assert len(said) >= 9
    assert [reply for reply in said if not re.fullmatch(r"([245])\d\d \1\.\d\.\d [ -~]{1,480}", reply)] == []
    assert replies.durable(position, is_new=True).endswith("is at mails-3 offset 17")
