"""The border: what an object store or the way to it says, in the pipelines' terms, in one line that says what to do.

The error itself is not kept as a cause: its text has whole requests and answers in it, with tokens and signatures.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError

from pipelines.errors import NotStored, PipelineError, StoreUnreachable, StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator

ConditionFailed = (AlreadyExistsError, PreconditionError)

_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>|\"reason\": ?\"(\w{1,60})\"")
_HOST = re.compile(r"https?://(?:[^/\s?]*@)?([^/\s?@]+)")  # without the name and password that may stand before it
_NO_KEYS = ("/latest/api/token", "/latest/meta-data", "/computeMetadata/", "/metadata/identity")
_OF_A_STORE = ("HTTP error", "error sending request", "Generic S3 error", *_NO_KEYS)
_TRY_LATER = {404, 408, 409, 425, 429}  # of the client's errors

_SAID = {
    "NoSuchBucket": "there is no such bucket: make it, or correct [tables] root",
    "ContainerNotFound": "there is no such container: make it, or correct [tables] root",
    "ExpiredToken": "the session token has expired: get new credentials",
    "ExpiredTokenException": "the session token has expired: get new credentials",
    "TokenRefreshRequired": "the session token has expired: get new credentials",
    "InvalidToken": "the session token is not valid: get new credentials",
    "InvalidAccessKeyId": "the store does not know the access key: correct the credentials",
    "SignatureDoesNotMatch": "the signature is wrong: correct the secret key in the credentials",
    "AuthenticationFailed": "the signature is wrong: correct the key in the credentials",
    "RequestTimeTooSkewed": "this machine's clock is wrong by the store's: set it",
    "AccessDenied": "the credentials do not allow this: give them the right to read, write, list and delete there",
}


@contextmanager
def store_errors(place: str) -> Iterator[None]:
    """Within it an error of obstore is one of the pipelines' that names `place`, but for a condition that failed."""
    try:
        yield
    except (*ConditionFailed, PipelineError):
        raise
    except (BaseError, OSError) as error:  # its files raise OSError
        raise pipeline_error_of(str(error), place) from None


def refusal_of(text: str, place: str) -> PipelineError | None:
    """What the text of an error of delta-rs means, where the store or the way to it has said it; else None."""
    of_a_store = any(sign in text for sign in _OF_A_STORE) or _STATUS.search(text) or _CODE.search(text)
    return pipeline_error_of(text, place) if of_a_store else None


def pipeline_error_of(text: str, place: str) -> PipelineError:
    """What the text of an error of obstore means."""
    code = next((each for each in found.groups() if each), "") if (found := _CODE.search(text)) else ""
    if code in _SAID:
        return StoreUnusable(f"{place}: {_SAID[code]}")
    if any(path in text for path in _NO_KEYS):
        wanted = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or AZURE_…, GOOGLE_…), or [tables] credentials"
        return StoreUnusable(f"{place}: there are no credentials: {wanted}")
    status = _STATUS.search(text)
    return _answered(int(status[1]), code, place) if status else _without_answer(text, place)


def _answered(status: int, code: str, place: str) -> PipelineError:
    said = code or f"status {status}"
    if status == 404 and code != "NoSuchUpload":  # that one was ended by a try whose answer was lost: it is made again
        return NotStored(f"{place} is not there")
    if status in {401, 403}:
        return StoreUnusable(f"{place}: the store refuses the credentials ({said}): correct them")
    if (300 <= status < 500 and status not in _TRY_LATER) or status == 501:
        return StoreUnusable(f"{place}: the store refuses the request ({said}): are endpoint, region and root right?")
    return StoreUnreachable(f"{place}: the store cannot serve now ({said}); try again")


def _without_answer(text: str, place: str) -> PipelineError:
    host = _HOST.search(text)
    if host or "HTTP error" in text:
        peer = host[1] if host else "the store"
        return StoreUnreachable(f"{place}: no answer from {peer}: is it running, and can this machine reach it?")
    own = text.partition("Debug source")[0].strip()[:200]  # obstore's: it sent nothing
    return StoreUnusable(f"{place}: {own}")
