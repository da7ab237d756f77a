from __future__ import annotations

import json
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

import parsers

ROOT = Path(parsers.__file__).parents[1]
ENGINES = {"lxml.etree", "mailparser", "pypdfium2", "python_calamine"}


def loaded(program: str) -> set[str]:
    """Modules that a fresh interpreter has after the program."""
    code = f"import json, sys\n{program}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.slow
def test_the_engines_are_loaded_before_the_first_mail_and_only_on_request() -> None:
    assert not ENGINES & loaded("import parsers.sandbox.engines")
    assert loaded("from parsers.sandbox.engines import load_engines; load_engines()") >= ENGINES


@pytest.mark.slow
def test_a_mail_of_text_tables_and_spreadsheets_loads_nothing_large_afterwards() -> None:
    message = EmailMessage()
    message["Subject"] = "USD IG"
    message.set_content("BACR 5.2 05/26 T+85/80 5x5")
    message.add_alternative("<table><tr><td>Bid<td>Ask</tr></table>", subtype="html")
    message.add_attachment(b"Bond,Bid,Ask\nAAPL 3.5 33,84.25,85.5\n", "text", "csv", filename="a.csv")
    first = "from parsers.sandbox.engines import load_engines; load_engines()\nfrom parsers.parse import parse_mail\n"
    before = {name.partition(".")[0] for name in loaded(first)}
    after = {name.partition(".")[0] for name in loaded(f"{first}parse_mail({bytes(message)!r})")}
    assert after - before <= set(sys.stdlib_module_names)
