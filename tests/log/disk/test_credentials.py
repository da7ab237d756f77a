from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from log.disk.credentials import read_credentials

read = partial(
    read_credentials, setting="[desk] credentials", names=re.compile(r"DESK_\w+"), wanted="begins with DESK_"
)


def written(path: Path, text: str | bytes, mode: int = 0o600) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


def test_lines_are_names_with_their_values(tmp_path: Path) -> None:
    text = "# keys\n\nDESK_ID=AK=ID\nexport DESK_SECRET='se#cr et'\n DESK_KEY = \"a2V5\" \n  # of old\nDESK_NONE=\n"
    assert read(written(tmp_path / "keys", text)) == {
        "DESK_ID": "AK=ID",
        "DESK_SECRET": "se#cr et",
        "DESK_KEY": "a2V5",
        "DESK_NONE": "",
    }


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "\x0c", "\x1c"])
def test_a_value_may_have_what_only_unicode_takes_for_the_end_of_a_line(tmp_path: Path, odd: str) -> None:
    text = f"DESK_ID=a{odd}b\r\nDESK_SECRET='{odd}c'\n"
    assert read(written(tmp_path / "keys", text)) == {"DESK_ID": f"a{odd}b", "DESK_SECRET": f"{odd}c"}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o610])
def test_a_file_that_others_may_reach_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    file = written(tmp_path / "keys", "DESK_SECRET=top-secret\n", mode)
    with pytest.raises(ValueError, match="is open to others") as caught:
        read(file)
    assert str(caught.value) == f"{file} is open to others (mode {mode:o}): chmod 600 {file}"


@pytest.mark.parametrize("line", ["top-secret", "[default]", "SECRET=top-secret", "desk_secret = top-secret"])
def test_a_line_of_another_form_is_told_by_its_number_alone(tmp_path: Path, line: str) -> None:
    file = written(tmp_path / "keys", f"DESK_REGION=eu-central-1\n{line}\n")
    with pytest.raises(ValueError, match=r"keys, line 2: a line is NAME=value, and NAME begins with DESK_$") as caught:
        read(file)
    assert line not in str(caught.value)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none: No such file or directory; \[desk\] credentials names this file"):
        read(tmp_path / "none")
    with pytest.raises(ValueError, match="not a text in UTF-8"):
        read(written(tmp_path / "keys", b"DESK_REGION=\xff\n"))
    (tmp_path / "folder").mkdir(0o700)
    with pytest.raises(ValueError, match="Is a directory"):
        read(tmp_path / "folder")
