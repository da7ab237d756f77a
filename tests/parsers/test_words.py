"""parsers.words: a slip in a file of words is said once, with the file and the line, and not of each mail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parsers.checking import check_words

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MAIL = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"
SLIPS = {
    "lexicon/headings.toml": ("]\n", '"]\n'),
    "quotes/classes/credit.toml": ("[", "[["),
    "quotes/trust/weights.toml": ("[factors]", "[factors"),
    "quotes/weighing/weights.toml": ("[weights]", "[weights"),
    "values/times/zones.toml": ("=", "=="),
    "lexicon/market.toml": ("]\n", '"]\n'),
}
PROGRAMS = {
    "parse": "import typer, parsers.cli; typer.run(parsers.cli.parse)",
    "score": "import typer, parsers.scoring.cli; typer.run(parsers.scoring.cli.score)",
}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of what is installed, to break."""
    for name in ("conf", "log", "ops", "parsers", "pipelines", "ingest"):
        shutil.copytree(ROOT / name, tmp_path / "lib" / name)  # with what is compiled: it takes time to compile it anew
    return tmp_path / "lib"


def test_every_file_of_words_that_comes_with_otclog_is_sound() -> None:
    assert check_words() == len(list((ROOT / "parsers").rglob("*.toml")))


@pytest.mark.parametrize("file", SLIPS)
@pytest.mark.parametrize("command", ["parse", "score"])
def test_a_command_that_meets_a_slip_names_file_and_line_and_ends_with_1(
    installed: Path, tmp_path: Path, command: str, file: str
) -> None:
    broken = installed / "parsers" / file
    old, new = SLIPS[file]
    assert old in broken.read_text()
    broken.write_text(broken.read_text().replace(old, new, 1))
    mails = tmp_path / "mails"
    mails.mkdir()
    (mails / "a.eml").write_bytes(MAIL)
    (mails / "a.jsonl").write_text('{"asset_classes": [], "formats": [], "language": "en"}\n')
    arguments = [str(mails), *(["--out", str(tmp_path / "out")] if command == "parse" else [])]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[command], *arguments],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"otclog: {broken}: ")
    assert "(at line " in line
    assert not done.stdout


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("lexicon/words", 'en = ["nobody knows"]\n', "'en' stands under no sense"),
        (
            "lexicon/words",
            '[["heading.side.bid"]]\nen = ["nobody knows", "bid"]\n',
            "'bid' is an entry already, and says ",
        ),
        (
            "quotes/weighing/weights",
            '[weights]\n"issued.XS" = "irs -14"\n"word.nothing" = "irs 3"\n',
            "'word.nothing' is no evidence of this lexicon",
        ),
    ],
)
def test_what_the_lexicon_does_not_know_or_has_already_stops_a_command_and_is_found_by_doctor(
    installed: Path, tmp_path: Path, file: str, text: str, told: str
) -> None:
    broken = installed / "parsers" / f"{file}.toml"
    broken.write_text(text)
    for program in (PROGRAMS["parse"], "import conf, ops.doctor; print([*ops.doctor._words(conf.defaults())])"):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                program,
                *([str(tmp_path), "--out", str(tmp_path / "out")] if "typer" in program else []),
            ],
            cwd=tmp_path,
            env={"PYTHONPATH": str(installed), "PATH": "", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert f"{broken}:{text.count(chr(10))}: {told}" in done.stderr
