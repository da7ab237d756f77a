from __future__ import annotations

import pytest

from parsers.quotes.classes.below import class_below


@pytest.mark.parametrize(
    ("text", "named", "section", "subject", "expected"),
    [
        ("Corps", "corp_ig", "em_hard_ccy", None, "em_hard_ccy"),
        ("Corporates:", "corp_ig", None, "em_hard_ccy", "em_hard_ccy"),
        ("US corporates", "corp_ig", "em_hard_ccy", None, "corp_ig"),
        ("Corps", "corp_ig", "govt_intl", None, "corp_ig"),
        ("Senior", None, "covered_bond", None, "corp_ig"),
        ("Senior", None, "cds_single", None, None),
        ("Senior", None, None, "covered_bond", None),
    ],
)
def test_a_title_means_what_it_can_below_the_one_above_it(
    text: str, named: str | None, section: str | None, subject: str | None, expected: str | None
) -> None:
    assert class_below(text, named, section, subject) == expected
