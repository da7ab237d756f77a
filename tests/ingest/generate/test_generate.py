from __future__ import annotations

import email
import email.policy
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from stdnum import cusip, isin

from conf import IngestSettings
from ingest.generate import generate
from ingest.generate.compose import MIX, Composed, compose
from ingest.generate.market import dealers
from ingest.watch import Batch, Watcher
from log import CommitLog

SEED = 11
COUNT = 1500


@pytest.fixture(scope="module")
def mails() -> list[Composed]:
    return [compose(SEED, number) for number in range(COUNT)]


def quotes(mail: Composed) -> list[dict[str, Any]]:
    return [line for line in mail.lines if line["kind"] == "quote"]


def parts(mail: Composed) -> Iterator[tuple[str, Any]]:
    """Part path and content of each leaf."""
    message = email.message_from_bytes(mail.raw, policy=email.policy.default)
    leaves = [part for part in message.walk() if not part.is_multipart()]
    for number, part in enumerate(leaves, 1):
        yield str(number), part.get_content()


def test_the_same_seed_gives_the_same_files_byte_for_byte(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert len(list(generate(tmp_path / name, 120, seed=3))) == 120
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [file.name for file in one] == [file.name for file in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))


def test_documents_made_anew_are_the_same_bytes() -> None:
    from ingest.generate import compose as module

    before = [compose(SEED, number).raw for number in range(60)]
    module._pooled.cache_clear()
    assert [compose(SEED, number).raw for number in range(60)] == before


def test_another_seed_gives_other_mails(mails: list[Composed]) -> None:
    assert not {mail.raw for mail in mails[:200]} & {compose(SEED + 1, number).raw for number in range(200)}


def test_no_two_mails_are_byte_equal(mails: list[Composed]) -> None:
    assert len({mail.raw for mail in mails}) == COUNT


def test_the_mix_and_the_mean_are_the_stated_ones(mails: list[Composed]) -> None:
    formats = Counter(mail.lines[0]["formats"][0] for mail in mails)
    for form, (share, _) in MIX.items():
        assert abs(100 * formats[form] / COUNT - share) < 3
    assert abs(sum(len(quotes(mail)) for mail in mails) / COUNT - 9.2) < 0.4


def test_all_first_classes_and_both_languages_occur(mails: list[Composed]) -> None:
    assert {mail.lines[0]["asset_classes"][0] for mail in mails} == {
        *("corp_ig", "corp_hy", "em_hard_ccy", "govt_us", "us_muni", "leveraged_loan", "clo", "cds_single")
    }
    assert {mail.lines[0]["language"] for mail in mails} == {"en", "de"}


def test_identifiers_are_valid_and_belong_to_one_instrument(mails: list[Composed]) -> None:
    named: dict[str, set[str]] = {}
    for mail in mails:
        for quote in quotes(mail):
            if quote["id_type"] == "isin":
                assert isin.is_valid(quote["instrument_id"])
            elif quote["id_type"] == "cusip":
                assert cusip.is_valid(quote["instrument_id"])
            if "instrument_id" in quote:
                named.setdefault(quote["instrument_id"], set()).add(quote["asset_class"])
    assert len(named) > 1000
    assert all(len(classes) == 1 for classes in named.values())


def test_every_truth_line_is_in_the_gold_form(mails: list[Composed]) -> None:
    for mail in mails:
        assert [line["kind"] for line in mail.lines].count("meta") == 1
        assert {line["case"] for line in mail.lines} == {mail.case}
        for quote in quotes(mail):
            assert {"part_path", "quote_type", "asset_class", "side", "quote_kind", "description"} <= quote.keys()
            assert all(isinstance(quote[key], str) for key in ("bid", "ask", "bid_size", "coupon") if key in quote)
            assert None not in quote.values()


def test_the_truth_of_a_text_run_stands_on_its_line(mails: list[Composed]) -> None:
    for mail in mails:
        if mail.lines[0]["formats"] == ["text"]:
            lines = dict(parts(mail))["1"].splitlines()
            for quote in quotes(mail):
                assert lines[quote["line"] - 1] == quote["raw_text"]
                assert quote.get("instrument_id", quote["description"].split()[0]) in quote["raw_text"]


def test_the_truth_of_a_workbook_stands_in_its_cell(mails: list[Composed]) -> None:
    checked = 0
    for mail in mails:
        if mail.lines[0]["formats"] == ["xlsx"] and mail.lines[0]["asset_classes"] != ["cds_single"]:
            book = openpyxl.load_workbook(io.BytesIO(dict(parts(mail))["2"]))
            for quote in quotes(mail):
                found = book[quote["sheet"]][quote["cell"]]
                assert found.row == quote["row"]
                assert found.column == quote["col"]
                if isinstance(found.value, int | float):
                    assert Decimal(str(found.value)) == Decimal(quote["bid"])
                    checked += 1
    assert checked > 100


def test_bid_and_ask_are_never_crossed(mails: list[Composed]) -> None:
    for mail in mails:
        for quote in quotes(mail):
            if quote["side"] == "two_way":
                bid, ask = Decimal(quote["bid"]), Decimal(quote["ask"])
                yield_like = quote["quote_type"] in {"spread_bench_bp", "spread_z_bp", "dm_bp", "yield_pct"}
                assert bid > ask if yield_like else bid < ask


def test_senders_are_the_dealers(mails: list[Composed]) -> None:
    domains = {str(email.message_from_bytes(mail.raw)["From"]).rpartition("@")[2].rstrip(">") for mail in mails}
    assert domains == {dealer.domain for dealer in dealers()}


def test_into_a_maildir_only_mails_are_put_where_a_watcher_takes_them(
    tmp_path: Path, commit_log: CommitLog, quick: IngestSettings
) -> None:
    home = quick.sources[0].path
    Watcher(commit_log, quick, lambda _: None).run_once()
    assert len(list(generate(home, 40))) == 40
    assert len(list((home / "new").iterdir())) == 40
    assert list((home / "tmp").iterdir()) == []
    taken: list[Batch] = []
    Watcher(commit_log, replace(quick, batch_mails=100), taken.append).run_once()
    assert sum(batch.published for batch in taken) == 40
    cases = {json.loads(line)["case"] for line in (home / "truth.jsonl").read_text("utf-8").splitlines()}
    assert len(cases) == 40
    assert tmp_path in home.parents
