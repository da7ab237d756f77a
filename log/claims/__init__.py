"""Mails too large for the log: kept in a claim store by their SHA-256; the record in the log carries a claim.

A record with the header `claim` has a claim as its value: JSON, `{"sha256": "9f86…", "size": 73400320}`. The header
tells it from a mail that reads like one. Every place of the store is a full copy, and at least `min_insync` of them
have a claim durably before its record is appended, as with the log's own replicas.
"""

from log.claims.claim import CLAIM_HEADER, Claim, claim_of
from log.claims.cleaning import Astray, Cleaned, astray, clean_claims
from log.claims.index import announce, settle
from log.claims.owning import own_places
from log.claims.store import ClaimOptions, ClaimStore, NotTheClaim, open_claims

__all__ = [
    "CLAIM_HEADER",
    "Astray",
    "Claim",
    "ClaimOptions",
    "ClaimStore",
    "Cleaned",
    "NotTheClaim",
    "announce",
    "astray",
    "claim_of",
    "clean_claims",
    "open_claims",
    "own_places",
    "settle",
]
