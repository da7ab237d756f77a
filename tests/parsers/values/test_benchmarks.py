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
        ("T 4 15/34", None),
        ("T 4 00/34", None),
        ("5y", None),
        ("UST", None),
        ("x" * 1000, None),
    ],
)
def test_a_benchmark_bond_is_written_one_way(text: str, expected: str | None) -> None:
    assert bond(text) == expected
