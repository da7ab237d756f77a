from __future__ import annotations

import pytest

from parsers.documents.withdrawn import standing

Runs = list[tuple[str, bool]]


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        pytest.param([], ("", False), id="nothing"),
        pytest.param([("XS1 ", False), ("98/99", False)], ("XS1 98/99", False), id="nothing struck"),
        pytest.param([("XS1", True), (" ", False), ("98/99", True)], ("XS1 98/99", True), id="all of it struck"),
        pytest.param(
            [("XS1 ", False), ("98/99", True), (" 97/98", False)], ("XS1   97/98", False), id="a price replaced"
        ),
        pytest.param([("9", True), ("8", False)], (" 8", False), id="digits on either side are not joined"),
        pytest.param([("1", True), ("\n", True), ("2", False)], (" \n2", False), id="lines stay lines"),
        pytest.param([(" ", True), ("98", False)], (" 98", False), id="a struck space is nothing"),
    ],
)
def test_what_is_struck_in_part_loses_that_part(runs: Runs, found: tuple[str, bool]) -> None:
    assert standing(runs) == found
