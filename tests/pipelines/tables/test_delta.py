from __future__ import annotations

import socket
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from pipelines.errors import StoreUnreachable
from pipelines.tables.delta import opened, opened_if_there
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.interface import Store


def test_a_table_is_opened_at_its_newest_version_or_at_one_before(store: Store) -> None:
    assert opened_if_there(store, "quotes") is None
    with pytest.raises(TableNotFoundError):
        opened(store, "quotes")
    store.make_folder("quotes")
    made = DeltaTable.create(
        store.uri("quotes"), pa.schema([("a", pa.int64())]), storage_options=store.storage_options()
    )
    made.alter.set_table_description("later")
    assert opened_if_there(store, "quotes")
    assert (opened(store, "quotes").version(), opened(store, "quotes", 0).version()) == (1, 0)


@pytest.mark.slow
def test_a_store_that_does_not_answer_delta_rs_is_told_as_such(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.touch(0o600)
    with socket.socket() as held:  # so that nobody else gets the port; it is not listened on
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        keys.write_text(f"AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b\nAWS_ENDPOINT_URL=http://127.0.0.1:{port}\n")
        for ask in (opened, opened_if_there):
            with pytest.raises(StoreUnreachable, match=f"^s3://none/quotes: no answer from 127.0.0.1:{port}"):
                ask(Bucket("s3://none", keys, 1.0), "quotes")
