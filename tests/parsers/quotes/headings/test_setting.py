from __future__ import annotations

from collections.abc import Callable

import msgspec

from parsers.quotes.context import PartContext
from parsers.quotes.headings.heeding import under
from parsers.quotes.headings.setting import beginning, market_in

Part = Callable[..., PartContext]


def test_the_subject_gives_class_and_side_without_its_reply_marks(part: Part) -> None:
    setting = beginning(part("RE: FW: CLO offers"))
    assert (setting.subject, setting.side) == ("clo", "ask")


def test_a_text_names_the_market_of_a_class_that_has_several() -> None:
    assert market_in("govt_latam_local", "Mbonos") == "MXN"
    assert market_in("clo", "Mbonos") is None


def test_titles_go_before_lines_sheet_subject_and_file(part: Part) -> None:
    names = msgspec.structs.replace(part("CHF run"), file_name="sek.xlsx")
    sheet = beginning(names, "EUR")
    assert [beginning(names).currency, sheet.currency] == ["CHF", "EUR"]
    assert under(under(sheet, "all in GBP"), "US HY (USD)").currency == "USD"
    assert beginning(msgspec.structs.replace(part("run"), file_name="eur_axes.xlsx")).currency == "EUR"
