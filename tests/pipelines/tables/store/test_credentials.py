from __future__ import annotations

from pathlib import Path

import pytest

from conf.settings import ConfigError
from pipelines.tables.store.credentials import read_keys


def written(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def test_keys_have_the_names_of_the_environment(tmp_path: Path) -> None:
    text = "AWS_ACCESS_KEY_ID=ID\nexport AZURE_STORAGE_ACCOUNT_KEY='a2V5'\nGOOGLE_SERVICE_ACCOUNT=\n"
    assert read_keys(written(tmp_path / "keys", text)) == {
        "AWS_ACCESS_KEY_ID": "ID",
        "AZURE_STORAGE_ACCOUNT_KEY": "a2V5",
        "GOOGLE_SERVICE_ACCOUNT": "",
    }


def test_what_is_wrong_with_the_file_is_an_error_of_the_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is open to others"):
        read_keys(written(tmp_path / "keys", "AWS_SECRET_ACCESS_KEY=top-secret\n", 0o640))
    with pytest.raises(ConfigError, match="line 1: a line is NAME=value, and NAME begins with AWS_"):
        read_keys(written(tmp_path / "keys", "SECRET=top-secret\n"))
    with pytest.raises(ConfigError, match=r"\[tables\] credentials names this file"):
        read_keys(tmp_path / "none")


@pytest.mark.parametrize("name", ["AWS_ALLOW_HTTP", "AWS_POOL_IDLE_TIMEOUT", "AZURE_PROXY_URL", "GOOGLE_USER_AGENT"])
def test_a_setting_of_the_connection_is_refused_before_obstore_panics(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"keys: {name} is no setting of a store"):
        read_keys(written(tmp_path / "keys", f"{name}=1\n"))
