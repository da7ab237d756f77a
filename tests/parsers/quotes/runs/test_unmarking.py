from __future__ import annotations

from parsers.quotes.runs.cutting.unmarking import unmarked


def test_a_backslash_between_levels_is_a_slash_and_one_in_a_path_is_none() -> None:
    assert unmarked("BBB 5 30  97.25\\97.75  2x2") == "BBB 5 30  97.25/97.75  2x2"
    assert unmarked("BBB 5 30  97 1/4 \\ 97 3/4") == "BBB 5 30  97 1/4 / 97 3/4"
    assert unmarked("P:\\runs\\2026\\11") == "P:\\runs\\2026\\11"


def test_a_word_between_the_sides_of_a_market_is_a_slash() -> None:
    assert unmarked("X 5 30: 102,05 zu 102,20") == "X 5 30: 102,05 /  102,20"
    assert unmarked("CCL 5.75 at 99.25") == "CCL 5.75 at 99.25"


def test_a_bullet_in_front_of_a_name_or_a_quantity_is_blank_and_a_sign_is_none() -> None:
    assert unmarked("- 500 CALIF ST 5s 34 3.45/3.40") == "  500 CALIF ST 5s 34 3.45/3.40"
    assert unmarked("  * CHTR 4.5 32 98/99") == "    CHTR 4.5 32 98/99"
    assert unmarked("- 99.25") == "- 99.25"
