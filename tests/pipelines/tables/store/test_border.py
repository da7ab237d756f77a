from __future__ import annotations

import pytest
from obstore.exceptions import GenericError, PermissionDeniedError, PreconditionError

from pipelines.errors import NotStored, PipelineError, StoreUnreachable, StoreUnusable
from pipelines.tables.store.border import pipeline_error_of, store_errors

ANSWER = "Generic S3 error: Error performing PUT http://store:9000/b/x?sig=top-secret in 2ms - Server returned non-2xx status code: {} Said: {}\n\nDebug source:\n..."
CODE = "<Error><Code>{}</Code><Token-0>top-secret</Token-0></Error>"
SAID = [
    (ANSWER.format(404, CODE.format("NoSuchKey")), NotStored, "s3://b/x is not there"),
    (ANSWER.format(404, CODE.format("NoSuchBucket")), StoreUnusable, "there is no such bucket"),
    (ANSWER.format(404, CODE.format("ContainerNotFound")), StoreUnusable, "there is no such container"),
    (ANSWER.format(404, CODE.format("NoSuchUpload")), StoreUnreachable, "cannot serve now (NoSuchUpload); try again"),
    (ANSWER.format(501, CODE.format("NotImplemented")), StoreUnusable, "refuses the request (NotImplemented)"),
    (ANSWER.format(403, CODE.format("AccessDenied")), StoreUnusable, "do not allow this"),
    (ANSWER.format(403, CODE.format("RequestTimeTooSkewed")), StoreUnusable, "clock is wrong"),
    (ANSWER.format(403, ""), StoreUnusable, "refuses the credentials (status 403): correct them"),
    (ANSWER.format(400, CODE.format("ExpiredToken")), StoreUnusable, "the session token has expired"),
    (ANSWER.format(301, CODE.format("PermanentRedirect")), StoreUnusable, "(PermanentRedirect): are endpoint, region"),
    (ANSWER.format(429, ""), StoreUnreachable, "cannot serve now (status 429); try again"),
    (ANSWER.format(409, CODE.format("ConditionalRequestConflict")), StoreUnreachable, "cannot serve now"),
    (ANSWER.format(500, CODE.format("InternalError")), StoreUnreachable, "cannot serve now (InternalError)"),
    (
        "Error performing GET https://store:9000/b/x?sig=top-secret in 2s - HTTP error: error sending request",
        StoreUnreachable,
        "no answer from store:9000",
    ),
    (
        "Error getting list response body: HTTP error: request or response body error",
        StoreUnreachable,
        "no answer from",
    ),
    (
        "error sending request for url (http://user:top-secret@host:9/b)",
        StoreUnreachable,
        "no answer from host:9: is it",
    ),
    ("Configuration key: 'x' is not valid for store 'S3'.\n\nDebug source", StoreUnusable, "key: 'x' is not valid"),
]


@pytest.mark.parametrize(("text", "kind", "said"), SAID)
def test_what_a_store_says_is_one_line_that_says_what_to_do(text: str, kind: type[PipelineError], said: str) -> None:
    error = pipeline_error_of(text, "s3://b/x")
    assert type(error) is kind
    assert said in str(error)
    assert str(error).startswith("s3://b/x")
    assert "\n" not in str(error)
    assert "top-secret" not in str(error)


def test_no_error_of_obstore_passes_but_for_failed_conditions() -> None:
    for given in (PermissionDeniedError("x"), GenericError("x"), OSError("x")):
        with pytest.raises(PipelineError), store_errors("s3://b/x"):
            raise given
    with pytest.raises(PreconditionError), store_errors("s3://b/x"):
        raise PreconditionError("x")
    with pytest.raises(NotStored, match=r"^there$"), store_errors("s3://b/x"):
        raise NotStored("there")
