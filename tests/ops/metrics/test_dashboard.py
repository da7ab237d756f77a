"""conf/grafana/otclog.json and the table of docs/operations.md: what they name is what is counted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client import Metric

from conf.families import from_text
from ops.metrics.state import GAUGES

ROOT = Path(__file__).parents[3]
DASHBOARD = json.loads((ROOT / "conf" / "grafana" / "otclog.json").read_text())
SAMPLES = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "gauge": ("",)}
EXPORT = """
import pathlib, sys
import otclog, pipelines.metrics
from conf.metrics import Writer
Writer(pathlib.Path(sys.argv[1]), "otclog").write()
"""


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Metric]:
    """What a process that has loaded all rooms writes, and the gauges of a look; by the name that PromQL has."""
    folder = tmp_path_factory.mktemp("metrics")
    subprocess.run([sys.executable, "-c", EXPORT, folder], check=True, cwd=ROOT)
    (path,) = folder.glob("*.prom")
    found = {each.name + "_total" * (each.type == "counter"): each for each in from_text(path.read_text())}
    return found | {name: Metric(name, said, "gauge") for name, (said, _) in GAUGES.items()}


def expressions() -> list[str]:
    return [each["expr"] for panel in DASHBOARD["panels"] for each in panel.get("targets", ())]


def test_each_name_of_the_dashboard_is_counted(families: dict[str, Metric]) -> None:
    samples = {each.name + ending for each in families.values() for ending in SAMPLES[each.type]}
    named = {name for each in expressions() for name in re.findall(r"otclog_\w+", each)}
    assert len(named) > 30
    assert named - samples == set()


def test_prometheus_understands_each_expression(needs: Callable[..., str], tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    file = tmp_path / "rules.json"  # YAML, too
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    done = subprocess.run([needs("promtool"), "check", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(rules)} rules found" in done.stdout


def test_no_panel_lies_on_another() -> None:
    places = [each["gridPos"] for each in DASHBOARD["panels"]]
    cells = [
        (x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({each["id"] for each in DASHBOARD["panels"]}) == len(places)


def test_the_page_names_all_that_is_counted_and_says_of_each_what_the_file_says(families: dict[str, Metric]) -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    rows = dict(re.findall(r"^\| `(otclog_\w+)` \| \w+ \| (.*) \|$", page, re.MULTILINE))
    assert rows == {name: each.documentation for name, each in families.items()}
