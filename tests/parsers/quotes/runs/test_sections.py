from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from parsers.document import Grid
from parsers.documents.text import text_lines
from parsers.quotes.headings.heeding import under
from parsers.quotes.headings.reach import is_beyond
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.sections import above_table, section_start


@pytest.mark.parametrize(
    ("above", "named", "beyond"),
    [
        ("clo", "agency_mbs_cmo", True),
        ("provincial_canada", "govt_us", True),
        ("corp_ig", "financial_sub", False),
        ("clo", "clo", False),
        (None, "clo", False),
    ],
)
def test_a_title_of_another_desk_ends_a_section(above: str | None, named: str, *, beyond: bool) -> None:
    assert is_beyond(Setting(section=above), named) is beyond


def test_a_class_that_the_heading_above_names_is_no_other_desks() -> None:
    assert not is_beyond(Setting(section="clo", also=frozenset({"clo", "tba_mbs"})), "tba_mbs")


def test_what_a_section_says_ends_with_it_and_what_was_said_above_all_stays() -> None:
    setting = Setting()
    for line in ("Sizes in mm", "EUR CLO run", "Offers"):
        setting = under(setting, line)
    setting = under(replace(setting, is_bare=False), "Specified pools")
    assert (setting.section, setting.currency, setting.side) == ("agency_mbs_cmo", None, None)
    assert setting.said.size_unit == Fraction(1_000_000)


def test_a_section_starts_at_its_title_where_another_desks_stands_above() -> None:
    lines = text_lines("EUR CLO run\nHARVT 28X AR 122/117\nTIPS run\nIssue  Bid  Ask\n")
    setting = replace(under(Setting(), lines[0].text), is_bare=False)
    setting = under(setting, lines[2].text)
    assert section_start(lines, 3, setting) == 2
    assert section_start(lines, 1, under(Setting(), "EUR CLO run")) == 0
    lines = text_lines("EUR CLO run\nHARVT 28X AR 122/117\nTIPS run, USD\n\nUS TIPS, close\nIssue  Bid  Ask\n")
    assert section_start(lines, 5, setting) == 2


def test_a_title_right_above_another_heads_all_that_follow() -> None:
    setting = under(under(Setting(), "EUR Credit, close"), "Covered bonds")
    setting = under(replace(setting, is_bare=False), "Loans")
    assert (setting.section, setting.currency, setting.kind) == ("leveraged_loan", "EUR", "mark")


def test_what_stands_above_a_table_is_parted_by_the_tables_above_it() -> None:
    lines = text_lines("Loans\nName Bid Ask\nTL 98 99\nCLOs\nName Bid Ask\nABC 98 99\n")
    above = above_table(lines, 4, Setting(), [(1, 3)])
    assert above == [lines[0], Grid(()), lines[3]]


def test_nothing_of_another_desks_section_stands_above_a_table() -> None:
    lines = text_lines("Loans\nName Bid Ask\nTL 98 99\nCLOs\nName Bid Ask\nABC 98 99\n")
    above = above_table(lines, 4, Setting(section="clo", is_later=True), [(1, 3)])
    assert above == [lines[3]]
