from __future__ import annotations

from pathlib import Path

import pytest

from conf.settings import ConfigError
from log.claims.endpoints import ENDPOINTS
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.store import open_store


def test_a_path_and_a_file_url_are_folders(tmp_path: Path) -> None:
    for root in (
        tmp_path / "a b",
        str(tmp_path / "a b"),
        f"file://{tmp_path}/a%20b",
        f"file://localhost{tmp_path}/a%20b",
    ):
        store = open_store(root)
        assert isinstance(store, Folder)
        assert store.uri() == str(tmp_path / "a b")


@pytest.mark.parametrize("root", ["s3://otclog/tables", "az://otclog/tables/", "gs://otclog"])
def test_urls_of_object_stores_are_buckets(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "otclog")
    monkeypatch.setenv("GOOGLE_SKIP_SIGNATURE", "true")
    store = open_store(root)
    assert isinstance(store, Bucket)
    assert store.uri("quotes") == f"{root.rstrip('/')}/quotes"


@pytest.mark.parametrize(
    "root",
    ["ftp://host/tables", "s3:///tables", "S4://x/y", "file://host/tables", "hdfs://n/t", "s3:/otclog/t", "file:/t"],
)
def test_a_url_of_another_kind_is_told_with_those_that_are_known(root: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_store(root)
    assert str(caught.value) == (
        f"[tables] root = {root!r}: name a folder, file:///FOLDER, "
        "s3://BUCKET/FOLDER, az://BUCKET/FOLDER, gs://BUCKET/FOLDER"
    )


@pytest.mark.parametrize("name", ["a%20b", "new\nline", "tab\t"])
def test_a_folder_whose_name_delta_rs_would_take_for_another_is_refused(tmp_path: Path, name: str) -> None:
    for root in (tmp_path / name, str(tmp_path / name)):
        with pytest.raises(ConfigError, match=r"(?s)^\[tables\] root = .* choose another folder$"):
            open_store(root)
    assert open_store(tmp_path / "100%").uri() == str(tmp_path / "100%")


@pytest.mark.parametrize("root", ["s3://key:top-secret@bucket/x", "az://c/x?sig=top-secret", "s3://b/x#top-secret"])
def test_a_url_with_a_key_in_it_is_refused_and_not_shown(root: str) -> None:
    with pytest.raises(ConfigError, match=r"keys go into \[tables\] credentials") as caught:
        open_store(root)
    assert "top-secret" not in str(caught.value)


@pytest.mark.parametrize("root", ["s3://otclog/../other", "s3://otclog/a/./b"])
def test_a_url_that_leads_out_of_the_folder_that_it_names_is_refused(root: str) -> None:
    with pytest.raises(ConfigError, match="no way to another folder"):
        open_store(root)


@pytest.mark.parametrize(
    "endpoint",
    [
        "localhost",
        "localhost:8333",
        "http://",
        "http://127.0.0.1:99999",
        "http://ex ample",
        "ftp://127.0.0.1",
        "http://[",
    ],
)
@pytest.mark.parametrize("name", ENDPOINTS)
def test_an_endpoint_that_is_no_address_is_refused_by_its_name_alone(
    endpoint: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, endpoint)
    with pytest.raises(ConfigError, match=f"^{name} is no address of an object store: write https://HOST"):
        open_store("s3://otclog/tables")
