"""Facts of a part that are told as words."""

from __future__ import annotations

import pytest

from parsers.quotes.context import MailContext, PartContext


@pytest.mark.parametrize(
    ("name", "title"),
    [("Trade_confirmation_8812.v2.pdf", "Trade confirmation 8812.v2"), ("runs", "runs"), (None, None), ("", None)],
)
def test_a_files_title_is_its_name_as_words_without_its_ending(name: str | None, title: str | None) -> None:
    mail = MailContext(message_key="k", message_id="k")
    assert PartContext(mail=mail, part_path="2", content_type="text/csv", file_name=name).file_title == title
