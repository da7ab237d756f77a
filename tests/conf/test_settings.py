"""conf.settings: what the classes themselves refuse; the rest is the loader's."""

from __future__ import annotations

from pathlib import Path

import pytest

import conf


@pytest.mark.parametrize("route", ["topic = 'a'\ndrop = 'b'", ""])
def test_a_route_leads_to_a_topic_or_says_why_it_drops_and_never_both(tmp_path: Path, route: str) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(f"[ingest]\n[[ingest.routes]]\n{route}\n")
    with pytest.raises(conf.ConfigError):
        conf.load(file, {})


def test_tables_are_never_in_a_folder_whose_name_reads_like_a_pattern(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("[tables]\nroot = 'prices[2026]'\n")
    with pytest.raises(conf.ConfigError, match=r"otclog.toml:2: tables.root = .*choose another folder"):
        conf.load(file, {})
