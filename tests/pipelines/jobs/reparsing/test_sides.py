from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from typer.testing import Result

from log.claims import open_claims
from parsers.outcome import MailOutcome
from pipelines.errors import UnknownRecord
from pipelines.jobs.reparsing.changes import differing
from pipelines.jobs.reparsing.shadow import make
from pipelines.jobs.reparsing.shadows import Shadow
from pipelines.jobs.reparsing.sides import Sides, sides
from pipelines.tables.ranges import OffsetRange

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

pytestmark = pytest.mark.slow

ParserThat = Callable[[Callable[[MailOutcome], MailOutcome]], None]


def without_asks_and_the_first(outcome: MailOutcome) -> MailOutcome:
    return replace(outcome, quotes=tuple(replace(quote, ask=None) for quote in outcome.quotes[1:]))


@pytest.fixture
def made(small: Home, everything: list[OffsetRange], parser_that: ParserThat) -> Shadow:
    parser_that(without_asks_and_the_first)
    return make(small.settings, small.log, everything, "{}")


def of(home: Home, made: Shadow, record_id: str) -> Sides:
    return sides(home.store, home.log, open_claims(home.settings.log), made, record_id)


def test_each_quote_that_a_shadow_would_change_is_shown_before_and_after(small: Home, made: Shadow) -> None:
    rows = {(row["record_id"], row["log_offset"], row["log_partition"]): row for row in small.rows("quotes")}
    ids = [row["record_id"] for row in differing(small.store, made) if row["table"] == "quotes"]
    kinds = set()
    for record_id in sorted({each for each in ids if ids.count(each) == 1}):
        found = of(small, made, record_id)
        kinds.add(found.kind)
        assert found.before in rows.values()
        assert found.explanation.mail_is_the_one
        if found.after:
            assert found.fields == [{"column": "ask", "before": found.before and found.before["ask"], "after": None}]
        else:
            assert {"column": "record_id", "before": record_id, "after": None} in found.fields
    assert kinds == {"changed", "lost"}


def test_a_quote_that_a_shadow_would_add_is_shown_though_it_is_not_published(
    small: Home, everything: list[OffsetRange], parser_that: ParserThat
) -> None:
    def with_more(outcome: MailOutcome) -> MailOutcome:
        more = [replace(quote, record_id="f" * 64, part_path="9") for quote in outcome.quotes[:1]]
        return replace(outcome, quotes=(*outcome.quotes, *more))

    parser_that(with_more)
    made = make(small.settings, small.log, everything[:1], "{}")
    added = [row for row in differing(small.store, made) if (row["table"], row["kind"]) == ("quotes", "added")]
    found = of(small, made, "F" * 9)
    assert added
    assert (found.kind, found.before, found.after and found.after["record_id"]) == ("added", None, "f" * 64)


def test_a_quote_that_a_shadow_leaves_as_it_is_and_one_that_is_not_named_are_told(small: Home, made: Shadow) -> None:
    with pytest.raises(UnknownRecord, match="would change no quote of record_id 0123"):
        of(small, made, "0123" * 16)
    with pytest.raises(UnknownRecord, match="would change no quote"):
        of(small, made, " ")


def test_explain_opens_a_row_of_a_shadow(
    small: Home, made: Shadow, otclog: Callable[..., Result], json_lines: Callable[..., list[dict[str, Any]]]
) -> None:
    ids = [row["record_id"] for row in differing(small.store, made) if row["kind"] == "changed" and row["record_id"]]
    record_id = next(each for each in ids if ids.count(each) == 1)
    (told,) = json_lines(small, "explain", record_id, "--shadow", made.id)
    assert (told["before"]["record_id"], told["after"]["ask"], told["kind"]) == (record_id, None, "changed")
    shown = otclog(small, "explain", record_id[:20], "--shadow", made.id[:17])
    assert shown.exit_code == 0, shown.output
    assert "the shadow has it changed: level gone" in shown.output
    assert f"  {told['before']['ask']} -> nothing" in shown.output.splitlines()[-1]
