"""Mails written in the manner of desks by somebody who knew the spec and not the parsers, with their truth.

No rule and no weight is made with them: what is mended because of one is mended as a layer or sense of its own, and what
the spec leaves open stays as it is. So they say how mails are read that nobody has seen.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.parsers.program import otclog

_MAILS = Path(__file__).parent / "heldout" / "mails.jsonl"
_MAILS_AND_QUOTES = (96, 959)
_LEAST = {"recall": 0.99, "price_exact": 0.985, "exact_row": 0.96}


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of all mails, as the command says them."""
    folder = tmp_path_factory.mktemp("heldout")
    for line in _MAILS.read_text("utf-8").split("\n")[:-1]:
        case = json.loads(line)
        (folder / f"{case['name']}.eml").write_bytes(case["mail"].encode())
        (folder / f"{case['name']}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in case["truth"]))
    lines = otclog(folder, "--json", cwd=folder, command="parsers.scoring.cli.score").stdout.splitlines()
    found: dict[str, Any] = json.loads(lines[0])
    return found | {"mails": len(list(folder.glob("*.eml")))}


def test_all_of_them_are_read(figures: dict[str, Any]) -> None:
    assert (figures["mails"], figures["quotes"]) == _MAILS_AND_QUOTES


@pytest.mark.parametrize("figure", _LEAST)
def test_mails_of_desks_that_nobody_has_seen_are_read_as_those_that_were(figures: dict[str, Any], figure: str) -> None:
    assert figures[figure] >= _LEAST[figure]


def test_hardly_a_price_of_them_is_false_and_no_side_swapped(figures: dict[str, Any]) -> None:
    assert (figures["false_prices"] <= 0.01, figures["side_swaps"]) == (True, 0)
