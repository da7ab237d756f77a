from __future__ import annotations

import pytest

from parsers.mail.paths import Names, label


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("EUR/run.xlsx", "EUR/run.xlsx"),
        ("100%!.csv", "100%25%21.csv"),
        ("a\x00b\nc\u202egpj", "a%00b%0Ac%E2%80%AEgpj"),
        ("x" * 4000, "x" * 200),
        ("../../etc/passwd", "../../etc/passwd"),
    ],
)
def test_names_are_labels(name: str, path: str) -> None:
    assert label(name) == path


def test_equal_paths_are_told_apart() -> None:
    names = Names()
    assert [names.unique("2/tnef:a") for _ in range(3)] == ["2/tnef:a", "2/tnef:a#2", "2/tnef:a#3"]
