from __future__ import annotations

from collections.abc import Callable

from parsers.quotes.context import PartContext
from parsers.quotes.runs.setting import beginning, market_in

Part = Callable[..., PartContext]


def test_the_subject_gives_class_and_side_without_its_reply_marks(part: Part) -> None:
    setting = beginning(part("RE: FW: CLO offers"))
    assert (setting.subject, setting.side) == ("clo", "ask")


def test_a_text_names_the_market_of_a_class_that_has_several() -> None:
    assert market_in("govt_latam_local", "Mbonos") == "MXN"
    assert market_in("clo", "Mbonos") is None
