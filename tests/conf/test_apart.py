"""conf.apart"""

from __future__ import annotations

from pathlib import Path

import pytest

import conf


def refused(tmp_path: Path, text: str) -> str:
    file = tmp_path / "otclog.toml"
    file.write_text(text)
    with pytest.raises(conf.ConfigError) as caught:
        conf.load(file, {})
    return str(caught.value).replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("source", "more"),
    [
        (".", ""),
        ("log", ""),
        ("log/replica-2/mails-0", ""),
        ("tables/quotes", ""),
        ("in", "ledger = 'in/ledger'"),
        ("metrics", "[metrics]\nfolder = 'metrics'"),
    ],
)
def test_a_folder_of_mail_and_otclogs_own_files_are_kept_apart(tmp_path: Path, source: str, more: str) -> None:
    text = f"[ingest]\n{more}\n[[ingest.sources]]\npath = '{source}'\nkind = 'drop'\n"
    assert "keep them in different folders" in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tables]\nroot = 'log/tables'\n", "FILE:2: [tables] root and [log] root lie in one another"),
        ("[tables]\nroot = 'log/replica-2/mails-0'\n", "FILE:2: [tables] root and [log] root lie in one another"),
        ("[log]\nreplicas = ['a', 'b', 'tables/c']\n", "FILE:2: [tables] root and [log] replicas lie in one another"),
        ("[log]\nclaims = ['tables/claims']\n", "FILE:2: [tables] root and [log] claims lie in one another"),
        ("[log]\nclaims = ['x/../log/replica-1']\n", "FILE:2: [log] claims and [log] replicas lie in one another"),
        (
            "[ingest]\nimport_progress = 'ledger.sqlite'\n",
            "FILE:2: [ingest] import_progress and [ingest] ledger lie in",
        ),
        (
            "[ingest]\nledger = 'otclog.toml'\n",
            "FILE:2: the settings themselves and [ingest] ledger lie in one another",
        ),
        ("[lmtp]\nsocket = 'ledger.sqlite'\n", "FILE:2: [lmtp] socket and [ingest] ledger lie in one another"),
        ("[logging]\nfile = 'log/lag.sqlite'\n", "FILE:2: [logging] file lies in [log] root, whose files are otclog's"),
        ("[logging]\nfile = 'tables/mails/x'\n", "FILE:2: [logging] file lies in [tables] root"),
        (
            "[log]\nreplicas = ['a', 'b', 'c']\n[logging]\nfile = 'b/m.log'\n",
            "FILE:4: [logging] file lies in [log] replicas",
        ),
        ("[log]\nclaims = ['claims']\n[logging]\nfile = 'claims/m'\n", "FILE:4: [logging] file lies in [log] claims"),
        ("[logging]\nfile = 'ledger.sqlite'\n", "FILE:2: [logging] file and [ingest] ledger lie in one another"),
        ("[metrics]\nfolder = 'tables/metrics'\n", "FILE:2: [metrics] folder and [tables] root lie in one another"),
        ("[metrics]\nfolder = 'log'\n", "FILE:2: [metrics] folder and [log] root lie in one another"),
        ("[ingest]\nbackfill_topic = 'mails'\n", "FILE:2: topic and backfill_topic are both 'mails'"),
        ("[ingest]\ntopic = 'mails-backfill'\n", "FILE:2: topic and backfill_topic are both 'mails-backfill'"),
    ],
)
def test_places_of_otclogs_own_that_lie_in_one_another_are_refused_with_their_line(
    tmp_path: Path, text: str, says: str
) -> None:
    assert refused(tmp_path, text).startswith(says)


def test_claims_may_lie_where_they_do_without_being_named(tmp_path: Path) -> None:
    (tmp_path / "otclog.toml").write_text("[log]\nclaims = ['log/replica-1/claims', 'log/replica-2/claims']\n")
    assert len(conf.load(tmp_path / "otclog.toml", {}).log.claims) == 2
