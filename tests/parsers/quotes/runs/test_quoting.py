from __future__ import annotations

import pytest

from parsers.quotes.draft import Level
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.lines.block import block_of
from parsers.quotes.runs.quoted.quoting import quoted
from parsers.quotes.runs.quoted.understanding import understood

BLOCK = block_of([])


def levels(text: str, setting: Setting) -> tuple[Level, ...] | None:
    return quoted(understood(text, setting, BLOCK, None, below=False), text, setting, BLOCK)


@pytest.mark.parametrize("text", ["Page 1/2", "Volumes were 20% lower at 98/99", "Minimum 200/250 lines"])
def test_what_only_looks_like_a_market_is_no_runs_line(text: str) -> None:
    assert levels(text, Setting(section="corp_hy")) is None


@pytest.mark.parametrize(
    "text",
    ["ACME 5 03/34  97..98", "Sell ACME 5 03/34 at 98 and buy XYZ 6 04/33 at 99", "BAC 5.2 34 and JPM 4.9 33 85/80"],
)
def test_where_nobody_can_say_whose_or_which_a_level_is_there_is_none(text: str) -> None:
    assert levels(text, Setting(section="corp_ig")) == ()


def test_a_bond_with_its_market_has_it() -> None:
    found = levels("ACME 5 03/34 98/99", Setting())
    assert found is not None
    assert [(level.bid_raw, level.ask_raw) for level in found] == [("98", "99")]


def test_a_heading_makes_a_line_of_a_name_and_a_market_a_runs() -> None:
    assert levels("Ford 120/128", Setting()) is None
    assert levels("Ford 120/128", Setting(section="cds_single", subject="cds_single"))
