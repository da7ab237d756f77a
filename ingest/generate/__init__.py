"""Realistic mails with known truth, out of a seed: for demos, load and tests.

docs/generate.md states the mix, the pool of documents and the tail of sizes. No two mails are byte-equal, and mail n of
a seed is the same however many are asked for.
"""

from ingest.generate.write import generate

__all__ = ["generate"]
