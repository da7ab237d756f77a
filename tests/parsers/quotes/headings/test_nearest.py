from __future__ import annotations

from parsers.quotes.headings.nearest import MOST, nearest


def test_all_blocks_of_a_short_part_are_near() -> None:
    assert nearest(range(5), 0) == []
    assert nearest(range(5), 4) == [0, 1, 2, 3]
    assert nearest(range(9 * MOST), 2 * MOST) == list(range(2 * MOST))


def test_of_a_long_part_the_first_blocks_and_those_right_above_are_near() -> None:
    found = nearest(range(9 * MOST), 5 * MOST)
    assert found == [*range(MOST), *range(4 * MOST, 5 * MOST)]
