"""S/MIME bodies in one piece (application/pkcs7-mime): what was signed is read, what is encrypted is not (spec 6.1)."""

from __future__ import annotations

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

TYPES = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
SIGNATURES = frozenset(
    {
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-signature",
        "application/pgp-keys",
    }
)


class Encrypted(Exception):
    """The content is readable for its recipients alone."""


def signed_content(data: bytes) -> bytes:
    """The MIME entity inside a signature.

    Raises:
        Encrypted: the content is enveloped.
        Unreadable: CORRUPT_PART for what is no CMS at all.
    """
    from asn1crypto.cms import ContentInfo

    try:
        info = ContentInfo.load(data)
        kind = info["content_type"].native
        if kind != "signed_data":
            raise Encrypted(kind)
        content = info["content"]["encap_content_info"]["content"].native
    except (ValueError, TypeError, KeyError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"no CMS: {error}"[:200]) from error
    if not isinstance(content, bytes):
        raise Unreadable(Code.CORRUPT_PART, "a signature without its content")
    return content
