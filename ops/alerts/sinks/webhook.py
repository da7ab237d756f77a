"""By a POST of JSON, to a server whose certificate is verified. Redirects and proxies are not followed."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from conf.printable import printable
from ops.alerts.sinks.taking import NotTaken, secrets_of, text_of, verified_by

if TYPE_CHECKING:
    from pathlib import Path

    from conf.alerting import SinkSettings
    from ops.alerts.outbox import Told


def send(sink: SinkSettings, told: Told) -> None:
    """Return when the server has said 2xx. Raises NotTaken.

    The body is the event's fields with its `id`, the same at each try, and `text` as the template has it, which is what
    chats show; what the event itself says is its `detail`.
    """
    body = {**told.fields, "id": told.id, "detail": told.fields["text"], "text": text_of(sink, told)}
    headers = {"Content-Type": "application/json", "Idempotency-Key": told.id}
    if token := secrets_of(sink).get("token"):
        headers["Authorization"] = f"Bearer {token}"
    ask("POST", sink.url, sink.timeout_s, ca=sink.ca, body=json.dumps(body).encode(), headers=headers)


def ask(
    method: str,
    url: str,
    timeout_s: float,
    *,
    ca: Path | None = None,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> None:
    """Return when the server has said 2xx. Raises NotTaken, which names the server alone: an URL may be a secret."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    connection = http.client.HTTPConnection(host, parts.port, timeout=timeout_s)
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(host, parts.port, timeout=timeout_s, context=verified_by(ca))
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection.request(method, path, body, headers or {})
        status = connection.getresponse().status
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = printable(str(error)) if isinstance(error, OSError) else ""  # others show the URL, or what was answered
        raise NotTaken(f"{host}: {why or type(error).__name__}") from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotTaken(f"{host}: answered {status}")
