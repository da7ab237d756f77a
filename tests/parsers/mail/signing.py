"""Content as a signer wraps it, for the tests of S/MIME."""

from __future__ import annotations

from asn1crypto import cms


def signed(content: bytes) -> bytes:
    """CMS SignedData around the content, by nobody."""
    data = {
        "version": "v1",
        "digest_algorithms": [],
        "encap_content_info": {"content_type": "data", "content": content},
        "signer_infos": [],
    }
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(data)}).dump())
