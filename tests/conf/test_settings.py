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
