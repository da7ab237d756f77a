from __future__ import annotations

from pathlib import Path

import pytest

from conf.settings import ConfigError
from pipelines.tables.store.credentials import read_credentials


def written(path: Path, text: str | bytes, mode: int = 0o600) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


def test_lines_are_names_of_the_environment_with_their_values(tmp_path: Path) -> None:
    text = "# keys\n\nAWS_ACCESS_KEY_ID=AK=ID\nexport AWS_SECRET_ACCESS_KEY='se#cr et'\n AZURE_STORAGE_ACCOUNT_KEY = \"a2V5\" \nGOOGLE_SERVICE_ACCOUNT=\n"
    assert read_credentials(written(tmp_path / "keys", text)) == {
        "AWS_ACCESS_KEY_ID": "AK=ID",
        "AWS_SECRET_ACCESS_KEY": "se#cr et",
        "AZURE_STORAGE_ACCOUNT_KEY": "a2V5",
        "GOOGLE_SERVICE_ACCOUNT": "",
    }


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o610])
def test_a_file_that_others_may_reach_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    file = written(tmp_path / "keys", "AWS_SECRET_ACCESS_KEY=top-secret\n", mode)
    with pytest.raises(ConfigError) as caught:
        read_credentials(file)
    assert str(caught.value) == f"{file} is open to others (mode {mode:o}): chmod 600 {file}"


@pytest.mark.parametrize("line", ["top-secret", "[default]", "SECRET=top-secret", "aws_secret_access_key = top-secret"])
def test_a_line_of_another_form_is_told_by_its_number_alone(tmp_path: Path, line: str) -> None:
    file = written(tmp_path / "keys", f"AWS_REGION=eu-central-1\n{line}\n")
    with pytest.raises(ConfigError, match=r"keys, line 2: a line is NAME=value, and NAME begins with AWS_") as caught:
        read_credentials(file)
    assert line not in str(caught.value)


@pytest.mark.parametrize("name", ["AWS_ALLOW_HTTP", "AWS_POOL_IDLE_TIMEOUT", "AZURE_PROXY_URL", "GOOGLE_USER_AGENT"])
def test_a_setting_of_the_connection_is_refused_before_obstore_panics(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"keys, line 1: {name} is no setting of a store"):
        read_credentials(written(tmp_path / "keys", f"{name}=1\n"))


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none: No such file or directory; \[tables\] credentials names this file"):
        read_credentials(tmp_path / "none")
    with pytest.raises(ConfigError, match="not a text in UTF-8"):
        read_credentials(written(tmp_path / "keys", b"AWS_REGION=\xff\n"))
    (tmp_path / "folder").mkdir(0o700)
    with pytest.raises(ConfigError, match="Is a directory"):
        read_credentials(tmp_path / "folder")
