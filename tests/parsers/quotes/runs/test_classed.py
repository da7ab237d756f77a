from __future__ import annotations

import pytest

from parsers.quotes.answers.classing import class_of
from parsers.quotes.classes.families import BONDS
from parsers.quotes.headings.setting import Setting
from parsers.quotes.runs.cutting.classed import told_by


@pytest.mark.parametrize(
    ("setting", "name", "kinds", "default", "expected"),
    [
        (Setting(section="corp_ig", subject="corp_hy"), "XYZ", (), None, ("corp_ig", "heading")),
        (Setting(subject="corp_hy"), "XYZ", (), None, ("corp_hy", "subject")),
        (Setting(section="govt_latam_local"), "NTN-B 15/05/2035", (), None, ("inflation_linked", "instrument")),
        (Setting(section="repo"), "T 4.25 11/15/34", (), None, ("repo", "heading")),
        (Setting(), "Acme", ("loanx_id",), None, ("leveraged_loan", "identifier")),
        (Setting(remark="corp_hy"), "T 4.25 11/15/34", (), None, ("corp_hy", "heading")),
        (Setting(), "T 4.25 11/15/34", (), None, ("govt_us", "instrument")),
        (Setting(), "XYZ 5 03/34", (), "corp_ig", ("corp_ig", "sender")),
        (Setting(), "XYZ 5 03/34", (), None, ("unknown", "none")),
    ],
)
def test_the_class_is_told_in_the_specs_order(
    setting: Setting, name: str, kinds: tuple[str, ...], default: str | None, expected: tuple[str, str]
) -> None:
    assert class_of(name, [(kind, "") for kind in kinds], told_by(setting, default)) == expected


def test_bonds_that_no_word_describes_have_no_class_of_the_section_above() -> None:
    below = Setting(section=BONDS, subject="leveraged_loan")
    assert class_of("XYZ 5 03/34", (), told_by(below, "leveraged_loan")) == ("unknown", "none")
    assert class_of("Acme", [("loanx_id", "")], told_by(below, None)) == ("leveraged_loan", "identifier")
    assert class_of("Ford bonds at 101", (), told_by(Setting(section="cds_single"), None)) == ("unknown", "none")
