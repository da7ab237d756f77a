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


def test_a_name_that_looks_like_a_counted_one_is_told_apart_too() -> None:
    names = Names()
    assert [names.unique(path) for path in ("a", "a", "a#2", "b#2", "b", "b")] == [
        "a", "a#2", "a#2#2", "b#2", "b", "b#3",
    ]  # fmt: skip
