from __future__ import annotations

import pytest

from parsers.values.benchmarks import bond


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T 4 1/4 05/15/34", "T 4.25 05/34"),
        ("CAN 3 1/4 06/01/35", "CAN 3.25 06/35"),
        ("CAN 3.25 06/35", "CAN 3.25 06/35"),
        ("DBR 2.6 15/08/33", "DBR 2.6 08/33"),
        ("GoC 3 1/4 Jun-34", "CAN 3.25 06/34"),
        ("CAN 2,75 % déc. 2055", "CAN 2.75 12/55"),
        ("CAN 3,00 1 juin 2034", "CAN 3 06/34"),
        ("T 4 15/34", None),
        ("T 4 00/34", None),
        ("5y", None),
        ("UST", None),
        ("x" * 1000, None),
    ],
)
def test_a_benchmark_bond_is_written_one_way(text: str, expected: str | None) -> None:
    assert bond(text) == expected


def test_a_block_that_writes_the_day_first_does_so_for_bonds_of_north_america_too() -> None:
    assert bond("CAN 2,75 01/12/55", day_first=True) == "CAN 2.75 12/55"
    assert bond("CAN 2.75 01/12/55") == "CAN 2.75 01/55"
